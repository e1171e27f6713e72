import { limits } from '../limits.ts';
import * as field from '../scalars.ts';
import { body } from '../shapes.ts';
import { type Text, text } from '../text.ts';

// What people edit of the lists to choose from. The API only reads them; the console changes them. Each body is an
// entry as a whole: what is null is cleared.

const name = (example: string) => field.name({ label: text('Name', 'Názov'), example, max: 255 });
const color = field.color({
  label: text('Color', 'Farba'),
  help: text('Six hexadecimal digits, such as #2f7a5b.', 'Šesť hexadecimálnych číslic, napríklad #2f7a5b.'),
  example: '#2f7a5b',
});

/** A value to choose of a custom field. */
export const customFieldChoice = field.name({ label: text('Choice', 'Voľba'), example: 'Retail', max: 255 });

const named = (component: string, label: Text, example: string) =>
  body(component, { label }, { name: name(example) });

export const EditLeadOrigin = named('LeadOriginEdit', text('Lead Origin', 'Zdroj príležitosti'), 'Web form');
export const EditLostReason = named('LostReasonEdit', text('Lost Reason', 'Dôvod straty'), 'Price');
export const EditActivityType = named('ActivityTypeEdit', text('Activity Type', 'Typ aktivity'), 'Meeting');
export const EditTag = body(
  'TagEdit',
  { label: text('Tag', 'Štítok') },
  { name: name('VIP'), color: color.nullish() },
);

export const EditCustomFieldGroup = named(
  'CustomFieldGroupEdit',
  text('Group of Custom Fields', 'Skupina vlastných polí'),
  'Marketing',
);
export const EditCustomField = body(
  'CustomFieldEdit',
  { label: text('Custom Field', 'Vlastné pole') },
  {
    name: name('Segment'),
    description: field
      .string({
        label: text('Description', 'Opis'),
        help: text('Stands below the field.', 'Zobrazí sa pod poľom.'),
        example: 'Market of the company',
        max: 2000,
      })
      .nullish(),
    type: field.choice({
      label: text('Type', 'Typ'),
      help: text(
        'Stays once a company has a value in the field.',
        'Nemení sa, keď už niektorá firma má v poli hodnotu.',
      ),
      choices: {
        text: text('Text', 'Text'),
        number: text('Number', 'Číslo'),
        date: text('Date', 'Dátum'),
        checkbox: text('Checkbox', 'Zaškrtávacie pole'),
        choice: text('Choice', 'Výber'),
      },
      example: 'text',
    }),
    choices: field
      .list(customFieldChoice, {
        label: text('Choices', 'Voľby'),
        help: text(
          'Of a choice: the values that it takes, one on each line. Companies keep a value that is taken away.',
          'Pri výbere: hodnoty, ktoré prijíma, každá na samostatnom riadku. Firmy si odobratú hodnotu nechajú.',
        ),
        max: limits.customFieldChoices,
      })
      .nullish(),
    required: field.boolean({ label: text('Required', 'Povinné'), example: false }),
    group_id: field.uuid({ label: text('Group', 'Skupina') }).nullish(),
  },
);

export const EditPipeline = body(
  'PipelineEdit',
  { label: text('Pipeline', 'Pipeline') },
  {
    name: name('Sales'),
    is_default: field.boolean({
      label: text('Default', 'Predvolená'),
      help: text(
        'New leads begin here when nothing else is said.',
        'Nové príležitosti začínajú tu, ak nie je uvedené inak.',
      ),
      example: true,
    }),
    require_lost_reason: field.boolean({
      label: text('Lost Reason Required', 'Vyžaduje dôvod straty'),
      help: text(
        'A lead can be moved to a lost stage only with a reason.',
        'Príležitosť sa dá presunúť do prehratej fázy iba s dôvodom.',
      ),
      example: false,
    }),
  },
);
export const EditStage = body(
  'StageEdit',
  { label: text('Stage', 'Fáza') },
  {
    name: name('Proposal sent'),
    kind: field.choice({
      label: text('Kind', 'Druh'),
      help: text(
        'Leads in the stage are open, won or lost by it. It stays while leads stand in the stage.',
        'Určuje, či sú príležitosti vo fáze otvorené, vyhraté alebo prehraté. Nemení sa, kým vo fáze nejaké sú.',
      ),
      choices: {
        open: text('Open', 'Otvorená'),
        won: text('Won', 'Vyhratá'),
        lost: text('Lost', 'Prehratá'),
      },
      example: 'open',
    }),
    probability: field.integer({
      label: text('Probability', 'Pravdepodobnosť'),
      help: text('Chance to win, in percent.', 'Šanca na výhru v percentách.'),
      max: 100,
      example: 60,
    }),
    color: color.nullish(),
  },
);

const target = (label: Text) => field.reference('stage', { label });

/** Where the leads of a stage or pipeline go that is removed: each kind to a stage of its own. */
export const LeadTargets = body(
  'LeadTargets',
  { label: text('Where the leads go', 'Kam idú príležitosti') },
  {
    open: target(text('Open leads go to', 'Otvorené príležitosti idú do')).nullish(),
    won: target(text('Won leads go to', 'Vyhraté príležitosti idú do')).nullish(),
    lost: target(text('Lost leads go to', 'Prehraté príležitosti idú do')).nullish(),
  },
);

export const EditProject = body(
  'ProjectEdit',
  { label: text('Project', 'Projekt') },
  {
    name: name('Spring campaign'),
    status: field.choice({
      label: text('Status', 'Stav'),
      choices: {
        active: text('Active', 'Aktívny'),
        on_hold: text('On hold', 'Pozastavený'),
        closed: text('Closed', 'Ukončený'),
      },
      example: 'active',
    }),
  },
);
export const EditProjectStage = body(
  'ProjectStageEdit',
  { label: text('Project Stage', 'Fáza projektu') },
  {
    name: name('In progress'),
    category: field.choice({
      label: text('Category', 'Kategória'),
      choices: {
        to_do: text('To do', 'Treba urobiť'),
        in_progress: text('In progress', 'Prebieha'),
        done: text('Done', 'Hotové'),
      },
      example: 'in_progress',
    }),
  },
);

/** Where the tasks of a project's stage go that is removed. */
export const TaskTarget = body(
  'TaskTarget',
  { label: text('Where the tasks go', 'Kam idú úlohy') },
  {
    stage_id: field
      .reference('project-stage', {
        label: text('Tasks go to', 'Úlohy idú do'),
        help: text('Left empty, they stand in no stage.', 'Ak je prázdne, nestoja v žiadnej fáze.'),
      })
      .nullish(),
  },
);

const minutesOfDay = 24 * 60;

export const EditBookingService = body(
  'BookingServiceEdit',
  { label: text('Booking Service', 'Rezervovateľná služba') },
  {
    name: name('Bike fitting'),
    duration_minutes: field.integer({
      label: text('Duration in Minutes', 'Trvanie v minútach'),
      min: 1,
      max: minutesOfDay,
      example: 60,
    }),
    price: field.amount({ label: text('Price', 'Cena'), example: 45 }).nullish(),
    currency: field.currency({
      label: text('Currency', 'Mena'),
      help: text('ISO 4217.', 'Podľa ISO 4217.'),
      example: 'EUR',
    }),
  },
);
export const EditBookingStaff = body(
  'BookingStaffEdit',
  { label: text('Staff Member', 'Pracovník') },
  {
    name: field.name({ label: text('Name', 'Meno'), example: 'Marek Urban', max: 255 }),
    email: field.email({ label: text('Email', 'E-mail'), example: 'marek@dealkeep.example' }).nullish(),
  },
);
