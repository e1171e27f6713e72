import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import {
  type DeliveryOutcome,
  searchConditions,
  summaries,
} from '../../../src/delivering/delivery-log/search-deliveries.ts';

const dealkeep = await startDealkeep({ worker: false });
const { sql } = dealkeep;
const organization = await dealkeep.createOrganization();
const webhook = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

await sql`
  insert into events (organization_id, id, type, record_id, occurred_at, envelope)
  select ${organization.id}, 'evt_' || n, 'lead.created', ('10000000-0000-4000-8000-' || lpad((n / 4)::text, 12, '0'))::uuid,
         now(), '{}'
  from generate_series(1, 30000) n`;
await sql`
  insert into attempts (organization_id, id, webhook_id, event_id, event_type, number, started_at, duration_ms, status)
  select ${organization.id}, gen_random_uuid(), ('00000000-0000-4000-8000-' || lpad((n % 20)::text, 12, '0'))::uuid,
         'evt_' || n, case when n % 5000 = 0 then 'quote.accepted' else 'lead.created' end, 1,
         now() - n * interval '1 s', 20, case when n % 3000 = 0 then 500 when n % 3001 = 0 then 204 else 200 end
  from generate_series(1, 30000) n`;
await sql`analyze attempts, events`;

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** Rows of the log that a plan looked at. */
const looked = (plan: Plan): number =>
  (plan['Relation Name'] === 'attempts'
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0) + (plan.Plans ?? []).reduce((sum, each) => sum + looked(each), 0);

const searches: [name: string, filters: Parameters<typeof searchConditions>[2]][] = [
  ['everything', {}],
  ['a webhook', { webhook_id: webhook(7) }],
  ['a rare event type', { event_type: 'quote.accepted' }],
  ['a frequent event type of a webhook', { event_type: 'lead.created', webhook_id: webhook(7) }],
  ['failures', { outcome: 'failed' }],
  ['failures of a webhook', { outcome: 'failed', webhook_id: webhook(0) }],
  ['what was delivered', { outcome: 'delivered' }],
  ['a status', { status: 500 }],
  ['a rare status of success', { status: 204 }],
  ['a record', { record_id: '10000000-0000-4000-8000-000000000100' }],
  ['an event', { event_id: 'evt_77' }],
  ['a time', { until: new Date(Date.now() - 20_000_000).toISOString() }],
];

test.each(searches)('a page of %s does not read the whole log', async (_, filters) => {
  const outcome: DeliveryOutcome | undefined = filters.outcome;
  const which = searchConditions(sql, organization.id, filters, undefined);
  const [explained] = await sql<{ 'QUERY PLAN': { Plan: Plan }[] }[]>`
    explain (analyze, format json) ${summaries(sql, { organization: organization.id, which, outcome, limit: 51 })}`;
  const plan = explained?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('There is no plan');
  expect(plan['Actual Rows']).toBeGreaterThan(0);
  expect(looked(plan)).toBeLessThan(6000);
});
