import { resources } from '@dealkeep/contract';
import { countRecords, listRecords, recordList } from '../../change/paging/list-page.ts';
import { contains, hiddenOrganization, soughtIn } from '../../change/paging/search.ts';
import { date, defineRecord, moment, text, uuid } from '../../change/record-tables/define-record.ts';
import { type ReadContext, reads } from '../../change/verb/verb.ts';
import { named } from '../../identity/reference-data/reference-data.ts';

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
  searched: {
    texts: ['reference_code', 'reference_name'],
    identifiers: ['reference_code'],
    title: 'c.name',
    subtitle: `concat_ws(' · ', k.reference_code, k.reference_name)`,
    through: { kind: 'company', column: 'company_id' },
  },
  joined: {
    company_name: text.from('c.name'),
    company_registration_id: text.orNull.from('c.registration_id'),
  },
  joins: {
    c: {
      kind: 'company',
      table: 'companies',
      on: 'c.organization_id = k.organization_id and c.id = k.company_id',
      always: true,
    },
  },
  shown: (row, { referenceData, core }) => ({
    company: { id: row.company_id, name: row.company_name, registration_id: row.company_registration_id },
    owner: named(referenceData.users, row.owner_id),
    app_url: `${core.origin}/clients/${row.id}`,
  }),
});

export const getClient = reads('clients.get', (context, { path }) => clients.get(context, path.id));

const clientList = (context: ReadContext) => {
  const { sql, organization } = context;
  return recordList({
    id: 'clients.list',
    record: clients,
    sorts: {},
    filters: {
      q: (text) => sql`k.id in (
        select k.id from clients k
        where k.organization_id = ${organization} and ${contains(sql, text, ...clients.searchedTexts)}
        union all
        select k.id from companies c join clients k on k.organization_id = c.organization_id and k.company_id = c.id
        where c.organization_id = ${organization} and ${contains(sql, text, 'c.name')})`,
      company_id: (id) => sql`k.company_id = ${id}`,
      owner_id: (id) => sql`k.owner_id = ${id}`,
      reference_code: (code) => sql`k.reference_code = ${code}`,
    },
    sought: (term) => {
      const own = soughtIn(sql, term, clients.searchedTexts);
      const company = soughtIn(sql, term, ['c.name']);
      const hidden = hiddenOrganization({ sql, organization, placement: context.core.placement }, 'sought');
      const companies = sql`companies c where c.organization_id = ${hidden}`;
      return {
        has: sql`(${own.has} is true or exists (select 1 from ${companies} and c.id = k.company_id and ${company.has}))`,
        found: sql`(k.id in (
          select k.id from clients k where k.organization_id = ${hidden} and ${own.found}
          union all
          select k.id from clients k where k.organization_id = ${hidden}
            and k.company_id in (select c.id from ${companies} and ${company.found})))`,
      };
    },
    items: (rows) => clients.records(context, rows),
  });
};

export const listClients = reads('clients.list', (context, { query }) =>
  listRecords(context, query, clientList(context)),
);

export const countClients = reads('clients.count', (context, { query }) =>
  countRecords(context, query, clientList(context)),
);
