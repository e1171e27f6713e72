import { type EventDeclaration, sampleMoment } from '../event.ts';
import { describe, leftOut } from '../field.ts';
import { listQuery, search } from '../list-query.ts';
import { consoleOperation, operation } from '../operation.ts';
import type { RecordDeclaration } from '../resource.ts';
import * as field from '../scalars.ts';
import {
  appUrlOf,
  body,
  createdAt,
  exampleRef,
  idOf,
  importance,
  record,
  ref,
  updatedAt,
} from '../shapes.ts';
import { text } from '../text.ts';

const name = field.name({ label: text('Name', 'Názov'), example: 'Product presentation', max: 255 });
const status = field.choice({
  label: text('Status', 'Stav'),
  choices: {
    open: text('Open', 'Otvorená'),
    closed: text('Closed', 'Uzavretá'),
    canceled: text('Canceled', 'Zrušená'),
  },
  example: 'open',
});
const importanceField = importance(text('Importance', 'Dôležitosť'));
const startAt = field.dateTime({ label: text('Start', 'Začiatok'), example: '2026-10-05T08:00:00.000Z' });
const endAt = field.dateTime({
  label: text('End', 'Koniec'),
  example: '2026-10-05T09:00:00.000Z',
});
const location = field.string({ label: text('Location', 'Miesto'), example: 'Štúrova 12, Košice', max: 255 });
const note = field.string({
  label: text('Note', 'Poznámka'),
  example: 'Bring the catalogue.',
  multiline: true,
});
const videoCallUrl = {
  label: text('Video Call URL', 'Odkaz na videohovor'),
  example: 'https://meet.example.com/product-presentation',
  max: 2048,
};
const texts = {
  type: text('Activity Type', 'Typ aktivity'),
  owner: text('Owner', 'Vlastník'),
  assignee: text('Assignee', 'Riešiteľ'),
  company: text('Company', 'Firma'),
  contact: text('Contact', 'Kontakt'),
  lead: text('Lead', 'Príležitosť'),
};
const companyId = field.reference('company', { label: texts.company });
const contactId = field.reference('contact', { label: texts.contact, dependsOn: 'company_id' });
const leadId = field.reference('lead', { label: texts.lead });
const typeId = field.reference('activity-type', { label: texts.type });
const assigneeId = field.reference('user', { label: texts.assignee });

export const activityLabel = text('Activity', 'Aktivita');

export const Activity = record(
  'Activity',
  { label: activityLabel },
  {
    id: idOf(exampleRef.activity),
    name,
    status,
    importance: importanceField,
    start_at: startAt.nullable(),
    end_at: endAt.nullable(),
    completed_at: field
      .dateTime({ label: text('Completed At', 'Dokončená'), example: '2026-10-05T09:05:00.000Z' })
      .nullable(),
    location: location.nullable(),
    note: note.nullable(),
    video_call_url: field.string({ ...videoCallUrl, opens: true }).nullable(),
    type: ref(texts.type, exampleRef.activityType).nullable(),
    owner: ref(texts.owner, exampleRef.user).nullable(),
    assignee: ref(texts.assignee, exampleRef.user).nullable(),
    company: ref(texts.company, exampleRef.company).nullable(),
    contact: ref(texts.contact, exampleRef.contact).nullable(),
    lead: ref(texts.lead, exampleRef.lead).nullable(),
    created_at: createdAt.nullable(),
    updated_at: updatedAt.nullable(),
    app_url: appUrlOf('activities', exampleRef.activity),
  },
);

/** How long an activity takes that names no end (rule activities 2). */
export const usualActivityMinutes = 30;

export const CreateActivity = body(
  'ActivityCreate',
  { label: activityLabel },
  {
    name,
    start_at: startAt,
    end_at: leftOut(
      endAt.nullish(),
      text(
        `${usualActivityMinutes} minutes after the start when not given.`,
        `Ak sa neuvedie, ${usualActivityMinutes} minút po začiatku.`,
      ),
    ),
    assignee_id: leftOut(
      assigneeId.nullish(),
      text(
        'Whoever the key or the connection belongs to when not given.',
        'Ak sa neuvedie, ten, komu patrí kľúč alebo pripojenie.',
      ),
    ),
    type_id: typeId.nullish(),
    company_id: companyId.nullish(),
    contact_id: contactId.nullish(),
    lead_id: leadId.nullish(),
    importance: importanceField.nullish(),
    location: location.nullish(),
    video_call_url: field.webUrl(videoCallUrl).nullish(),
    note: note.nullish(),
  },
);

export const UpdateActivity = describe(
  CreateActivity.partial().extend({
    start_at: startAt.nullish(),
    end_at: endAt.nullish(),
    assignee_id: assigneeId.nullish(),
    importance: importanceField.optional(),
  }),
  { label: activityLabel, id: 'ActivityUpdate' },
);

const common = { resource: 'activity', answer: Activity } as const;
const read = { ...common, method: 'GET', scope: 'activities:read', statuses: [200], errors: [] } as const;
const write = { ...common, scope: 'activities:write', shape: 'record' } as const;

export const activityOperations = {
  'activities.list': operation({
    ...read,
    id: 'activities.list',
    kind: 'list',
    path: '/activities',
    query: listQuery(
      {
        q: search(text('Part of the name.', 'Časť názvu.'), 'presentation'),
        status: status.optional(),
        company_id: companyId.optional(),
        contact_id: contactId.optional(),
        lead_id: leadId.optional(),
        owner_id: field.reference('user', { label: texts.owner }).optional(),
        assignee_id: field.reference('user', { label: texts.assignee }).optional(),
        type_id: typeId.optional(),
        start_after: field
          .dateTime({
            label: text('Starts After', 'Začína po'),
            help: text(
              'Only activities that start after this moment.',
              'Len aktivity, ktoré sa začínajú po tomto okamihu.',
            ),
            example: '2026-10-01T00:00:00.000Z',
          })
          .optional(),
        start_before: field
          .dateTime({
            label: text('Starts Before', 'Začína pred'),
            help: text(
              'Only activities that start before this moment.',
              'Len aktivity, ktoré sa začínajú pred týmto okamihom.',
            ),
            example: '2026-11-01T00:00:00.000Z',
          })
          .optional(),
      },
      ['start_at'],
    ),
    shape: 'list',
    title: text('List activities', 'Zoznam aktivít'),
    about: text('Meetings, calls and the like, page by page.', 'Stretnutia, hovory a podobne, po stránkach.'),
  }),
  'activities.create': operation({
    ...write,
    id: 'activities.create',
    kind: 'create',
    method: 'POST',
    path: '/activities',
    body: CreateActivity,
    statuses: [201],
    errors: [],
    emits: ['activity.created'],
    title: text('Create an activity', 'Vytvoriť aktivitu'),
    about: text('Plans a meeting, a call or the like.', 'Naplánuje stretnutie, hovor a podobne.'),
    instruction: 'Plan an activity: a meeting, a call or something else that has a time.',
    when: 'Use it for what has a time, when nothing that fits exists yet. What only has to be done is a task.',
  }),
  'activities.get': operation({
    ...read,
    id: 'activities.get',
    kind: 'get',
    path: '/activities/{id}',
    shape: 'record',
    title: text('Get an activity', 'Zobraziť aktivitu'),
    about: text('One activity.', 'Jedna aktivita.'),
  }),
  'activities.update': operation({
    ...write,
    id: 'activities.update',
    kind: 'update',
    method: 'PATCH',
    path: '/activities/{id}',
    body: UpdateActivity,
    statuses: [200],
    errors: [],
    title: text('Update an activity', 'Upraviť aktivitu'),
    about: text(
      'Changes the fields that are sent; null clears a field.',
      'Zmení poslané polia; null pole vyprázdni.',
    ),
  }),
  'activities.complete': operation({
    ...write,
    id: 'activities.complete',
    kind: 'action',
    method: 'POST',
    path: '/activities/{id}/complete',
    statuses: [200],
    errors: ['CONFLICT'],
    emits: ['activity.completed'],
    title: text('Complete an activity', 'Dokončiť aktivitu'),
    about: text(
      'Closes an open activity; a closed one stays as it is.',
      'Uzavrie otvorenú aktivitu; uzavretá ostane.',
    ),
    instruction: 'Close an open activity. A closed one stays as it is.',
    when: 'Use it when it has taken place.',
    step: { label: text('Complete', 'Dokončiť'), asks: false },
  }),
};

export const activityConsoleOperations = {
  'activities.cancel': consoleOperation({
    ...common,
    id: 'activities.cancel',
    kind: 'action',
    method: 'POST',
    path: '/activities/{id}/cancel',
    permissions: ['activities.edit'],
    shape: 'record',
    errors: ['CONFLICT'],
    emits: ['activity.cancelled'],
    title: text('Cancel an activity', 'Zrušiť aktivitu'),
    about: text(
      'The activity will not take place. It stays in the list, and cannot be opened again.',
      'Aktivita sa neuskutoční. Zostane v zozname a nedá sa znova otvoriť.',
    ),
    destructive: true,
    step: { label: text('Cancel', 'Zrušiť'), asks: true },
  }),
};

const told = {
  entity: 'activity',
  scope: 'activities:read',
  filters: { status: 'status', type_id: 'type.id', owner_id: 'owner.id', assignee_id: 'assignee.id' },
} as const;

const events = {
  'activity.created': {
    ...told,
    category: 'created',
    label: text('Activity created', 'Aktivita vytvorená'),
    description: text('An activity was planned.', 'Bola naplánovaná aktivita.'),
  },
  'activity.completed': {
    ...told,
    category: 'status',
    leaves: { status: 'closed' },
    label: text('Activity completed', 'Aktivita dokončená'),
    description: text('An activity was completed.', 'Aktivita bola dokončená.'),
    sample: {
      status: 'closed',
      start_at: '2026-10-01T12:00:00.000Z',
      end_at: '2026-10-01T13:00:00.000Z',
      completed_at: sampleMoment,
    },
  },
  'activity.cancelled': {
    ...told,
    category: 'status',
    leaves: { status: 'canceled' },
    label: text('Activity cancelled', 'Aktivita zrušená'),
    description: text('An activity was cancelled.', 'Aktivita bola zrušená.'),
    sample: { status: 'canceled' },
  },
} as const satisfies Record<string, EventDeclaration>;

export const activity = {
  label: activityLabel,
  plural: text('Activities', 'Aktivity'),
  schema: Activity,
  kind: 'record',
  brief: ['id', 'name', 'status', 'start_at', 'end_at', 'assignee', 'company', 'contact', 'lead', 'app_url'],
  collection: 'activities',
  example: exampleRef.activity,
  reference: { list: 'activities.list', get: 'activities.get', apart: ['company.name', 'start_at'] },
  scope: 'activities:read',
  permission: 'activities.view',
  toolSet: 'work',
  operations: activityOperations,
  consoleOperations: activityConsoleOperations,
  events,
  calm: { completed_at: null },
} as const satisfies RecordDeclaration;
