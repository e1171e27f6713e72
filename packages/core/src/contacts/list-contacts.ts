import { textBytes } from '../lists/cut-page.ts';
import { containsPattern, listPage } from '../lists/list-page.ts';
import { reads } from '../verb/verb.ts';
import { contactRecord, contactRows } from './contact-record.ts';

export const listContacts = reads('contacts.list', (context, { query }) => {
  const { core, sql } = context;
  return listPage(context, query, {
    id: 'contacts.list',
    alias: 't',
    weight: textBytes(sql, ['t.position', 't.note']),
    sorts: { name: { column: 'name', type: 'text' } },
    filters: {
      q: (text) => {
        const pattern = containsPattern(text);
        return sql`(t.name ilike ${pattern} or t.email ilike ${pattern} or t.phone ilike ${pattern})`;
      },
      email: (email) => sql`lower(t.email) = lower(${email})`,
      phone: (phone) => sql`t.phone = ${phone}`,
      company_id: (id) => sql`t.company_id = ${id}`,
      is_primary: (value) => sql`t.is_primary = ${value}`,
    },
    rows: ({ where, order, sortValue, limit }) =>
      contactRows(sql, sql`${where} order by ${order} limit ${limit}`, sortValue),
    items: (rows) => rows.map((row) => contactRecord(row, core)),
  });
});
