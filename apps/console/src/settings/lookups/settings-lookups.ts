import {
  descriptionOf,
  type FieldFacts,
  fieldsOf,
  type LookupName,
  lookupSettings,
  type Text,
  text,
} from '@dealkeep/contract';

/** A list to choose from and how its pages show it. */
export interface SettingsLookup {
  readonly name: LookupName;
  /** Last part of its address. */
  readonly path: string;
  /** One of its entries. */
  readonly label: Text;
  readonly plural: Text;
  /** What it is for. */
  readonly about: Text;
  readonly fields: readonly FieldFacts[];
  /** What the form of a new entry says besides. */
  readonly begins?: Readonly<Record<string, string>>;
  readonly aboutNew?: Text;
  /** What becomes of the records that have an entry which is removed. */
  readonly aboutRemoval: Text;
  /** What stands in each of its entries, in an order of its own. */
  readonly inner?: SettingsLookup;
}

type Declared = Omit<SettingsLookup, 'label' | 'fields'>;

function settingsLookup(declared: Declared): SettingsLookup {
  const { schema } = lookupSettings[declared.name];
  const label = descriptionOf(schema)?.label ?? text(declared.name, declared.name);
  return { ...declared, label, fields: fieldsOf(schema) };
}

const archived = text(
  'The records below have it. It is archived: they keep it, but it can no longer be chosen, and the API lists it no more. You can bring it back.',
  'Majú ho záznamy uvedené nižšie. Archivuje sa: záznamom zostane, no už sa nedá vybrať a API ho nevypíše. Môžete ho vrátiť späť.',
);
const takenOut = text(
  'It is taken out of the records below. Nobody is told of it, and it cannot be undone.',
  'Odstráni sa zo záznamov uvedených nižšie. Nikto sa to nedozvie a nedá sa to vrátiť.',
);
const leadsMove = text(
  'Leads that stand here, archived ones too, move to the stages that you choose; webhooks are told of each. This cannot be undone.',
  'Príležitosti, ktoré tu sú, aj archivované, sa presunú do vybraných fáz; webhooky sa dozvedia o každej. Nedá sa to vrátiť.',
);

const stages = settingsLookup({
  name: 'stage',
  path: 'stages',
  plural: text('Stages', 'Fázy'),
  aboutRemoval: leadsMove,
  about: text(
    'The steps of a lead, in their order. A new lead begins in the first open one.',
    'Kroky príležitosti v poradí. Nová príležitosť začína v prvej otvorenej fáze.',
  ),
});
const projectStages = settingsLookup({
  name: 'project-stage',
  path: 'stages',
  plural: text('Stages', 'Fázy'),
  about: text(
    'The steps of a task, in their order. A task that comes into the project begins in the first one.',
    'Kroky úlohy v poradí. Úloha, ktorá príde do projektu, začína v prvom.',
  ),
  aboutRemoval: text(
    'Tasks that stand here, archived ones too, move to the stage that you choose; webhooks are told of each. This cannot be undone.',
    'Úlohy, ktoré tu sú, aj archivované, sa presunú do vybranej fázy; webhooky sa dozvedia o každej. Nedá sa to vrátiť.',
  ),
});

/** Every list that owners edit, in the order of the overview. */
export const settingsLookups: readonly SettingsLookup[] = [
  settingsLookup({
    name: 'pipeline',
    path: 'pipelines',
    plural: text('Pipelines', 'Pipeline'),
    about: text(
      'How leads go from the first question to won or lost, stage by stage.',
      'Ako idú príležitosti od prvej otázky po výhru alebo prehru, fáza po fáze.',
    ),
    aboutNew: text(
      'It begins with the usual stages, which you can change.',
      'Začína obvyklými fázami, ktoré môžete zmeniť.',
    ),
    begins: { is_default: 'false', require_lost_reason: 'false' },
    aboutRemoval: leadsMove,
    inner: stages,
  }),
  settingsLookup({
    name: 'lead-origin',
    path: 'lead-origins',
    plural: text('Lead Origins', 'Zdroje príležitostí'),
    about: text('Where leads come from.', 'Odkiaľ príležitosti prichádzajú.'),
    aboutRemoval: archived,
  }),
  settingsLookup({
    name: 'lost-reason',
    path: 'lost-reasons',
    plural: text('Lost Reasons', 'Dôvody straty'),
    about: text('Why leads are lost.', 'Prečo sa príležitosti strácajú.'),
    aboutRemoval: archived,
  }),
  settingsLookup({
    name: 'activity-type',
    path: 'activity-types',
    plural: text('Activity Types', 'Typy aktivít'),
    about: text('Kinds of activities: meeting, phone call.', 'Druhy aktivít: stretnutie, telefonát.'),
    aboutRemoval: archived,
  }),
  settingsLookup({
    name: 'tag',
    path: 'tags',
    plural: text('Tags', 'Štítky'),
    about: text(
      'Words that companies and leads can be found by.',
      'Slová, podľa ktorých sa dajú nájsť firmy a príležitosti.',
    ),
    aboutRemoval: takenOut,
  }),
  settingsLookup({
    name: 'custom-field',
    path: 'custom-fields',
    plural: text('Custom Fields', 'Vlastné polia'),
    about: text(
      'What you want to know of companies besides the usual fields. Other records have none.',
      'Čo chcete vedieť o firmách okrem bežných polí. Iné záznamy ich nemajú.',
    ),
    begins: { type: 'text', required: 'false' },
    aboutRemoval: text(
      'The companies below lose what stands in the field. Nobody is told of it, and it cannot be undone.',
      'Firmy uvedené nižšie prídu o to, čo je v poli. Nikto sa to nedozvie a nedá sa to vrátiť.',
    ),
  }),
  settingsLookup({
    name: 'custom-field-group',
    path: 'custom-field-groups',
    plural: text('Groups of Custom Fields', 'Skupiny vlastných polí'),
    about: text('Headings that custom fields stand under.', 'Nadpisy, pod ktorými sú vlastné polia.'),
    aboutRemoval: text(
      'The fields below stay, without a group.',
      'Polia uvedené nižšie zostanú bez skupiny.',
    ),
  }),
  settingsLookup({
    name: 'project',
    path: 'projects',
    plural: text('Projects', 'Projekty'),
    about: text(
      'What tasks belong together, with stages of their own.',
      'Ktoré úlohy patria k sebe, s vlastnými fázami.',
    ),
    aboutNew: text(
      'It begins with the usual stages, which you can change.',
      'Začína obvyklými fázami, ktoré môžete zmeniť.',
    ),
    begins: { status: 'active' },
    aboutRemoval: archived,
    inner: projectStages,
  }),
  settingsLookup({
    name: 'booking-service',
    path: 'booking-services',
    plural: text('Booking Services', 'Rezervovateľné služby'),
    about: text(
      'What customers can book, how long it takes and what it costs. Bookings that are there keep their time and price.',
      'Čo si zákazníci môžu rezervovať, ako dlho to trvá a koľko to stojí. Existujúcim rezerváciám čas a cena zostávajú.',
    ),
    aboutRemoval: archived,
  }),
  settingsLookup({
    name: 'booking-staff',
    path: 'booking-staff',
    plural: text('Booking Staff', 'Pracovníci'),
    about: text(
      'Who renders the services. Nobody is booked twice at one time.',
      'Kto služby poskytuje. Nikto nemá dve rezervácie naraz.',
    ),
    aboutRemoval: archived,
  }),
];
