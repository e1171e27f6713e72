import { usualRetention } from '@dealkeep/core/foundations';
import { removeOld } from '@dealkeep/core/installation';
import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { day, hour, startOldInstallation } from './old-events.ts';

const { clock, datedAnswers, dealkeep, idsOf, makeEvents } = await startOldInstallation();
const { core, sql } = dealkeep;

test('what operators have kept longer stays so long, for readers of the feed and repeated requests, too', async () => {
  const longer = { ...usualRetention, eventDays: 60, deliveryLogDays: 45, auditDays: 40, answerHours: 48 };
  const own = await startDealkeep({ clock, worker: false, retention: longer });
  const organization = await own.createOrganization();
  const api = own.as(organization.key);
  const begun = clock.now().getTime();
  const at = async (moment: number): Promise<void> => {
    clock.advance(begun + moment - clock.now().getTime());
    await removeOld(own.core);
  };
  const post = async (name: string) =>
    (await api.post('/leads', { name }, { 'Idempotency-Key': 'longer' })).data.id;
  const events = async () => (await idsOf(organization, own.sql)).length;
  const entries = () =>
    own.sql`select from audit_entries where organization_id = ${organization.id} and operation = 'leads.create'`;

  const feed = async (query: Record<string, string> = {}) => {
    const { data, next_cursor } = (await api.get('/events', query)).page;
    return { names: data.map(({ data }) => data['name']), cursor: next_cursor ?? '' };
  };

  const first = await post('First');
  await datedAnswers(clock.now(), own.sql);
  const cursor = (await feed()).cursor;
  await at(47 * hour);
  expect(await post('First')).toBe(first);
  await at(49 * hour);
  expect(await post('Second')).not.toBe(first);
  await at(39 * day);
  expect(await events()).toBe(2);
  expect((await entries()).length).toBeGreaterThan(0);
  expect((await feed({ cursor })).names).toEqual(['Second']);
  await at(43 * day);
  expect(await entries()).toHaveLength(0);
  await at(59 * day);
  expect(await events()).toBe(2);
  await at(63 * day);
  expect(await events()).toBe(0);
  const late = await api.get('/events', { cursor });
  expect(late.outcome).toBe('400 INVALID_CURSOR');
  expect(late.error.message).toContain('60 days');
});

test('what cannot be removed keeps nothing else, and is told', async () => {
  const organization = await dealkeep.createOrganization();
  await makeEvents(organization, 40);
  await sql`alter table idempotent_answers rename to not_there`;
  try {
    await expect(removeOld(core)).rejects.toMatchObject({
      errors: [{ message: expect.stringContaining('idempotent_answers') }],
    });
  } finally {
    await sql`alter table not_there rename to idempotent_answers`;
  }
  expect(await idsOf(organization)).toEqual([]);
});

test('jobs that failed for good go after a day, mails after four or what operators say, and none that is still tried', async () => {
  const own = await startDealkeep({ worker: false, retention: { ...usualRetention, mailDays: 10 } });
  const addJob = async (task: string, days: number, attempts: number): Promise<void> => {
    await own.sql`select graphile_worker.add_job(${task}, max_attempts => 3, job_key => ${`${task} ${days} ${attempts}`})`;
    await own.sql`
      update graphile_worker._private_jobs set attempts = ${attempts}, created_at = now() - make_interval(secs => ${days * 86_400})
      where key = ${`${task} ${days} ${attempts}`}`;
  };
  const left = async () =>
    (await own.sql<{ key: string }[]>`select key from graphile_worker.jobs order by key`).map(
      ({ key }) => key,
    );
  for (const [task, days] of [
    ['other', 0.9],
    ['other', 1.1],
    ['send_mail', 3.9],
    ['send_mail', 4.1],
    ['send_mail', 10.1],
  ] as const) {
    await addJob(task, days, 3);
    await addJob(task, days, 2);
  }
  const tried = ['other 0.9 2', 'other 1.1 2', 'send_mail 10.1 2', 'send_mail 3.9 2', 'send_mail 4.1 2'];
  expect(await removeOld(own.core)).toMatchObject({ mails: 1, failedJobs: 1 });
  expect(await left()).toEqual([...tried, 'other 0.9 3', 'send_mail 3.9 3', 'send_mail 4.1 3'].sort());
  expect(await removeOld({ ...own.core, retention: usualRetention })).toMatchObject({
    mails: 1,
    failedJobs: 0,
  });
  expect(await left()).toEqual([...tried, 'other 0.9 3', 'send_mail 3.9 3'].sort());
});
