import * as z from 'zod';
import { type EventDeclaration, sampleMoment } from '../event.ts';
import { describe, leftOut } from '../field.ts';
import { listQuery, search } from '../list-query.ts';
import { consoleOperation, operation } from '../operation.ts';
import type { RecordDeclaration } from '../resource.ts';
import * as field from '../scalars.ts';
import {
  appUrlOf,
  body,
  companySummary,
  createdAt,
  exampleRef,
  idOf,
  record,
  ref,
  tagChanges,
  tagNames,
  tagsToSet,
  tellsWebhooks,
  updatedAt,
} from '../shapes.ts';
import { text } from '../text.ts';
import { CreateCompany } from './companies.ts';
import { CreateContact } from './contacts.ts';
import { StageItem } from './lookups.ts';

const companyText = text('Company', 'Firma');
const contactText = text('Contact', 'Kontakt');
const ownerText = text('Owner', 'Vlastník');
const originText = text('Lead Origin', 'Zdroj');
const pipelineText = text('Pipeline', 'Pipeline');
const stageText = text('Stage', 'Fáza');
const lostReasonText = text('Lost Reason', 'Dôvod straty');

const name = field.looseName({
  label: text('Name', 'Názov'),
  example: 'Fleet of 20 city bikes',
  max: 255,
});
const status = field.choice({
  label: text('Status', 'Stav'),
  choices: { open: text('Open', 'Otvorená'), won: text('Won', 'Vyhratá'), lost: text('Lost', 'Prehratá') },
  example: 'open',
});
const inOwnCurrency = text('In the currency of the organization.', 'V mene organizácie.');
const value = field.amount({ label: text('Value', 'Hodnota'), help: inOwnCurrency, example: 18500 });
const acquisitionCost = field.amount({
  label: text('Acquisition Cost', 'Náklady na získanie'),
  help: inOwnCurrency,
  example: 240.5,
});
const expectedCloseDate = field.date({
  label: text('Expected Close Date', 'Očakávaný dátum uzavretia'),
  example: '2026-11-30',
});
const note = field.string({
  label: text('Note', 'Poznámka'),
  example: 'Asked for delivery before spring.',
  multiline: true,
});
const lostNoteText = {
  label: text('Lost Note', 'Poznámka k strate'),
  example: 'Chose a cheaper offer.',
  max: 2000,
  multiline: true,
};
const lostNote = field.string(lostNoteText);
/** Where it is refused for a lead that is not lost. */
const lostNoteOfLost = field.string({ ...lostNoteText, inExamples: false });
const moment = (en: string, sk: string, example: string) => field.dateTime({ label: text(en, sk), example });

const ownerId = field.reference('user', { label: ownerText });
const originId = field.reference('lead-origin', { label: originText });
const pipelineId = field.reference('pipeline', { label: pipelineText });
const stageId = field.reference('stage', { label: stageText, dependsOn: 'pipeline_id' });
const companyId = field.reference('company', { label: companyText });
const contactId = field.reference('contact', { label: contactText, dependsOn: 'company_id' });
const lostReasonId = field.reference('lost-reason', {
  label: lostReasonText,
  help: text(
    'A pipeline can ask for it when a lead is lost.',
    'Pipeline ho môže vyžadovať, keď sa príležitosť prehrá.',
  ),
});

export const leadLabel = text('Lead', 'Príležitosť');

export const Lead = record(
  'Lead',
  { label: leadLabel },
  {
    id: idOf(exampleRef.lead),
    name: name.nullable(),
    status,
    value: value.nullable(),
    acquisition_cost: acquisitionCost.nullable(),
    expected_close_date: expectedCloseDate.nullable(),
    note: note.nullable(),
    tags: tagNames,
    company: companySummary.nullable(),
    contact: describe(
      z.object({
        id: describe(z.uuid(), {
          label: text('Contact ID', 'Kontakt – ID'),
          example: exampleRef.contact.id,
        }),
        name: describe(z.string(), { label: text('Contact Name', 'Kontakt – meno'), example: 'Peter Novák' }),
        email: describe(z.string(), {
          label: text('Contact Email', 'Kontakt – e-mail'),
          example: 'peter.novak@tatrabikes.example',
        }).nullable(),
        phone: describe(z.string(), {
          label: text('Contact Phone', 'Kontakt – telefón'),
          example: '+421 905 123 456',
        }).nullable(),
      }),
      { label: contactText, id: 'LeadContact', refersTo: 'contact' },
    ).nullable(),
    client: ref(text('Client', 'Klient'), exampleRef.client).nullable(),
    owner: ref(ownerText, exampleRef.user).nullable(),
    assignees: field.list(ref(text('Assignee', 'Riešiteľ'), exampleRef.user), {
      label: text('Assignees', 'Riešitelia'),
    }),
    origin: ref(originText, exampleRef.origin).nullable(),
    pipeline: ref(pipelineText, exampleRef.pipeline).nullable(),
    stage: StageItem.nullable(),
    stage_entered_at: moment('Stage Entered At', 'Vo fáze od', '2026-09-20T10:00:00.000Z').nullable(),
    won_at: moment('Won At', 'Vyhratá', '2026-10-01T13:05:09.480Z').nullable(),
    lost_at: moment('Lost At', 'Prehratá', '2026-10-01T13:05:09.480Z').nullable(),
    lost_reason: ref(lostReasonText, exampleRef.lostReason).nullable(),
    lost_note: lostNote.nullable(),
    archived_at: moment('Archived At', 'Archivovaná', '2026-10-01T13:05:09.480Z').nullable(),
    created_at: createdAt.nullable(),
    updated_at: updatedAt.nullable(),
    deduplicated: field
      .boolean({
        label: text('Deduplicated', 'Existujúca'),
        help: text(
          'True when an existing lead was returned instead of a new one.',
          'Hodnota true, ak bola vrátená existujúca príležitosť namiesto novej.',
        ),
        example: true,
      })
      .optional(),
    app_url: appUrlOf('leads', exampleRef.lead),
  },
);

const leadFields = {
  name: name.nullish(),
  value: value.nullish(),
  acquisition_cost: acquisitionCost.nullish(),
  expected_close_date: expectedCloseDate.nullish(),
  company_id: companyId.nullish(),
  contact_id: contactId.nullish(),
  pipeline_id: pipelineId.optional(),
  stage_id: stageId.optional(),
  owner_id: ownerId.nullish(),
  assignee_ids: field
    .list(field.reference('user', { label: text('Assignee', 'Riešiteľ') }), {
      label: text('Assignees', 'Riešitelia'),
      max: 50,
    })
    .optional(),
  origin_id: originId.nullish(),
  note: note.nullish(),
  lost_reason_id: lostReasonId.nullish(),
  lost_note: lostNoteOfLost.nullish(),
};

/** A company described inside a lead: matched to an existing one, else created. */
export const InlineCompany = body(
  'LeadInlineCompany',
  {
    label: companyText,
    help: text(
      'Matched by registration ID, e-mail or name; created when none matches, which needs a name.',
      'Hľadá sa podľa IČO, e-mailu alebo názvu; ak sa nenájde, vytvorí sa, na čo treba názov.',
    ),
  },
  {
    name: CreateCompany.shape.name.nullish(),
    email: CreateCompany.shape.email,
    phone: CreateCompany.shape.phone,
    country_code: CreateCompany.shape.country_code,
    registration_id: CreateCompany.shape.registration_id,
  },
);

/** A contact described inside a lead: matched within the lead's company, else created. */
export const InlineContact = body(
  'LeadInlineContact',
  {
    label: contactText,
    help: text(
      'Matched within the company by e-mail or name; created when none matches, which needs a name.',
      'Hľadá sa v rámci firmy podľa e-mailu alebo mena; ak sa nenájde, vytvorí sa, na čo treba meno.',
    ),
  },
  {
    name: CreateContact.shape.name.nullish(),
    email: CreateContact.shape.email,
    phone: CreateContact.shape.phone,
    position: CreateContact.shape.position,
  },
);

export const CreateLead = body(
  'LeadCreate',
  { label: leadLabel },
  {
    ...leadFields,
    name: leftOut(
      leadFields.name.nullish(),
      text('The name of the company when not given.', 'Ak sa neuvedie, použije sa názov firmy.'),
    ),
    company_id: leftOut(
      companyId.nullish(),
      text(
        'A company that exists. To match or create one, give its name, e-mail or registration ID instead.',
        'Existujúca firma. Ak sa má nájsť alebo vytvoriť, uveďte radšej jej názov, e-mail alebo IČO.',
      ),
    ),
    pipeline_id: leftOut(
      pipelineId.nullish(),
      text('The default pipeline when not given.', 'Ak sa neuvedie, použije sa predvolená pipeline.'),
    ),
    stage_id: leftOut(
      stageId.nullish(),
      text(
        'The first open stage of the pipeline when not given.',
        'Ak sa neuvedie, použije sa prvá otvorená fáza.',
      ),
    ),
    assignee_ids: leadFields.assignee_ids.nullable(),
    tags: tagsToSet.nullish(),
    company: InlineCompany.nullish(),
    contact: InlineContact.nullish(),
    dedupe: field
      .choice({
        label: text('Deduplicate', 'Zamedziť duplicitám'),
        help: text(
          'By company: when the company has an open lead already, the newest of them is returned and nothing is changed. Otherwise, and when not given, a new lead is always made.',
          'Podľa firmy: ak už má firma otvorenú príležitosť, vráti sa najnovšia z nich a nič sa nezmení. Inak, aj keď sa neuvedie, vždy vznikne nová.',
        ),
        choices: { none: text('No', 'Nie'), company: text('By company', 'Podľa firmy') },
        example: 'none',
      })
      .nullish(),
  },
);

export const UpdateLead = body(
  'LeadUpdate',
  { label: leadLabel },
  { ...leadFields, tags: tagsToSet.optional(), ...tagChanges },
);

export const MoveLead = body(
  'LeadMove',
  { label: leadLabel },
  {
    stage_id: stageId,
    lost_reason_id: lostReasonId.nullish(),
    lost_note: lostNoteOfLost.nullish(),
  },
);

export const ArchiveLead = body(
  'LeadArchive',
  { label: leadLabel },
  {
    lost_reason_id: lostReasonId.nullish(),
    lost_note: lostNote.nullish(),
  },
);

export const leadOperations = {
  'leads.list': operation({
    id: 'leads.list',
    resource: 'lead',
    kind: 'list',
    method: 'GET',
    path: '/leads',
    scope: 'leads:read',
    query: listQuery(
      {
        q: search(text('Part of the name.', 'Časť názvu.'), 'bikes'),
        status: status.optional(),
        pipeline_id: pipelineId.optional(),
        stage_id: stageId.optional(),
        company_id: companyId.optional(),
        contact_id: contactId.optional(),
        owner_id: ownerId.optional(),
        origin_id: originId.optional(),
        tag: tagNames.element.optional(),
        expected_close_after: field
          .date({
            label: text('Closes After', 'Uzavretie po'),
            help: text(
              'Only leads expected to close after this day.',
              'Len príležitosti s očakávaným uzavretím po tomto dni.',
            ),
            example: '2026-10-31',
          })
          .optional(),
        expected_close_before: field
          .date({
            label: text('Closes Before', 'Uzavretie pred'),
            help: text(
              'Only leads expected to close before this day.',
              'Len príležitosti s očakávaným uzavretím pred týmto dňom.',
            ),
            example: '2026-12-01',
          })
          .optional(),
        archived: field
          .boolean({
            label: text('Archived', 'Archivované'),
            help: text('Both kinds when not given.', 'Ak sa neuvedie, vrátia sa oba druhy.'),
            example: false,
          })
          .optional(),
        won_after: field
          .dateTime({
            label: text('Won After', 'Vyhraté po'),
            help: text('Only leads won after this moment.', 'Len príležitosti vyhraté po tomto okamihu.'),
            example: '2026-09-01T00:00:00.000Z',
          })
          .optional(),
        won_before: field
          .dateTime({
            label: text('Won Before', 'Vyhraté pred'),
            help: text('Only leads won before this moment.', 'Len príležitosti vyhraté pred týmto okamihom.'),
            example: '2026-10-01T00:00:00.000Z',
          })
          .optional(),
      },
      ['name', 'value', 'expected_close_date'],
    ),
    answer: Lead,
    shape: 'list',
    statuses: [200],
    errors: [],
    title: text('List leads', 'Zoznam príležitostí'),
    about: text('Leads of the organization, page by page.', 'Príležitosti organizácie po stránkach.'),
  }),
  'leads.create': operation({
    id: 'leads.create',
    resource: 'lead',
    kind: 'create',
    method: 'POST',
    path: '/leads',
    scope: 'leads:write',
    body: CreateLead,
    answer: Lead,
    shape: 'record',
    statuses: [201, 200],
    existingFlag: 'deduplicated',
    errors: [],
    emits: ['company.created', 'contact.created', 'lead.created', 'lead.won', 'lead.lost'],
    title: text('Create a lead', 'Vytvoriť príležitosť'),
    about: text(
      'Adds a lead; its company and contact can be described inline, and are then matched or created.',
      'Pridá príležitosť; firmu a kontakt možno opísať priamo, nájdu sa alebo vytvoria.',
    ),
    instruction: 'Add a lead. Its company and contact can be described too, and are then matched or created.',
  }),
  'leads.get': operation({
    id: 'leads.get',
    resource: 'lead',
    kind: 'get',
    method: 'GET',
    path: '/leads/{id}',
    scope: 'leads:read',
    answer: Lead,
    shape: 'record',
    statuses: [200],
    errors: [],
    title: text('Get a lead', 'Zobraziť príležitosť'),
    about: text('One lead.', 'Jedna príležitosť.'),
  }),
  'leads.update': operation({
    id: 'leads.update',
    resource: 'lead',
    kind: 'update',
    method: 'PATCH',
    path: '/leads/{id}',
    scope: 'leads:write',
    body: UpdateLead,
    answer: Lead,
    shape: 'record',
    statuses: [200],
    errors: ['CONFLICT'],
    emits: ['lead.updated', 'lead.stage_changed', 'lead.won', 'lead.lost'],
    title: text('Update a lead', 'Upraviť príležitosť'),
    about: text(
      'Changes the fields that are sent; null clears a field. A stage or pipeline that is sent moves the lead.',
      'Zmení poslané polia; null pole vyprázdni. Poslaná fáza alebo pipeline príležitosť presunie.',
    ),
    instruction:
      'Change fields of a lead, the others stay as they are. A stage or a pipeline moves the lead.',
  }),
  'leads.move': operation({
    id: 'leads.move',
    resource: 'lead',
    kind: 'action',
    method: 'POST',
    path: '/leads/{id}/move',
    scope: 'leads:write',
    body: MoveLead,
    answer: Lead,
    shape: 'record',
    statuses: [200],
    errors: ['CONFLICT'],
    emits: ['lead.updated', 'lead.stage_changed', 'lead.won', 'lead.lost'],
    title: text('Move a lead', 'Presunúť príležitosť'),
    about: text(
      'Places the lead in a stage of its pipeline; a won or lost stage decides it. Of a lead that is in the lost stage already, the reason and the note are kept.',
      'Umiestni príležitosť do fázy jej pipeline; vyhratá alebo prehratá fáza ju uzavrie. Ak v prehratej fáze už je, uloží sa dôvod a poznámka.',
    ),
    instruction: 'Place a lead in a stage of its pipeline. A won or a lost stage decides the lead.',
    when: 'Use it when a lead goes on to another stage, is won or is lost; some pipelines ask why it was lost.',
    step: { label: text('Move', 'Presunúť'), asks: true },
  }),
  'leads.archive': operation({
    id: 'leads.archive',
    resource: 'lead',
    kind: 'action',
    method: 'POST',
    path: '/leads/{id}/archive',
    scope: 'leads:write',
    body: ArchiveLead,
    answer: Lead,
    shape: 'record',
    statuses: [200],
    errors: ['CONFLICT'],
    emits: ['lead.archived'],
    title: text('Archive a lead', 'Archivovať príležitosť'),
    about: text(
      'Puts the lead away. An archived lead can be read but no longer changed.',
      'Odloží príležitosť. Archivovanú možno čítať, no už nie meniť.',
    ),
    instruction: 'Put a lead away. An archived lead can be read but no longer changed.',
    when: 'Use it for what nobody should work with any more. A lead that was lost is moved to a lost stage instead.',
    destructive: true,
    step: { label: text('Archive', 'Archivovať'), asks: true },
  }),
};

const StageTotal = record(
  'StageTotal',
  { label: text('Leads of a Stage', 'Príležitosti fázy') },
  {
    stage_id: field.uuid({ label: text('Stage', 'Fáza'), example: exampleRef.stage.id }),
    leads: field.integer({ label: text('Leads', 'Príležitosti'), example: 12 }),
    value: field.money({ label: text('Value', 'Hodnota'), example: 18400 }),
  },
);

const leadsWorth = (en: string, sk: string) =>
  describe(
    z.object({
      leads: field.integer({ label: text('Leads', 'Príležitosti'), example: 12 }),
      value: field.money({ label: text('Value', 'Hodnota'), example: 18400 }),
    }),
    { label: text(en, sk) },
  );
const localDay = field.date({ label: text('Day', 'Deň'), example: '2026-10-01' });

/** How sales do, at a glance. */
const LeadOverview = record(
  'LeadOverview',
  { label: text('Sales at a Glance', 'Predaj v skratke') },
  {
    open: leadsWorth('Open', 'Otvorené'),
    weeks: field.list(
      z.object({ day: localDay, value: field.money({ label: text('Value', 'Hodnota'), example: 18400 }) }),
      {
        label: text('Weeks', 'Týždne'),
        help: text(
          'What was open together as each week began, the oldest first.',
          'Čo bolo spolu otvorené na začiatku každého týždňa, najstarší prvý.',
        ),
      },
    ),
    won: leadsWorth('Won This Month', 'Vyhraté tento mesiac'),
    won_last_month: leadsWorth('Won Last Month', 'Vyhraté minulý mesiac'),
    month: field.date({
      label: text('Month', 'Mesiac'),
      help: text('The first day of this month.', 'Prvý deň tohto mesiaca.'),
      example: '2026-10-01',
    }),
  },
);

export const leadConsoleOperations = {
  'leads.overview': consoleOperation({
    id: 'leads.overview',
    resource: 'lead',
    kind: 'list',
    method: 'GET',
    path: '/leads/overview',
    permissions: ['leads.view'],
    query: z.strictObject({ owner_id: ownerId.optional() }),
    answer: LeadOverview,
    shape: 'bare',
    errors: [],
    title: text('See how sales do', 'Pozrieť, ako ide predaj'),
    about: text(
      'What open leads are worth now and at the beginning of the last twelve weeks, and what was won this month and the last.',
      'Akú hodnotu majú otvorené príležitosti teraz a na začiatku posledných dvanástich týždňov a čo sa vyhralo tento a minulý mesiac.',
    ),
  }),
  'leads.totals': consoleOperation({
    id: 'leads.totals',
    resource: 'lead',
    kind: 'list',
    method: 'GET',
    path: '/leads/totals',
    permissions: ['leads.view'],
    query: z.strictObject({
      pipeline_id: pipelineId,
      owner_id: ownerId.optional(),
      q: search(text('Part of the name.', 'Časť názvu.'), 'bikes'),
    }),
    answer: z.array(StageTotal),
    shape: 'bare',
    errors: [],
    title: text('Total the stages of a pipeline', 'Spočítať fázy pipeline'),
    about: text(
      'How many leads that are not archived stand in each stage, and what they are worth together.',
      'Koľko nearchivovaných príležitostí je v každej fáze a akú majú spolu hodnotu.',
    ),
  }),
  'leads.tags': consoleOperation({
    id: 'leads.tags',
    resource: 'lead',
    kind: 'update',
    method: 'POST',
    path: '/leads/{id}/tags',
    permissions: ['leads.edit'],
    // Without a tag to choose from, the form says nothing of them.
    body: body('LeadTags', { label: leadLabel }, { tags: tagNames.default([]) }),
    answer: Lead,
    shape: 'record',
    errors: ['CONFLICT'],
    emits: ['lead.updated'],
    title: text('Edit the tags of a lead', 'Upraviť štítky príležitosti'),
    about: tellsWebhooks,
    step: { label: text('Tags', 'Štítky'), asks: true, begins: ({ tags }) => ({ tags }) },
  }),
};

/** The fields of a lead that its stage changes. */
const movedFields = ['status', 'pipeline', 'stage', 'stage_entered_at', 'won_at', 'lost_at'] as const;

const told = {
  entity: 'lead',
  scope: 'leads:read',
  filters: {
    pipeline_id: 'pipeline.id',
    stage_id: 'stage.id',
    owner_id: 'owner.id',
    origin_id: 'origin.id',
    status: 'status',
    tag: 'tags[]',
  },
} as const;

const events = {
  'lead.created': {
    ...told,
    category: 'created',
    label: text('Lead created', 'Príležitosť vytvorená'),
    description: text('A lead was created.', 'Bola vytvorená príležitosť.'),
  },
  'lead.updated': {
    ...told,
    category: 'updated',
    namedBeside: movedFields,
    label: text('Lead updated', 'Príležitosť zmenená'),
    description: text(
      'Fields of a lead other than its stage were changed.',
      'Zmenili sa polia príležitosti okrem fázy.',
    ),
  },
  'lead.archived': {
    ...told,
    category: 'status',
    leaves: { archived: true },
    label: text('Lead archived', 'Príležitosť archivovaná'),
    description: text('A lead was archived.', 'Príležitosť bola archivovaná.'),
    sample: { archived_at: sampleMoment },
  },
  'lead.stage_changed': {
    ...told,
    category: 'moved',
    formerly: [...movedFields, 'lost_reason', 'lost_note'],
    label: text('Lead stage changed', 'Fáza príležitosti zmenená'),
    description: text('A lead was moved to another stage.', 'Príležitosť bola presunutá do inej fázy.'),
    sampleBefore: {
      status: 'lost',
      stage: { ...exampleRef.lostStage, kind: 'lost', probability: 0 },
      stage_entered_at: '2026-09-18T09:00:00.000Z',
      lost_at: '2026-09-18T09:00:00.000Z',
    },
  },
  'lead.won': {
    ...told,
    category: 'status',
    leaves: { status: 'won' },
    label: text('Lead won', 'Príležitosť vyhratá'),
    description: text('A lead reached a won stage.', 'Príležitosť sa dostala do vyhratej fázy.'),
    sample: {
      status: 'won',
      won_at: sampleMoment,
      stage: { ...exampleRef.wonStage, kind: 'won', probability: 100 },
    },
  },
  'lead.lost': {
    ...told,
    category: 'status',
    leaves: { status: 'lost' },
    label: text('Lead lost', 'Príležitosť prehratá'),
    description: text('A lead reached a lost stage.', 'Príležitosť sa dostala do prehratej fázy.'),
    sample: {
      status: 'lost',
      lost_at: sampleMoment,
      stage: { ...exampleRef.lostStage, kind: 'lost', probability: 0 },
      lost_reason: exampleRef.lostReason,
      lost_note: 'Chose a cheaper offer.',
    },
  },
} as const satisfies Record<string, EventDeclaration>;

export const lead = {
  label: leadLabel,
  plural: text('Leads', 'Príležitosti'),
  schema: Lead,
  kind: 'record',
  brief: ['id', 'name', 'status', 'value', 'company', 'contact', 'owner', 'stage', 'pipeline', 'app_url'],
  collection: 'leads',
  example: exampleRef.lead,
  reference: {
    list: 'leads.list',
    get: 'leads.get',
    names: ['name', 'company.name'],
    apart: ['company.name'],
    inUse: { archived: false },
  },
  scope: 'leads:read',
  permission: 'leads.view',
  toolSet: 'sales',
  operations: leadOperations,
  consoleOperations: leadConsoleOperations,
  events,
  calm: { won_at: null, lost_at: null, lost_reason: null, lost_note: null, archived_at: null },
} as const satisfies RecordDeclaration;
