import {
  type Company,
  type CompanyItem,
  type Contact,
  type countryCodes,
  type EveryOperation,
  operations,
  type QueryOf,
  resources,
} from '@dealkeep/contract';
import { mostRecordBytes } from '../../change/events/outbox.ts';
import { countRecords, listRecords, recordList } from '../../change/paging/list-page.ts';
import { contains, hasEmail } from '../../change/paging/search.ts';
import {
  defineRecord,
  itsOrganization,
  json,
  moment,
  oneOf,
  type RowOf,
  type ShownWith,
  text,
  uuid,
  uuids,
} from '../../change/record-tables/define-record.ts';
import { type ReadContext, reads } from '../../change/verb/verb.ts';
import { named } from '../../identity/reference-data/reference-data.ts';
import { contacts } from '../contacts/record.ts';
import { customValueFilters } from './custom-values.ts';

const columns = {
  id: uuid,
  name: text,
  street: text.orNull,
  city: text.orNull,
  postal_code: text.orNull,
  country_code: oneOf<(typeof countryCodes)[number]>().orNull,
  email: text.orNull,
  phone: text.orNull,
  registration_id: text.orNull,
  tax_id: text.orNull,
  vat_id: text.orNull,
  note: text.orNull,
  owner_id: uuid.orNull,
  tag_ids: uuids,
  /** Values as text by the id of the custom field. */
  custom_fields: json<Readonly<Record<string, string>>>(),
  created_at: moment,
  updated_at: moment,
};

const itemShown = (row: RowOf<typeof columns>, { referenceData, core }: ShownWith) => ({
  address: { street: row.street, city: row.city, postal_code: row.postal_code },
  owner: named(referenceData.users, row.owner_id),
  tags: row.tag_ids.flatMap((id) => referenceData.tags.get(id)?.name ?? []),
  custom_fields: Object.fromEntries(
    [...referenceData.customFields.values()].flatMap(({ id, name }) => {
      const value = row.custom_fields[id];
      return value === undefined ? [] : [[name, value]];
    }),
  ),
  app_url: `${core.origin}/companies/${row.id}`,
});

/** Companies as lists show them. */
export const companyItems = defineRecord({
  schema: operations['companies.list'].answer,
  table: 'companies',
  alias: 'c',
  columns,
  searched: {
    texts: ['name', 'registration_id'],
    identifiers: ['registration_id', 'tax_id', 'vat_id', 'email'],
    phones: ['phone'],
    subtitle: `concat_ws(' · ', c.registration_id, c.city)`,
  },
  shown: itemShown,
});

/**
 * A company's contacts, oldest first, up to the bytes of a record. They are packed without the company's name, which
 * may be changing: `shown` gives them the one that the company has now.
 */
const contactsOfCompany = `(
  select json_agg(packed order by created_at, id) from (
    select t.created_at, t.id, packed,
           sum(octet_length(packed::text)) over (order by t.created_at, t.id) - octet_length(packed::text) as before
    from (select * from contacts where organization_id = ${itsOrganization} and company_id = c.id) t,
         (select '' as name) c, lateral (select ${contacts.expression} as packed offset 0) one) of_company
  where before < ${mostRecordBytes})`;

/** Companies as GET, create, update and events show them: with their contacts. */
export const companies = defineRecord({
  schema: resources.company.schema,
  table: 'companies',
  alias: 'c',
  columns,
  joined: { contacts: json<readonly (readonly unknown[])[]>().orNull.from(contactsOfCompany) },
  shown: (row, from) =>
    withContacts(
      companyItems.record(row, from),
      (row.contacts ?? []).map((packed) =>
        contacts.record(
          { ...contacts.unpackValues(packed, from.referenceData.version), company_name: row.name },
          from,
        ),
      ),
    ),
});

/**
 * The company with the first of its contacts, as many as leave it small enough to be sent; their list has them all.
 */
export function withContacts(company: CompanyItem, all: readonly Contact[]): Company {
  let left = all.length === 0 ? 0 : mostRecordBytes - sizeOf({ ...company, contacts: [] });
  const over = all.findIndex((contact) => {
    left -= sizeOf(contact) + 1;
    return left < 0;
  });
  return { ...company, contacts: over === -1 ? [...all] : all.slice(0, over) };
}

const sizeOf = (value: object): number => Buffer.byteLength(JSON.stringify(value));

export const getCompany = reads('companies.get', (context, { path }) => companies.get(context, path.id));

const companyList = async (context: ReadContext, query: QueryOf<EveryOperation['companies.list']>) => {
  const { sql, organization } = context;
  const valued =
    query.custom_field && customValueFilters(sql, await context.referenceData(), query.custom_field);
  return recordList({
    id: 'companies.list',
    record: companyItems,
    sorts: { name: { column: 'name', type: 'text' } },
    filters: {
      q: (text) => contains(sql, text, ...companyItems.searchedTexts),
      email: (email) => hasEmail(context, companies, 'email', email),
      registration_id: (value) => sql`c.registration_id = ${value}`,
      tax_id: (value) => sql`c.tax_id = ${value}`,
      vat_id: (value) => sql`c.vat_id = ${value}`,
      country_code: (value) => sql`c.country_code = ${value}`,
      owner_id: (value) => sql`c.owner_id = ${value}`,
      tag: (name) => sql`c.tag_ids && (
        select array_agg(id) from tags where organization_id = ${organization} and name = ${name})`,
      custom_field: () => valued ?? sql`true`,
    },
    items: (rows) => companyItems.records(context, rows),
  });
};

export const listCompanies = reads('companies.list', async (context, { query }) =>
  listRecords(context, query, await companyList(context, query)),
);

export const countCompanies = reads('companies.count', async (context, { query }) =>
  countRecords(context, query, await companyList(context, query)),
);
