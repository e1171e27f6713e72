import * as z from 'zod';
import type { EventDeclaration } from '../event.ts';
import { describe, leftOut } from '../field.ts';
import { limits } from '../limits.ts';
import { listQuery, search } from '../list-query.ts';
import { consoleOperation, operation } from '../operation.ts';
import type { RecordDeclaration } from '../resource.ts';
import * as field from '../scalars.ts';
import {
  address,
  appUrlOf,
  body,
  createdAt,
  exampleRef,
  idOf,
  matchBy,
  record,
  ref,
  tagChanges,
  tagNames,
  tagsToSet,
  tellsWebhooks,
  updatedAt,
  upserted,
  upserting,
} from '../shapes.ts';
import { text } from '../text.ts';
import { Contact } from './contacts.ts';

const name = field.name({ label: text('Name', 'Názov'), example: exampleRef.company.name, max: 255 });
const countryCode = field.countryCode({
  label: text('Country', 'Krajina'),
  help: text('Two-letter code (ISO 3166-1).', 'Dvojpísmenový kód (ISO 3166-1).'),
  example: 'SK',
});
const email = field.email({ label: text('Email', 'E-mail'), example: 'info@tatrabikes.example' });
const phone = field.string({ label: text('Phone', 'Telefón'), example: '+421 55 123 45 67', max: 50 });
/** By what registers and tax offices know a business. */
export const registrationId = field.string({
  label: text('Registration ID', 'IČO'),
  help: text('Number in the business register.', 'Číslo v obchodnom registri.'),
  example: '36123456',
  max: 20,
});
export const taxId = field.string({ label: text('Tax ID', 'DIČ'), example: '2020123456', max: 20 });
export const vatId = field.string({ label: text('VAT ID', 'IČ DPH'), example: 'SK2020123456', max: 20 });
const note = field.string({
  label: text('Note', 'Poznámka'),
  example: 'Prefers calls in the morning.',
  multiline: true,
});
const ownerLabel = text('Owner', 'Vlastník');
const { street, city, postal_code: postalCode } = address.shape;

const customFields = describe(z.record(z.string(), z.string()), {
  label: text('Custom Fields', 'Vlastné polia'),
  help: text('Values by the name of the field, as text.', 'Hodnoty podľa názvu poľa, ako text.'),
  example: { Segment: 'Retail' },
  keysOf: 'custom-field',
});

/** The values of custom fields as programs write them; which fields there are, the organization decides. */
const customValue = field.string({
  label: text('Value', 'Hodnota'),
  example: 'Retail',
  max: limits.customFieldLength,
});
const customValues = field.dictionary(customValue.nullable(), {
  label: text('Custom Fields', 'Vlastné polia'),
  help: text(
    'Values by the name of the field, as text: a decimal number, a date as YYYY-MM-DD, true or false, a choice. A field that is absent stays, null clears it.',
    'Hodnoty podľa názvu poľa, ako text: desatinné číslo, dátum v tvare RRRR-MM-DD, true alebo false, jedna z volieb. Neuvedené pole zostáva, null ho vyprázdni.',
  ),
  example: { Segment: 'Retail' },
  keysOf: 'custom-field',
  leftOutOf: 'console',
});

const listed = {
  id: idOf(exampleRef.company),
  name,
  address,
  country_code: countryCode.nullable(),
  email: email.nullable(),
  phone: phone.nullable(),
  registration_id: registrationId.nullable(),
  tax_id: taxId.nullable(),
  vat_id: vatId.nullable(),
  note: note.nullable(),
  owner: ref(ownerLabel, exampleRef.user).nullable(),
  tags: tagNames,
  custom_fields: customFields,
};
const stamps = {
  created_at: createdAt.nullable(),
  updated_at: updatedAt.nullable(),
  app_url: appUrlOf('companies', exampleRef.company),
};

export const companyLabel = text('Company', 'Firma');

/** A company as lists show it. */
export const CompanyItem = record('CompanyItem', { label: companyLabel }, { ...listed, ...stamps });

/** A company as GET, create, update and events show it: with its contacts. */
export const Company = record(
  'Company',
  { label: companyLabel },
  {
    ...listed,
    contacts: field.list(Contact, { label: text('Contacts', 'Kontakty') }),
    ...stamps,
  },
);

export const CreateCompany = body(
  'CompanyCreate',
  { label: companyLabel },
  {
    name,
    email: email.nullish(),
    phone: phone.nullish(),
    street: street.optional(),
    city: city.optional(),
    postal_code: postalCode.optional(),
    country_code: leftOut(
      countryCode.nullish(),
      text(
        'The country of the organization when not given.',
        'Ak sa neuvedie, použije sa krajina organizácie.',
      ),
    ),
    registration_id: registrationId.nullish(),
    tax_id: taxId.nullish(),
    vat_id: vatId.nullish(),
    owner_id: field.reference('user', { label: ownerLabel }).nullish(),
    note: note.nullish(),
    tags: tagsToSet.nullish(),
    custom_fields: customValues.nullish(),
  },
);

export const UpdateCompany = describe(
  CreateCompany.partial().extend({
    country_code: countryCode.nullish(),
    tags: tagsToSet.optional(),
    ...tagChanges,
    custom_fields: customValues.optional(),
  }),
  { label: companyLabel, id: 'CompanyUpdate' },
);

export const UpsertCompany = describe(
  CreateCompany.partial().extend({
    match_by: matchBy(
      {
        registration_id: text('Registration ID', 'IČO'),
        tax_id: text('Tax ID', 'DIČ'),
        vat_id: text('VAT ID', 'IČ DPH'),
        email: text('Email', 'E-mail'),
        name: text('Name', 'Názov'),
      },
      'registration_id',
    ),
  }),
  { label: companyLabel, id: 'CompanyUpsert' },
);

const UpsertedCompany = record('UpsertedCompany', { label: companyLabel }, { ...Company.shape, upserted });

export const companyOperations = {
  'companies.list': operation({
    id: 'companies.list',
    resource: 'company',
    kind: 'list',
    method: 'GET',
    path: '/companies',
    scope: 'companies:read',
    query: listQuery(
      {
        q: search(text('Part of the name or of the registration ID.', 'Časť názvu alebo IČO.'), 'tatra'),
        email: email.optional(),
        registration_id: registrationId.optional(),
        tax_id: taxId.optional(),
        vat_id: vatId.optional(),
        country_code: countryCode.optional(),
        owner_id: field.reference('user', { label: ownerLabel }).optional(),
        tag: tagNames.element.optional(),
        custom_field: field
          .dictionary(customValue, {
            label: text('Custom Field', 'Vlastné pole'),
            help: text(
              'Companies with this value in the field of this name: custom_field[Segment]=Retail. Several fields must all fit.',
              'Firmy s touto hodnotou v poli s týmto názvom: custom_field[Segment]=Retail. Viaceré polia musia platiť naraz.',
            ),
            example: { Segment: 'Retail' },
            keysOf: 'custom-field',
            leftOutOf: 'console',
          })
          .optional(),
      },
      ['name'],
    ),
    answer: CompanyItem,
    shape: 'list',
    statuses: [200],
    errors: [],
    title: text('List companies', 'Zoznam firiem'),
    about: text('Companies of the organization, page by page.', 'Firmy organizácie po stránkach.'),
  }),
  'companies.create': operation({
    id: 'companies.create',
    resource: 'company',
    kind: 'create',
    method: 'POST',
    path: '/companies',
    scope: 'companies:write',
    body: CreateCompany,
    answer: Company,
    shape: 'record',
    statuses: [201],
    errors: [],
    emits: ['company.created'],
    title: text('Create a company', 'Vytvoriť firmu'),
    about: text(
      'Adds a company. Nothing is matched: look for an existing one first.',
      'Pridá firmu. Nič sa nepáruje: existujúcu firmu najprv vyhľadajte.',
    ),
    instruction: 'Add a company. Nothing is matched: look for an existing one first.',
  }),
  'companies.get': operation({
    id: 'companies.get',
    resource: 'company',
    kind: 'get',
    method: 'GET',
    path: '/companies/{id}',
    scope: 'companies:read',
    answer: Company,
    shape: 'record',
    statuses: [200],
    errors: [],
    title: text('Get a company', 'Zobraziť firmu'),
    about: text('One company with its contacts.', 'Jedna firma aj s kontaktmi.'),
  }),
  'companies.update': operation({
    id: 'companies.update',
    resource: 'company',
    kind: 'update',
    method: 'PATCH',
    path: '/companies/{id}',
    scope: 'companies:write',
    body: UpdateCompany,
    answer: Company,
    shape: 'record',
    statuses: [200],
    errors: ['CONFLICT'],
    emits: ['company.updated'],
    title: text('Update a company', 'Upraviť firmu'),
    about: text(
      'Changes the fields that are sent; null clears a field.',
      'Zmení poslané polia; null pole vyprázdni.',
    ),
  }),
};

export const companyUpsertOperations = {
  'companies.upsert': operation({
    ...upserting,
    id: 'companies.upsert',
    resource: 'company',
    path: '/companies/upsert',
    scope: 'companies:write',
    alsoScope: 'companies:read',
    body: UpsertCompany,
    answer: UpsertedCompany,
    emits: ['company.created', 'company.updated'],
    title: text('Create or update a company', 'Vytvoriť alebo upraviť firmu'),
    instruction:
      'Create a company, or update the one that is found by the field named in match_by. The other fields stay as they are.',
  }),
};

export const companyConsoleOperations = {
  'companies.labels': consoleOperation({
    id: 'companies.labels',
    resource: 'company',
    kind: 'update',
    method: 'POST',
    path: '/companies/{id}/labels',
    permissions: ['companies.edit'],
    body: body(
      'CompanyLabels',
      { label: companyLabel },
      { tags: tagNames.optional(), custom_fields: customFields.optional() },
    ),
    answer: Company,
    shape: 'record',
    errors: ['CONFLICT'],
    emits: ['company.updated'],
    title: text('Edit the tags and custom fields of a company', 'Upraviť štítky a vlastné polia firmy'),
    about: tellsWebhooks,
    step: {
      label: text('Tags and custom fields', 'Štítky a vlastné polia'),
      asks: true,
      begins: ({ tags, custom_fields }) => ({ tags, custom_fields }),
    },
  }),
};

const told = {
  entity: 'company',
  scope: 'companies:read',
  filters: { owner_id: 'owner.id', tag: 'tags[]' },
} as const;

const events = {
  'company.created': {
    ...told,
    category: 'created',
    label: text('Company created', 'Firma vytvorená'),
    description: text('A company was created.', 'Bola vytvorená firma.'),
  },
  'company.updated': {
    ...told,
    category: 'updated',
    namedBeside: ['contacts'],
    label: text('Company updated', 'Firma zmenená'),
    description: text('Fields of a company were changed.', 'Zmenili sa polia firmy.'),
  },
} as const satisfies Record<string, EventDeclaration>;

export const company = {
  label: companyLabel,
  plural: text('Companies', 'Firmy'),
  schema: Company,
  kind: 'record',
  brief: [
    'id',
    'name',
    'email',
    'phone',
    'registration_id',
    'owner',
    'tags',
    'custom_fields',
    'updated_at',
    'app_url',
  ],
  collection: 'companies',
  example: exampleRef.company,
  reference: {
    list: 'companies.list',
    get: 'companies.get',
    apart: ['email'],
    known: ['email', 'registration_id', 'tax_id', 'vat_id'],
  },
  scope: 'companies:read',
  permission: 'companies.view',
  toolSet: 'sales',
  operations: { ...companyOperations, ...companyUpsertOperations },
  consoleOperations: companyConsoleOperations,
  events,
} as const satisfies RecordDeclaration;
