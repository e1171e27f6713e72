import type { Client } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { type Directory, named } from '../directory/directory.ts';
import { textBytes } from '../paging/cursor.ts';
import { containsPattern, listPage } from '../paging/list-page.ts';
import { notFound } from '../problem.ts';
import { reads, type Scope } from '../verb/verb.ts';

/** The client's own columns. */
export interface ClientColumns {
  id: string;
  company_id: string;
  owner_id: string | null;
  note: string | null;
  reference_code: string | null;
  reference_name: string | null;
  reference_valid_until: string | null;
  created_at: string;
  updated_at: string;
}

interface ClientRow extends ClientColumns {
  company_name: string;
  company_registration_id: string | null;
  directory_version: number;
  sort_value: string | null;
}

/** Rows of clients (alias `k`, their companies `c`) with what their records need. */
const clientRows = (sql: Statements, rest: Fragment, sortValue: Fragment = sql`null`) =>
  sql<ClientRow[]>`
    select k.id, k.company_id, k.owner_id, k.note, k.reference_code, k.reference_name, k.reference_valid_until,
           k.created_at, k.updated_at, c.name as company_name, c.registration_id as company_registration_id,
           o.directory_version, ${sortValue} as sort_value
    from clients k
    join organizations o on o.id = k.organization_id
    join companies c on c.organization_id = k.organization_id and c.id = k.company_id
    where ${rest}`;

const clientRecord = (row: ClientRow, directory: Directory, core: Core): Client => ({
  id: row.id,
  company: { id: row.company_id, name: row.company_name, registration_id: row.company_registration_id },
  owner: named(directory.users, row.owner_id),
  note: row.note,
  reference_code: row.reference_code,
  reference_name: row.reference_name,
  reference_valid_until: row.reference_valid_until,
  created_at: row.created_at,
  updated_at: row.updated_at,
  app_url: `${core.origin}/clients/${row.id}`,
});

/** A client as GET answers it. Raises NOT_FOUND. */
export async function readClient({ core, sql, organization }: Scope, id: string): Promise<Client> {
  const [row] = await clientRows(sql, sql`k.organization_id = ${organization} and k.id = ${id}`);
  if (!row) throw notFound();
  return clientRecord(row, await core.directories.at(sql, organization, row.directory_version), core);
}

export const getClient = reads('clients.get', (context, { path }) => readClient(context, path.id));

export const listClients = reads('clients.list', (context, { query }) => {
  const { core, sql, organization } = context;
  return listPage(context, query, {
    id: 'clients.list',
    alias: 'k',
    weight: textBytes(sql, ['k.note']),
    sorts: {},
    filters: {
      q: (text) => {
        const pattern = containsPattern(text);
        return sql`(c.name ilike ${pattern} or k.reference_code ilike ${pattern} or k.reference_name ilike ${pattern})`;
      },
      company_id: (id) => sql`k.company_id = ${id}`,
      owner_id: (id) => sql`k.owner_id = ${id}`,
      reference_code: (code) => sql`k.reference_code = ${code}`,
    },
    rows: ({ where, order, sortValue, limit }) =>
      clientRows(sql, sql`${where} order by ${order} limit ${limit}`, sortValue),
    items: async (rows) => {
      const version = Math.max(...rows.map((row) => row.directory_version), 0);
      const directory = await core.directories.at(sql, organization, version);
      return rows.map((row) => clientRecord(row, directory, core));
    },
  });
});
