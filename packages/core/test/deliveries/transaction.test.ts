import { eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { startAnotherWorker } from './another-worker.ts';
import { subscribe } from './subscriber.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const dealkeep = await startDealkeep({ log: quiet, worker: false });
const { sql } = dealkeep;

const countsOf = async (organization: string) => {
  const [row] = await sql<{ leads: number; events: number; deliveries: number }[]>`
    select (select count(*)::integer from leads where organization_id = ${organization}) as leads,
           (select count(*)::integer from events where organization_id = ${organization}) as events,
           (select count(*)::integer from deliveries where organization_id = ${organization}) as deliveries`;
  return row;
};

test('change, event and delivery become visible in one moment (rule events 9)', async () => {
  const { api, organization } = await subscribe(dealkeep, 'http://127.0.0.1:9/hook');
  const seen = new Set<string>();
  let done = false;
  const watch = (async () => {
    while (!done) seen.add(JSON.stringify(await countsOf(organization.id)));
  })();
  for (let made = 0; made < 8; made += 1) await api.post('/leads', { name: 'Lead' });
  done = true;
  await watch;
  for (const text of seen) {
    const counts = JSON.parse(text);
    expect(counts).toEqual({ leads: counts.leads, events: counts.leads, deliveries: counts.leads });
  }
});

test.each(['events', 'deliveries'])(
  'a change whose %s cannot be written is not made (rule events 9)',
  async (table) => {
    const { api, organization, createLead } = await subscribe(dealkeep, 'http://127.0.0.1:9/hook');
    await createLead();
    const before = await countsOf(organization.id);
    await sql.unsafe(
      `alter table ${table} add constraint refused check (organization_id <> '${organization.id}') not valid`,
    );
    const refused = await api.post('/leads', { name: 'Refused' });
    const once = await api.post('/leads', { name: 'Refused' }, { 'Idempotency-Key': 'k' });
    await sql.unsafe(`alter table ${table} drop constraint refused`);
    expect([refused.outcome, once.outcome]).toEqual(['500 INTERNAL_ERROR', '500 INTERNAL_ERROR']);
    expect(await countsOf(organization.id)).toEqual(before);
  },
);

test('a refused change leaves no event', async () => {
  const { api, organization } = await subscribe(dealkeep, 'http://127.0.0.1:9/hook', {
    events: ['company.created', 'lead.created'],
  });
  const before = await countsOf(organization.id);
  const stage_id = crypto.randomUUID();
  const answer = await api.post('/leads', { company: { name: 'New' }, stage_id });
  expect(answer.outcome).toBe('422 VALIDATION_ERROR');
  expect(await countsOf(organization.id)).toEqual(before);
});

test('a repeat with the same Idempotency-Key delivers once', async () => {
  await startAnotherWorker(dealkeep);
  const receiver = await startHookReceiver();
  const { api, logged, log } = await subscribe(dealkeep, receiver.url);
  const headers = { 'Idempotency-Key': 'once' };
  await api.post('/leads', { name: 'Once' }, headers);
  const again = await api.post('/leads', { name: 'Once' }, headers);
  expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  await logged(1);
  await eventually(async () =>
    expect(
      await sql`select from deliveries where event_id in (
    select event_id from attempts where event_id = ${receiver.requests[0]?.envelope.id ?? ''})`,
    ).toHaveLength(0),
  );
  expect(await log()).toHaveLength(1);
});
