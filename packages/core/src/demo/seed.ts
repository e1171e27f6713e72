import type { Clock } from '../clock.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { touchDirectory } from '../directory/directory.ts';
import { OperatorError } from '../operator.ts';
import { derivedId, insertPipeline, namedRows } from '../organizations/default-lookups.ts';
import { findOrganization } from '../organizations/organizations.ts';
import * as names from './made-up.ts';
import { demoId, pick } from './made-up.ts';
import { seedInvoices, seedOrders, seedQuotes } from './seed-sales.ts';
import { seedActivities, seedBookings, seedTasks } from './seed-work.ts';

export type SeedCounts = Record<
  | 'companies'
  | 'contacts'
  | 'clients'
  | 'leads'
  | 'activities'
  | 'bookings'
  | 'products'
  | 'orders'
  | 'tasks'
  | 'invoices'
  | 'quotes',
  number
>;

const smallSize = { companies: 24, leads: 40 };
const largestSize = 5_000_000;

/**
 * Fills an organization with fictional records: 24 companies and 40 leads, or `size` leads with the records around
 * them. Written by set-based statements, as an import would be, without events.
 */
export async function seedDemo(
  { sql, clock }: { sql: Database | Transaction; clock: Clock },
  slug: string,
  size: 'small' | number,
): Promise<SeedCounts> {
  if (size !== 'small' && !(Number.isInteger(size) && size >= 1 && size <= largestSize)) {
    throw new OperatorError(`--size takes small or a number of leads from 1 to ${largestSize}`);
  }
  const organization = await findOrganization(sql, slug);
  const counts = size === 'small' ? smallSize : { companies: Math.ceil(size / 4), leads: size };
  const now = clock.now().toISOString();
  return inTransaction(sql, async (tx) => {
    await seedLookups(tx, organization.id, now);
    const companies = await seedCompanies(tx, organization.id, counts.companies, now);
    const contacts = await seedContacts(tx, organization.id, now);
    const clients = await seedClients(tx, organization.id, now);
    const leads = await seedLeads(tx, organization.id, counts.leads, now);
    const activities = await seedActivities(tx, organization.id, now);
    const bookings = await seedBookings(tx, organization, now);
    const sold = await seedOrders(tx, organization, now);
    const tasks = await seedTasks(tx, organization.id, now);
    const invoices = await seedInvoices(tx, organization.id, now);
    const quotes = await seedQuotes(tx, organization.id, now);
    await touchDirectory(tx, organization.id);
    return { companies, contacts, clients, leads, activities, bookings, ...sold, tasks, invoices, quotes };
  });
}

async function seedLookups(tx: Transaction, organization: string, now: string): Promise<void> {
  const [present] = await tx`select 1 from tags where organization_id = ${organization} limit 1`;
  if (present) return;
  const rows = (kind: string, texts: readonly string[]) =>
    namedRows(organization, now, texts, (name) => derivedId(organization, kind, name));
  await tx`insert into tags ${tx(rows('tags', ['VIP', 'Newsletter', 'Partner', 'Prospect']))}`;
  const [group] = rows('custom_field_groups', ['Marketing']);
  if (!group) throw new Error('Unreachable: one name makes one row');
  await tx`insert into custom_field_groups ${tx(group)}`;
  const fields = rows('custom_fields', ['Segment', 'Employees']).map((field, index) => ({
    ...field,
    description: index === 0 ? 'Market of the company' : 'Number of employees',
    type: index === 0 ? 'text' : 'number',
    group_id: group.id,
  }));
  await tx`insert into custom_fields ${tx(fields)}`;
  await insertPipeline(tx, organization, now, {
    name: 'Partnerships',
    requireLostReason: true,
    idOf: (name) => derivedId(organization, 'pipelines', name),
  });
}

async function seedCompanies(
  tx: Transaction,
  organization: string,
  count: number,
  now: string,
): Promise<number> {
  const trades = names.companyTrades;
  const stems = names.companyStems;
  const combinations = stems.length * trades.length;
  const asciiStems = stems.map((stem) => stem.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase());
  const rows = await tx`
    insert into companies (organization_id, id, name, street, city, postal_code, country_code, email, phone,
                           registration_id, tax_id, vat_id, note, owner_id, tag_ids, custom_fields,
                           created_at, updated_at)
    select ${organization}, ${demoId(tx, organization, 'companies', 'n')},
      ${pick(tx, stems, 'n')} || ' ' || ${pick(
        tx,
        trades.map((trade) => trade.name),
        'n * 7 + n / 12',
      )}
        || case when n >= ${combinations} then ' ' || (n / ${combinations} + 1) else '' end || ' s.r.o.',
      ${pick(tx, names.streets, 'n')} || ' ' || (n % 90 + 1),
      ${pick(
        tx,
        names.cities.map((each) => each.city),
        'n',
      )},
      ${pick(
        tx,
        names.cities.map((each) => each.postal),
        'n',
      )}, 'SK',
      'info' || n || '@' || ${pick(tx, asciiStems, 'n')} || '-'
        || ${pick(
          tx,
          trades.map((trade) => trade.slug),
          'n * 7 + n / 12',
        )} || '.example',
      '+421 2 ' || lpad((5000000 + n * 37 % 1000000)::text, 7, '0'),
      lpad((36000000 + n)::text, 8, '0'), lpad((2020000000 + n::bigint)::text, 10, '0'),
      'SK' || lpad((2020000000 + n::bigint)::text, 10, '0'),
      case when n % 5 = 0 then 'Prefers calls in the morning.' end,
      owners.ids[1 + n % cardinality(owners.ids)],
      case when n % 3 = 0 then tags.ids[1 + n % cardinality(tags.ids):1 + n % cardinality(tags.ids)] else '{}' end,
      case when n % 2 = 0 then jsonb_build_object(field.id::text, (array['Retail', 'Industry', 'Services'])[1 + n % 3])
           else '{}' end,
      ${now}::timestamptz - (${count} - n) * interval '150 days' / ${count},
      ${now}::timestamptz - (${count} - n) * interval '150 days' / ${count}
    from generate_series(0, ${count - 1}) as n,
      (select array_agg(id order by created_at, id) as ids from memberships
       where organization_id = ${organization} and active) as owners,
      (select array_agg(id order by name) as ids from tags where organization_id = ${organization}) as tags,
      (select id from custom_fields where organization_id = ${organization} and name = 'Segment') as field`;
  return rows.count;
}

async function seedContacts(tx: Transaction, organization: string, now: string): Promise<number> {
  const rows = await tx`
    insert into contacts (organization_id, id, company_id, name, email, phone, position, is_primary, created_at,
                          updated_at)
    select ${organization}, ${demoId(tx, organization, 'contacts', 'c.n * 2 + k')}, c.id,
      ${pick(tx, names.firstNames, 'c.n * 5 + k * 7')} || ' ' || ${pick(tx, names.lastNames, 'c.n * 3 + k')},
      'contact' || k || substr(c.email, 5), '+421 905 ' || lpad(((c.n * 7919 + k) % 1000000)::text, 6, '0'),
      ${pick(tx, names.positions, 'c.n + k')}, k = 1, c.created_at, least(c.created_at, ${now})
    from (select id, email, created_at, (row_number() over (order by created_at, id))::integer as n
          from companies x where organization_id = ${organization}
            and not exists (select from contacts t where t.organization_id = x.organization_id
                            and t.company_id = x.id)) as c,
      generate_series(1, 2) as k`;
  return rows.count;
}

async function seedClients(tx: Transaction, organization: string, now: string): Promise<number> {
  const rows = await tx`
    insert into clients (organization_id, id, company_id, owner_id, reference_code, created_at, updated_at)
    select ${organization}, ${demoId(tx, organization, 'clients', 'n')}, id, owner_id, 'C-' || lpad(n::text, 5, '0'), ${now}, ${now}
    from (select id, owner_id, row_number() over (order by created_at, id) as n from companies
          where organization_id = ${organization}) as c
    where n % 4 = 1
    on conflict do nothing`;
  return rows.count;
}

async function seedLeads(tx: Transaction, organization: string, count: number, now: string): Promise<number> {
  const rows = await tx`
    insert into leads (organization_id, id, name, value, expected_close_date, note, tag_ids, company_id, contact_id,
                       owner_id, assignee_ids, origin_id, pipeline_id, stage_id, status, stage_entered_at, won_at,
                       lost_at, lost_reason_id, created_at, updated_at)
    select ${organization}, ${demoId(tx, organization, 'leads', 'n')},
      ${pick(tx, names.leadSubjects, 'n')}, 500 + (n * 7919) % 40000 + (n % 4) * 0.25,
      (${now}::timestamptz + (n % 90) * interval '1 day')::date,
      case when n % 6 = 0 then 'Asked for a call back.' end,
      '{}', companies.ids[at], contacts.ids[at], owner, array[owner], origins.ids[1 + n % cardinality(origins.ids)],
      stage.pipeline_id, stage.id, stage.kind, made,
      case when stage.kind = 'won' then made end, case when stage.kind = 'lost' then made end,
      case when stage.kind = 'lost' then reasons.ids[1 + n % cardinality(reasons.ids)] end, made, made
    from generate_series(0, ${count - 1}) as n,
      (select array_agg(id order by created_at, id) as ids, count(*)::integer as total from companies
       where organization_id = ${organization}) as companies,
      (select array_agg(t.id order by c.created_at, c.id) as ids
       from companies c left join contacts t on t.organization_id = c.organization_id and t.company_id = c.id
         and t.is_primary
       where c.organization_id = ${organization}) as contacts,
      (select array_agg(id order by name) as ids from lead_origins where organization_id = ${organization}) as origins,
      (select array_agg(id order by name) as ids from lost_reasons where organization_id = ${organization}) as reasons,
      (select array_agg(id order by created_at, id) as ids from memberships
       where organization_id = ${organization} and active) as people,
      (select array_agg(s.id order by s.position) as ids, array_agg(s.kind order by s.position) as kinds,
              array_agg(s.pipeline_id order by s.position) as pipelines
       from stages s join pipelines p on p.organization_id = s.organization_id and p.id = s.pipeline_id
       where s.organization_id = ${organization} and p.is_default) as stages,
      lateral (select 1 + n % companies.total as at, people.ids[1 + n % cardinality(people.ids)] as owner,
                      1 + (n * 5 + n / 7) % cardinality(stages.ids) as s,
                      ${now}::timestamptz - (${count} - n) * interval '120 days' / ${count} as made) as chosen,
      lateral (select stages.ids[s] as id, stages.kinds[s] as kind, stages.pipelines[s] as pipeline_id) as stage`;
  return rows.count;
}
