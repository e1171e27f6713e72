import type { EventDeclaration } from '../event.ts';
import { describe, descriptionOf } from '../field.ts';
import { listQuery, search } from '../list-query.ts';
import { operation } from '../operation.ts';
import type { RecordDeclaration } from '../resource.ts';
import * as field from '../scalars.ts';
import {
  appUrlOf,
  body,
  companySummary,
  createdAt,
  exampleRef,
  idOf,
  matchBy,
  record,
  ref,
  updatedAt,
  upserted,
  upserting,
} from '../shapes.ts';
import { text } from '../text.ts';

const companyText = text('Company', 'Firma');
const ownerText = text('Owner', 'Vlastník');
const note = field.string({
  label: text('Note', 'Poznámka'),
  example: 'Invoices by e-mail only.',
  multiline: true,
});
const referenceCode = field.string({
  label: text('Reference Code', 'Kód referencie'),
  example: 'C-2026-014',
  max: 100,
});
const referenceName = field.string({
  label: text('Reference Name', 'Názov referencie'),
  example: 'Framework agreement',
  max: 255,
});
const referenceValidUntil = field.date({
  label: text('Reference Valid Until', 'Referencia platí do'),
  example: '2027-12-31',
});
const companyId = field.reference('company', { label: companyText });
const ownerId = field.reference('user', { label: ownerText });

const companyDescription = descriptionOf(companySummary) ?? { label: companyText };

export const clientLabel = text('Client', 'Klient');

export const Client = record(
  'Client',
  { label: clientLabel },
  {
    id: idOf(exampleRef.client),
    company: describe(companySummary.nullable(), { ...companyDescription, namesRecord: true }),
    owner: ref(ownerText, exampleRef.user).nullable(),
    note: note.nullable(),
    reference_code: referenceCode.nullable(),
    reference_name: referenceName.nullable(),
    reference_valid_until: referenceValidUntil.nullable(),
    created_at: createdAt.nullable(),
    updated_at: updatedAt.nullable(),
    app_url: appUrlOf('clients', exampleRef.client),
  },
);

export const CreateClient = body(
  'ClientCreate',
  { label: clientLabel },
  {
    company_id: companyId,
    owner_id: ownerId.nullish(),
    note: note.nullish(),
    reference_code: referenceCode.nullish(),
    reference_name: referenceName.nullish(),
    reference_valid_until: referenceValidUntil.nullish(),
  },
);

export const UpdateClient = describe(CreateClient.partial(), { label: clientLabel, id: 'ClientUpdate' });

const common = { resource: 'client', answer: Client } as const;
const read = { ...common, method: 'GET', scope: 'clients:read', statuses: [200], errors: [] } as const;
const write = { ...common, scope: 'clients:write', shape: 'record', errors: ['CONFLICT'] } as const;

export const clientOperations = {
  'clients.list': operation({
    ...read,
    id: 'clients.list',
    kind: 'list',
    path: '/clients',
    query: listQuery({
      q: search(
        text("Part of the company's name or of the reference.", 'Časť názvu firmy alebo referencie.'),
        'tatra',
      ),
      company_id: companyId.optional(),
      owner_id: ownerId.optional(),
      reference_code: referenceCode.optional(),
    }),
    shape: 'list',
    title: text('List clients', 'Zoznam klientov'),
    about: text('Clients of the organization, page by page.', 'Klienti organizácie po stránkach.'),
  }),
  'clients.create': operation({
    ...write,
    id: 'clients.create',
    kind: 'create',
    method: 'POST',
    path: '/clients',
    body: CreateClient,
    statuses: [201],
    emits: ['client.created'],
    title: text('Create a client', 'Vytvoriť klienta'),
    about: text(
      'Makes a company a client. A company is a client once.',
      'Urobí z firmy klienta. Firma je klientom raz.',
    ),
    instruction: 'Make a company a client. A company is a client once.',
  }),
  'clients.get': operation({
    ...read,
    id: 'clients.get',
    kind: 'get',
    path: '/clients/{id}',
    shape: 'record',
    title: text('Get a client', 'Zobraziť klienta'),
    about: text('One client.', 'Jeden klient.'),
  }),
  'clients.update': operation({
    ...write,
    id: 'clients.update',
    kind: 'update',
    method: 'PATCH',
    path: '/clients/{id}',
    body: UpdateClient,
    statuses: [200],
    emits: ['client.updated'],
    title: text('Update a client', 'Upraviť klienta'),
    about: text(
      'Changes the fields that are sent; null clears a field.',
      'Zmení poslané polia; null pole vyprázdni.',
    ),
  }),
};

export const UpsertClient = describe(
  CreateClient.partial().extend({
    company_id: field.reference('company', { label: companyText, inExamples: true }).optional(),
    match_by: matchBy(
      { company_id: text('Company', 'Firma'), reference_code: text('Reference Code', 'Kód referencie') },
      'reference_code',
    ),
  }),
  { label: clientLabel, id: 'ClientUpsert' },
);

const UpsertedClient = record('UpsertedClient', { label: clientLabel }, { ...Client.shape, upserted });

export const clientUpsertOperations = {
  'clients.upsert': operation({
    ...upserting,
    id: 'clients.upsert',
    resource: 'client',
    path: '/clients/upsert',
    scope: 'clients:write',
    alsoScope: 'clients:read',
    body: UpsertClient,
    answer: UpsertedClient,
    emits: ['client.created', 'client.updated'],
    title: text('Create or update a client', 'Vytvoriť alebo upraviť klienta'),
    instruction:
      'Make a company a client, or update the client that is found by the field named in match_by. The other fields stay as they are.',
  }),
};

const told = { entity: 'client', scope: 'clients:read', filters: { owner_id: 'owner.id' } } as const;

const events = {
  'client.created': {
    ...told,
    category: 'created',
    label: text('Client created', 'Klient vytvorený'),
    description: text('A company was made a client.', 'Z firmy sa stal klient.'),
  },
  'client.updated': {
    ...told,
    category: 'updated',
    label: text('Client updated', 'Klient zmenený'),
    description: text('Fields of a client were changed.', 'Zmenili sa polia klienta.'),
  },
} as const satisfies Record<string, EventDeclaration>;

export const client = {
  label: clientLabel,
  plural: text('Clients', 'Klienti'),
  schema: Client,
  kind: 'record',
  collection: 'clients',
  example: exampleRef.client,
  reference: {
    list: 'clients.list',
    get: 'clients.get',
    names: ['company.name'],
    known: ['reference_code'],
  },
  scope: 'clients:read',
  permission: 'clients.view',
  toolSet: 'sales',
  operations: { ...clientOperations, ...clientUpsertOperations },
  events,
} as const satisfies RecordDeclaration;
