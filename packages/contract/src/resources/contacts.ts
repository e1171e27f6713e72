import type { EventDeclaration } from '../event.ts';
import { describe } from '../field.ts';
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
  matchBy,
  record,
  ref,
  updatedAt,
  upserted,
  upserting,
} from '../shapes.ts';
import { text } from '../text.ts';

const name = field.name({ label: text('Name', 'Meno'), example: exampleRef.contact.name, max: 255 });
const email = field.email({ label: text('Email', 'E-mail'), example: 'peter.novak@tatrabikes.example' });
const phone = field.string({ label: text('Phone', 'Telefón'), example: '+421 905 123 456', max: 50 });
const position = field.string({ label: text('Position', 'Pozícia'), example: 'Purchasing manager' });
const isPrimary = field.boolean({
  label: text('Primary Contact', 'Hlavný kontakt'),
  help: text(
    'A company has one primary contact: a new one replaces the old.',
    'Firma má jeden hlavný kontakt: nový nahradí pôvodný.',
  ),
  example: true,
});
const note = field.string({
  label: text('Note', 'Poznámka'),
  example: 'Met at the Nitra fair.',
  max: 1000,
  multiline: true,
});
const companyText = text('Company', 'Firma');

export const contactLabel = text('Contact', 'Kontakt');

export const Contact = record(
  'Contact',
  { label: contactLabel },
  {
    id: idOf(exampleRef.contact),
    name,
    company: ref(companyText, exampleRef.company).nullable(),
    email: email.nullable(),
    emails: field.list(email, {
      label: text('Emails', 'E-maily'),
      example: ['peter.novak@tatrabikes.example', 'novak@home.example'],
    }),
    phone: phone.nullable(),
    phones: field.list(phone, {
      label: text('Phones', 'Telefóny'),
      example: ['+421 905 123 456'],
    }),
    position: position.nullable(),
    is_primary: isPrimary,
    note: note.nullable(),
    created_at: createdAt.nullable(),
    updated_at: updatedAt.nullable(),
    app_url: appUrlOf('contacts', exampleRef.contact),
  },
);

/** What only the console edits of a contact (rule contacts 3). */
const ContactAddresses = body(
  'ContactAddresses',
  { label: contactLabel },
  {
    further_emails: field.list(email, {
      label: text('Further E-mails', 'Ďalšie e-maily'),
      help: text('One on each line.', 'Každý na samostatnom riadku.'),
      max: 20,
    }),
    further_phones: field.list(phone, {
      label: text('Further Phones', 'Ďalšie telefóny'),
      help: text('One on each line.', 'Každý na samostatnom riadku.'),
      max: 20,
    }),
  },
);

export const CreateContact = body(
  'ContactCreate',
  { label: contactLabel },
  {
    company_id: field.reference('company', { label: companyText }),
    name,
    email: email.nullish(),
    phone: phone.nullish(),
    position: position.nullish(),
    is_primary: isPrimary.nullish(),
    note: note.nullish(),
  },
);

export const UpdateContact = describe(CreateContact.partial().extend({ is_primary: isPrimary.optional() }), {
  label: contactLabel,
  id: 'ContactUpdate',
});

export const UpsertContact = describe(
  CreateContact.partial().extend({
    company_id: field.reference('company', { label: companyText, inExamples: true }).optional(),
    match_by: matchBy({ email: text('Email', 'E-mail'), phone: text('Phone', 'Telefón') }, 'email'),
  }),
  {
    label: contactLabel,
    id: 'ContactUpsert',
    help: text(
      'It is looked for within the company when company_id is given, otherwise in the whole organization.',
      'Hľadá sa v rámci firmy, ak je uvedené company_id, inak v celej organizácii.',
    ),
  },
);

const UpsertedContact = record('UpsertedContact', { label: contactLabel }, { ...Contact.shape, upserted });

export const contactOperations = {
  'contacts.list': operation({
    id: 'contacts.list',
    resource: 'contact',
    kind: 'list',
    method: 'GET',
    path: '/contacts',
    scope: 'companies:read',
    query: listQuery(
      {
        q: search(text('Part of the name, e-mail or phone.', 'Časť mena, e-mailu alebo telefónu.'), 'novák'),
        email: email.optional(),
        phone: phone.optional(),
        company_id: field.reference('company', { label: companyText }).optional(),
        is_primary: isPrimary.optional(),
      },
      ['name'],
    ),
    answer: Contact,
    shape: 'list',
    statuses: [200],
    errors: [],
    title: text('List contacts', 'Zoznam kontaktov'),
    about: text('Contacts of all companies, page by page.', 'Kontakty všetkých firiem po stránkach.'),
  }),
  'contacts.create': operation({
    id: 'contacts.create',
    resource: 'contact',
    kind: 'create',
    method: 'POST',
    path: '/contacts',
    scope: 'companies:write',
    body: CreateContact,
    answer: Contact,
    shape: 'record',
    statuses: [201],
    errors: [],
    emits: ['contact.created', 'contact.updated'],
    title: text('Create a contact', 'Vytvoriť kontakt'),
    about: text('Adds a person to a company.', 'Pridá osobu k firme.'),
    instruction: 'Add a contact: a person of a company.',
  }),
  'contacts.get': operation({
    id: 'contacts.get',
    resource: 'contact',
    kind: 'get',
    method: 'GET',
    path: '/contacts/{id}',
    scope: 'companies:read',
    answer: Contact,
    shape: 'record',
    statuses: [200],
    errors: [],
    title: text('Get a contact', 'Zobraziť kontakt'),
    about: text('One contact.', 'Jeden kontakt.'),
  }),
  'contacts.update': operation({
    id: 'contacts.update',
    resource: 'contact',
    kind: 'update',
    method: 'PATCH',
    path: '/contacts/{id}',
    scope: 'companies:write',
    body: UpdateContact,
    answer: Contact,
    shape: 'record',
    statuses: [200],
    errors: ['CONFLICT'],
    emits: ['contact.updated'],
    title: text('Update a contact', 'Upraviť kontakt'),
    about: text(
      'Changes the fields that are sent; null clears a field.',
      'Zmení poslané polia; null pole vyprázdni.',
    ),
  }),
};

export const contactUpsertOperations = {
  'contacts.upsert': operation({
    ...upserting,
    id: 'contacts.upsert',
    resource: 'contact',
    path: '/contacts/upsert',
    scope: 'companies:write',
    alsoScope: 'companies:read',
    body: UpsertContact,
    answer: UpsertedContact,
    emits: ['contact.created', 'contact.updated'],
    title: text('Create or update a contact', 'Vytvoriť alebo upraviť kontakt'),
    instruction:
      'Create a contact of a company, or update the one that is found by the field named in match_by. The other fields stay as they are.',
  }),
};

export const contactConsoleOperations = {
  'contacts.addresses': consoleOperation({
    id: 'contacts.addresses',
    resource: 'contact',
    kind: 'update',
    method: 'POST',
    path: '/contacts/{id}/addresses',
    permissions: ['companies.edit'],
    body: ContactAddresses,
    answer: Contact,
    shape: 'record',
    errors: ['CONFLICT'],
    emits: ['contact.updated'],
    title: text('Edit the further addresses of a contact', 'Upraviť ďalšie adresy kontaktu'),
    about: text('Those besides the first ones.', 'Tie, ktoré sú popri prvých.'),
    step: {
      label: text('Further e-mails and phones', 'Ďalšie e-maily a telefóny'),
      asks: true,
      begins: ({ email, emails, phone, phones }) => ({
        further_emails: Array.isArray(emails) ? emails.slice(email === null ? 0 : 1) : [],
        further_phones: Array.isArray(phones) ? phones.slice(phone === null ? 0 : 1) : [],
      }),
    },
  }),
};

const told = { entity: 'contact', scope: 'companies:read' } as const;

const events = {
  'contact.created': {
    ...told,
    category: 'created',
    label: text('Contact created', 'Kontakt vytvorený'),
    description: text('A contact was created.', 'Bol vytvorený kontakt.'),
  },
  'contact.updated': {
    ...told,
    category: 'updated',
    label: text('Contact updated', 'Kontakt zmenený'),
    description: text('Fields of a contact were changed.', 'Zmenili sa polia kontaktu.'),
  },
} as const satisfies Record<string, EventDeclaration>;

export const contact = {
  label: contactLabel,
  plural: text('Contacts', 'Kontakty'),
  schema: Contact,
  kind: 'record',
  brief: [
    'id',
    'name',
    'company',
    'email',
    'phone',
    'position',
    'is_primary',
    'note',
    'updated_at',
    'app_url',
  ],
  collection: 'contacts',
  example: exampleRef.contact,
  reference: {
    list: 'contacts.list',
    get: 'contacts.get',
    parent: 'company_id',
    apart: ['email', 'company.name'],
    known: ['email'],
  },
  scope: 'companies:read',
  permission: 'companies.view',
  toolSet: 'sales',
  operations: { ...contactOperations, ...contactUpsertOperations },
  consoleOperations: contactConsoleOperations,
  events,
} as const satisfies RecordDeclaration;
