import { textBytes } from '../lists/cut-page.ts';
import { containsPattern, listPage } from '../lists/list-page.ts';
import { reads } from '../verb/verb.ts';
import { clientRecord, clientRows } from './client-record.ts';

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
