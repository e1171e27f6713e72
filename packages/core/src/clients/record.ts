import { resources } from '@dealkeep/contract';
import { date, defineRecord, moment, text, uuid } from '../database/define-record.ts';
import { named } from '../directory/directory.ts';
import { containsPattern, listRecords } from '../paging/list-page.ts';
import { reads } from '../verb/verb.ts';

export const clients = defineRecord({
  schema: resources.client.schema,
  table: 'clients',
  alias: 'k',
  columns: {
    id: uuid,
    company_id: uuid,
    owner_id: uuid.orNull,
    note: text.orNull,
    reference_code: text.orNull,
    reference_name: text.orNull,
    reference_valid_until: date.orNull,
    created_at: moment,
    updated_at: moment,
  },
  joined: {
    company_name: text.from('c.name'),
    company_registration_id: text.orNull.from('c.registration_id'),
  },
  joins: 'join companies c on c.organization_id = k.organization_id and c.id = k.company_id',
  shown: (row, { directory, core }) => ({
    company: { id: row.company_id, name: row.company_name, registration_id: row.company_registration_id },
    owner: named(directory.users, row.owner_id),
    app_url: `${core.origin}/clients/${row.id}`,
  }),
});

export const getClient = reads('clients.get', (context, { path }) => clients.get(context, path.id));

export const listClients = reads('clients.list', (context, { query }) => {
  const { sql } = context;
  return listRecords(context, query, {
    id: 'clients.list',
    record: clients,
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
    items: (rows) => clients.records(context, rows),
  });
});
