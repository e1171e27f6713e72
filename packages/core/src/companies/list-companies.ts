import { textBytes } from '../lists/cut-page.ts';
import { containsPattern, listPage } from '../lists/list-page.ts';
import { reads } from '../verb/verb.ts';
import { companyItem, companyRows } from './company-record.ts';

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
