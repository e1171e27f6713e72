import { unaccentedForm } from '@dealkeep/contract';
import { insertPipeline, namedRows } from '../../accounts/organizations/default-lookups.ts';
import { findOrganization } from '../../accounts/organizations/organizations.ts';
import type { Clock } from '../../foundations/clock.ts';
import type { Database, Transaction } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { derivedId } from '../../foundations/database/new-id.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { touchReferenceData } from '../../identity/reference-data/reference-data.ts';
import { clients } from '../../records/clients/record.ts';
import { companies } from '../../records/companies/record.ts';
import { contacts } from '../../records/contacts/record.ts';
import { leads } from '../../records/leads/record.ts';
import * as names from './made-up.ts';
import { type DemoPlace, demoId, inCurrency, insertingDemo, pick } from './made-up.ts';
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

/** The slug of the organization that the first start makes, with fictional records. */
export const demoOrganization = 'demo';

const smallSize = { companies: 24, leads: 40 };
const largestSize = 5_000_000;

/** Leads and companies are made so many at a time, so that a large seed can say how far it is. */
const madeAtOnce = 50_000;

/**
 * Fills an organization with fictional records: 24 companies and 40 leads, or `size` leads with the records around
 * them. Written by set-based statements, as an import would be, without events. They name the fields that tell a
 * story; a field that they do not name has what the contract gives as its example (`insertingDemo`).
 *
 * @param report is told what was made so far, in words
 */
export async function seedDemo(
  { sql, clock }: { sql: Database | Transaction; clock: Clock },
  slug: string,
  size: 'small' | number,
  report: (progress: string) => void = () => {},
): Promise<SeedCounts> {
  if (size !== 'small' && !(Number.isInteger(size) && size >= 1 && size <= largestSize)) {
    throw new OperatorError(`takes small or a number of leads from 1 to ${largestSize}`, { field: 'size' });
  }
  const organization = await findOrganization(sql, slug);
  const counts = size === 'small' ? smallSize : { companies: Math.ceil(size / 4), leads: size };
  const now = clock.now().toISOString();
  return inTransaction(sql, async (tx) => {
    const { id, currency } = organization;
    const place = { tx, organization: id, currency, now, first: { companies: 0, leads: 0 } };
    const made = await seedRecords(place, counts, report);
    await touchReferenceData(tx, id);
    return made;
  });
}

/**
 * The records of a seed of so many companies and leads, from `place.first` on: all of them, or its last ones where
 * `first` is near the end.
 */
export async function seedRecords(
  place: DemoPlace,
  counts: { companies: number; leads: number },
  report: (progress: string) => void = () => {},
): Promise<SeedCounts> {
  const told = async (kind: keyof SeedCounts, making: Promise<number>): Promise<number> => {
    const count = await making;
    report(`${kind}: ${count}`);
    return count;
  };
  const inParts = async (
    kind: 'companies' | 'leads',
    seed: (part: DemoPlace, count: number, end: number) => Promise<number>,
  ): Promise<number> => {
    const [begin, count] = [place.first[kind], counts[kind]];
    let made = 0;
    for (let first = begin; first < count; first += madeAtOnce) {
      const end = Math.min(count, first + madeAtOnce);
      made += await seed({ ...place, first: { ...place.first, [kind]: first } }, count, end);
      report(`${kind}: ${made} of ${count - begin}`);
    }
    return made;
  };
  await seedLookups(place);
  return {
    companies: await inParts('companies', seedCompanies),
    contacts: await told('contacts', seedContacts(place)),
    clients: await told('clients', seedClients(place)),
    leads: await inParts('leads', seedLeads),
    activities: await told('activities', seedActivities(place)),
    bookings: await told('bookings', seedBookings(place)),
    ...(await seedOrders(place)),
    tasks: await told('tasks', seedTasks(place)),
    invoices: await told('invoices', seedInvoices(place)),
    quotes: await told('quotes', seedQuotes(place)),
  };
}

async function seedLookups({ tx, organization, now }: DemoPlace): Promise<void> {
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

/** @param count of the whole seed; those from `place.first` to `end` are made */
async function seedCompanies(place: DemoPlace, count: number, end = count): Promise<number> {
  const { tx, organization, now, first } = place;
  const trades = names.companyTrades;
  const stems = names.companyStems;
  const combinations = stems.length * trades.length;
  const asciiStems = stems.map(unaccentedForm);
  const of = (values: readonly string[]) => pick(tx, values, 'n');
  const ofTrades = (values: readonly string[]) => pick(tx, values, 'n * 7 + n / 12');
  const made = tx`${now}::timestamptz - (${count} - n) * interval '150 days' / ${count}`;
  const rows = await tx`${insertingDemo(place, companies, 'n', {
    id: demoId(place, 'companies', 'n'),
    name: tx`
      ${of(stems)} || ' ' || ${ofTrades(trades.map(({ name }) => name))}
        || case when n >= ${combinations} then ' ' || (n / ${combinations} + 1) else '' end || ' s.r.o.'`,
    street: tx`${of(names.streets)} || ' ' || (n % 90 + 1)`,
    city: of(names.cities.map(({ city }) => city)),
    postal_code: of(names.cities.map(({ postal }) => postal)),
    country_code: 'SK',
    email: tx`
      'info' || n || '@' || ${of(asciiStems)} || '-' || ${ofTrades(trades.map(({ slug }) => slug))} || '.example'`,
    phone: tx`'+421 2 ' || lpad((5000000 + n * 37 % 1000000)::text, 7, '0')`,
    registration_id: tx`lpad((36000000 + n)::text, 8, '0')`,
    tax_id: tx`lpad((2020000000 + n::bigint)::text, 10, '0')`,
    vat_id: tx`'SK' || lpad((2020000000 + n::bigint)::text, 10, '0')`,
    note: tx`case when n % 5 = 0 then 'Prefers calls in the morning.' end`,
    owner_id: tx`owners.ids[1 + n % cardinality(owners.ids)]`,
    tag_ids: tx`
      case when n % 3 = 0 then tags.ids[1 + n % cardinality(tags.ids):1 + n % cardinality(tags.ids)] else '{}' end`,
    custom_fields: tx`
      case when n % 2 = 0 then jsonb_build_object(field.id::text, (array['Retail', 'Industry', 'Services'])[1 + n % 3])
           else '{}' end`,
    created_at: made,
    updated_at: made,
  })}
    from generate_series(${first.companies}::integer, ${end - 1}::integer) as n,
      (select array_agg(id order by created_at, id) as ids from memberships
       where organization_id = ${organization} and active) as owners,
      (select array_agg(id order by name) as ids from tags where organization_id = ${organization}) as tags,
      (select id from custom_fields where organization_id = ${organization} and name = 'Segment') as field`;
  return rows.count;
}

/** Two contacts for each company that has none. */
async function seedContacts(place: DemoPlace): Promise<number> {
  const { tx, organization, now } = place;
  const rows = await tx`${insertingDemo(place, contacts, 'c.n * 2 + k', {
    id: demoId(place, 'contacts', 'c.n * 2 + k'),
    company_id: tx`c.id`,
    name: tx`${pick(tx, names.firstNames, 'c.n * 5 + k * 7')} || ' ' || ${pick(tx, names.lastNames, 'c.n * 3 + k')}`,
    email: tx`'contact' || k || substr(c.email, 5)`,
    phone: tx`'+421 905 ' || lpad(((c.n::bigint * 7919 + k) % 1000000)::text, 6, '0')`,
    position: pick(tx, names.positions, 'c.n + k'),
    is_primary: tx`k = 1`,
    created_at: tx`c.created_at`,
    updated_at: tx`least(c.created_at, ${now})`,
  })}
    from (select id, email, created_at, (row_number() over (order by created_at, id))::integer + ${place.first.companies} as n
          from companies x where organization_id = ${organization}
            and not exists (select 1 from contacts t where t.organization_id = ${organization}
                            and t.company_id = x.id)) as c,
      generate_series(1, 2) as k`;
  return rows.count;
}

/** Each fourth company is a client; some have a framework agreement. */
async function seedClients(place: DemoPlace): Promise<number> {
  const { tx, organization, now } = place;
  const rows = await tx`${insertingDemo(place, clients, 'n', {
    id: demoId(place, 'clients', 'n'),
    company_id: tx`id`,
    owner_id: tx`owner_id`,
    reference_code: tx`'C-' || lpad(n::text, greatest(5, length(n::text)), '0')`,
    reference_name: tx`case when n % 8 = 1 then 'Framework agreement' end`,
    reference_valid_until: tx`case when n % 8 = 1 then (${now}::timestamptz + interval '1 year')::date end`,
    created_at: now,
    updated_at: now,
  })}
    from (select id, owner_id, row_number() over (order by created_at, id) + ${place.first.companies} as n from companies
          where organization_id = ${organization}) as c
    where n % 4 = 1
    on conflict do nothing`;
  return rows.count;
}

/** @param count of the whole seed; those from `place.first` to `end` are made */
async function seedLeads(place: DemoPlace, count: number, end = count): Promise<number> {
  const { tx, organization, now, first } = place;
  const rows = await tx`${insertingDemo(place, leads, 'n', {
    id: demoId(place, 'leads', 'n'),
    name: pick(tx, names.leadSubjects, 'n'),
    value: inCurrency(place, tx`500 + (n::bigint * 7919) % 40000 + (n % 4) * 0.25`),
    expected_close_date: tx`(${now}::timestamptz + (n % 90) * interval '1 day')::date`,
    note: tx`case when n % 6 = 0 then 'Asked for a call back.' end`,
    tag_ids: tx`case when n % 5 = 0 then array[tags.ids[1 + n / 5 % cardinality(tags.ids)]] else '{}' end`,
    company_id: tx`companies.ids[at]`,
    contact_id: tx`contacts.ids[at]`,
    owner_id: tx`owner`,
    assignee_ids: tx`array[owner]`,
    origin_id: tx`origins.ids[1 + n % cardinality(origins.ids)]`,
    pipeline_id: tx`stage.pipeline_id`,
    stage_id: tx`stage.id`,
    status: tx`stage.kind`,
    stage_entered_at: tx`made`,
    won_at: tx`case when stage.kind = 'won' then made end`,
    lost_at: tx`case when stage.kind = 'lost' then made end`,
    lost_reason_id: tx`case when stage.kind = 'lost' then reasons.ids[1 + n % cardinality(reasons.ids)] end`,
    lost_note: tx`case when stage.kind = 'lost' and n % 2 = 0 then 'Wants to hear from us next year.' end`,
    created_at: tx`made`,
    updated_at: tx`made`,
  })}
    from generate_series(${first.leads}::integer, ${end - 1}::integer) as n,
      (select array_agg(id order by created_at, id) as ids, count(*)::integer as total from companies
       where organization_id = ${organization}) as companies,
      (select array_agg(t.id order by c.created_at, c.id) as ids
       from companies c left join contacts t on t.organization_id = c.organization_id and t.company_id = c.id
         and t.is_primary
       where c.organization_id = ${organization}) as contacts,
      (select array_agg(id order by name) as ids from tags where organization_id = ${organization}) as tags,
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
