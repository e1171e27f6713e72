import { removeOld } from '@dealkeep/core/installation';
import { eventually, ManualClock, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { day, hour, startOldInstallation } from './old-events.ts';

const { clock, datedAnswers, daysAgo, dealkeep, idsOf, makeEvents } = await startOldInstallation();
const { core, sql } = dealkeep;

test('events are removed after 31 days, in as many batches as it takes (rule events 17)', async () => {
  const [one, other] = [await dealkeep.createOrganization(), await dealkeep.createOrganization()];
  await makeEvents(one, 31.1, 2500);
  await makeEvents(other, 400);
  const kept = [...(await makeEvents(one, 30.9)), ...(await makeEvents(one, 0))];
  expect((await removeOld(core)).events).toBe(2501);
  expect(await idsOf(one)).toEqual(kept);
  expect(await idsOf(other)).toEqual([]);
  expect((await removeOld(core)).events).toBe(0);
});

test('an event that waits or is held stays, however old, and those behind it in its organization (rule events 17)', async () => {
  const organization = await dealkeep.createOrganization();
  const { id: hook } = (
    await dealkeep.as(organization.key).post('/webhooks', {
      target_url: 'https://127.0.0.1:1/',
      event: 'lead.won',
    })
  ).data;
  const waiting = { organization_id: organization.id, webhook_id: hook };
  for (const table of ['deliveries', 'held_events']) {
    await makeEvents(organization, 60);
    const [event = ''] = await makeEvents(organization, 50);
    const [behind = ''] = await makeEvents(organization, 40);
    const times =
      table === 'deliveries'
        ? { id: crypto.randomUUID(), due_at: daysAgo(-1), created_at: daysAgo(50) }
        : { attempts: 0, occurred_at: daysAgo(50), held_at: daysAgo(20) };
    await sql`insert into ${sql(table)} ${sql({ ...waiting, ...times, event_id: event })}`;
    expect((await removeOld(core)).events).toBe(1);
    expect(await idsOf(organization)).toEqual([event, behind]);
    await sql`delete from ${sql(table)} where webhook_id = ${hook}`;
    expect((await removeOld(core)).events).toBe(2);
  }
});

test('stored answers go after a day, counts of requests after some minutes (rule operator 24)', async () => {
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  await api.post('/leads', { name: 'Once' }, { 'Idempotency-Key': 'retention' });
  await datedAnswers(clock.now());
  const answers = () => sql`select from idempotent_answers where organization_id = ${organization.id}`;
  const windows = () => sql`select from rate_windows where bucket_id = ${organization.id}`;
  clock.advance(day - 60_000);
  await removeOld(core, { only: ['answers'] });
  expect(await answers()).toHaveLength(1);
  expect(await windows()).not.toHaveLength(0);
  clock.advance(120_000);
  await removeOld(core);
  expect(await answers()).toHaveLength(0);
  expect(await windows()).toHaveLength(0);
});

test('a clock that jumps ahead by a day removes no answer, and a repeat makes nothing again', async () => {
  const ahead = new ManualClock(new Date().toISOString());
  const own = await startDealkeep({ clock: ahead });
  const organization = await own.createOrganization();
  const post = (key: string) =>
    own.as(organization.key).post('/leads', { name: 'Once' }, { 'Idempotency-Key': key });
  const [swept, kept] = [await post('swept'), await post('kept')];
  await own.sql`
    update idempotent_answers set created_at = now() - interval '25 hours' where idempotency_key = 'swept'`;
  ahead.advance(day + hour);
  await own.sql`select graphile_worker.add_job('remove_old_each_hour')`;
  await eventually(async () =>
    expect(await own.sql`select from idempotent_answers where idempotency_key = 'swept'`).toHaveLength(0),
  );
  expect((await post('kept')).data).toEqual(kept.data);
  expect((await post('swept')).data.id).not.toBe(swept.data.id);
});

test('the worker does all of this by the clock (rule operator 24)', async () => {
  const running = await startDealkeep({ clock });
  await eventually(async () => {
    const rows = await running.sql<{ identifier: string }[]>`
      select identifier from graphile_worker._private_known_crontabs`;
    expect(rows.map(({ identifier }) => identifier)).toEqual(
      expect.arrayContaining([
        ...['remove_old_each_minute', 'remove_old_each_hour'],
        'drop_excess_held_events',
      ]),
    );
  });
  // What runs afterwards finds its connections as they were.
  await running.sql`select graphile_worker.add_job('remove_old_each_hour')`;
  await eventually(async () =>
    expect(
      await running.sql`select from graphile_worker.jobs where task_identifier = 'remove_old_each_hour'`,
    ).toHaveLength(0),
  );
});
