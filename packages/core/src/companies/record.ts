import type { Company, CompanyItem, Contact, countryCodes } from '@dealkeep/contract';
import { type ContactRow, contactRecord, contactRows } from '../contacts/record.ts';
import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { type Directory, named } from '../directory/directory.ts';
import { mostRecordBytes } from '../events/event-book.ts';
import { fittingRows, textBytes } from '../paging/cursor.ts';
import { containsPattern, listPage } from '../paging/list-page.ts';
import { notFound } from '../problem.ts';
import { reads, type Scope } from '../verb/verb.ts';

interface CompanyRow {
  id: string;
  name: string;
  street: string | null;
  city: string | null;
  postal_code: string | null;
  country_code: (typeof countryCodes)[number] | null;
  email: string | null;
  phone: string | null;
  registration_id: string | null;
  tax_id: string | null;
  vat_id: string | null;
  note: string | null;
  owner_id: string | null;
  tag_ids: string[];
  custom_fields: Record<string, string>;
  created_at: string;
  updated_at: string;
  directory_version: number;
  sort_value: string | null;
}

/** Rows of companies (alias `c`) with what their records need. */
const companyRows = (sql: Statements, rest: Fragment, sortValue: Fragment = sql`null`) =>
  sql<CompanyRow[]>`
    select c.id, c.name, c.street, c.city, c.postal_code, c.country_code, c.email, c.phone, c.registration_id, c.tax_id,
           c.vat_id, c.note, c.owner_id, c.tag_ids, c.custom_fields, c.created_at, c.updated_at,
           o.directory_version, ${sortValue} as sort_value
    from companies c join organizations o on o.id = c.organization_id
    where ${rest}`;

function companyHead(row: CompanyRow, directory: Directory) {
  return {
    id: row.id,
    name: row.name,
    address: { street: row.street, city: row.city, postal_code: row.postal_code },
    country_code: row.country_code,
    email: row.email,
    phone: row.phone,
    registration_id: row.registration_id,
    tax_id: row.tax_id,
    vat_id: row.vat_id,
    note: row.note,
    owner: named(directory.users, row.owner_id),
    tags: row.tag_ids.flatMap((id) => directory.tags.get(id)?.name ?? []),
    custom_fields: Object.fromEntries(
      [...directory.customFields.values()].flatMap(({ id, name }) => {
        const value = row.custom_fields[id];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}

const companyTail = (row: CompanyRow, core: Core) => ({
  created_at: row.created_at,
  updated_at: row.updated_at,
  app_url: `${core.origin}/companies/${row.id}`,
});

/** A company as lists show it. */
const companyItem = (row: CompanyRow, directory: Directory, core: Core): CompanyItem => ({
  ...companyHead(row, directory),
  ...companyTail(row, core),
});

/** A company as GET answers it. Raises NOT_FOUND. */
export async function readCompany(context: Scope, id: string): Promise<Company> {
  const { core, sql, organization } = context;
  const [[row], contacts] = await Promise.all([
    companyRows(sql, sql`c.organization_id = ${organization} and c.id = ${id}`),
    contactsOf(context, id),
  ]);
  if (!row) throw notFound();
  const directory = await core.directories.at(sql, organization, row.directory_version);
  const company = { ...companyHead(row, directory), contacts: [], ...companyTail(row, core) };
  return { ...company, contacts: fittingContacts(contacts, mostRecordBytes - sizeOf(company)) };
}

/** The contacts of a company, oldest first, as many as any record could hold. */
async function contactsOf({ core, sql, organization }: Scope, company: string): Promise<Contact[]> {
  const own = sql`t.organization_id = ${organization} and t.company_id = ${company} order by t.created_at, t.id`;
  const weight = sql`${textBytes(sql, ['t.position', 't.note'])} + 200 as weight, null`;
  const rows = await sql<ContactRow[]>`${fittingRows(sql, contactRows(sql, own, weight))}`;
  return rows.map((row) => contactRecord(row, core));
}

/** The first contacts, as many as leave the company small enough to be sent; the list of contacts has them all. */
function fittingContacts(contacts: readonly Contact[], room: number): Contact[] {
  let left = room;
  const over = contacts.findIndex((contact) => {
    left -= sizeOf(contact) + 1;
    return left < 0;
  });
  return over === -1 ? [...contacts] : contacts.slice(0, over);
}

const sizeOf = (value: object): number => Buffer.byteLength(JSON.stringify(value));

export const getCompany = reads('companies.get', (context, { path }) => readCompany(context, path.id));

export const listCompanies = reads('companies.list', (context, { query }) => {
  const { core, sql, organization } = context;
  return listPage(context, query, {
    id: 'companies.list',
    alias: 'c',
    weight: sql`${textBytes(sql, ['c.note', 'c.street', 'c.city'])} + pg_column_size(c.custom_fields)`,
    sorts: { name: { column: 'name', type: 'text' } },
    filters: {
      q: (text) =>
        sql`(c.name ilike ${containsPattern(text)} or c.registration_id ilike ${containsPattern(text)})`,
      email: (email) => sql`lower(c.email) = lower(${email})`,
      registration_id: (value) => sql`c.registration_id = ${value}`,
      tax_id: (value) => sql`c.tax_id = ${value}`,
      vat_id: (value) => sql`c.vat_id = ${value}`,
      country_code: (value) => sql`c.country_code = ${value}`,
      owner_id: (value) => sql`c.owner_id = ${value}`,
      tag: (name) => sql`c.tag_ids && (
        select array_agg(id) from tags where organization_id = ${organization} and name = ${name})`,
    },
    rows: ({ where, order, sortValue, limit }) =>
      companyRows(sql, sql`${where} order by ${order} limit ${limit}`, sortValue),
    items: async (rows) => {
      const version = Math.max(...rows.map((row) => row.directory_version), 0);
      const directory = await core.directories.at(sql, organization, version);
      return rows.map((row) => companyItem(row, directory, core));
    },
  });
});
