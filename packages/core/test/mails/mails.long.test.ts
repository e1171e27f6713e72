import { updateUser } from '@dealkeep/core/accounts';
import type { Log } from '@dealkeep/core/foundations';
import { eventually, ManualClock, startDealkeep } from '@dealkeep/testing';
import { createMailer } from '@dealkeep/worker';
import { expect, test } from 'vitest';
import { addWebhookMails, countMails, freeLostMails } from '../../src/change/queue/mail-jobs.ts';
import { startInbox } from './inbox.ts';
import { dueAgain, sendMails, waitingMails } from './send-mails.ts';
import { webhookMails } from './webhook-mails.ts';

const clock = new ManualClock();
const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };
// Without the worker, which would send by itself.
const options = { clock, worker: false, log: quiet };
const dealkeep = await startDealkeep(options);
const inbox = await startInbox();
const from = 'Dealkeep <crm@example.com>';
const post = createMailer({ url: inbox.url, from }, quiet);

const { newsOf, tell, mailsTo, waiting } = webhookMails(dealkeep, inbox);

test('an address that the mail server does not know keeps no other mail waiting', async () => {
  const lost = await tell();
  const other = await tell();
  inbox.unknown.add(lost.ownerEmail);
  expect(await sendMails(dealkeep.core, post)).toBe(1);
  expect(mailsTo(other.ownerEmail)).toHaveLength(1);
  expect(await waiting(lost)).toMatchObject([{ attempts: 1 }]);
  await updateUser(dealkeep.core, lost.ownerEmail, { active: false });
});

test('a mail is given up after three days, and that is said', async () => {
  const said: string[] = [];
  const core = {
    ...dealkeep.core,
    log: { ...quiet, error: (_: object, sentence: string) => void said.push(sentence) },
  };
  const organization = await tell();
  const down = () => Promise.reject(new Error('The server is down'));
  let waitedSeconds = 0;
  for (let attempts = 1; ; attempts += 1) {
    await sendMails(core, down);
    const [mail] = await dealkeep.sql<{ waits: number }[]>`
      select extract(epoch from run_at - updated_at)::float as waits from graphile_worker.jobs
      where starts_with(key, ${`mail/${organization.id}/`}) and attempts = ${attempts} and attempts < max_attempts`;
    if (!mail) break;
    expect(said.at(-1)).toBe('A mail could not be sent and is tried again');
    waitedSeconds += mail.waits;
    await dueAgain(dealkeep);
  }
  expect(waitedSeconds / 3600).toBeGreaterThan(72);
  expect(waitedSeconds / 3600).toBeLessThan(96);
  expect(said.at(-1)).toBe('A mail could not be sent and is given up');
  await dueAgain(dealkeep);
  expect(await sendMails(dealkeep.core, post)).toBe(0);
  expect(mailsTo(organization.ownerEmail)).toEqual([]);
});

test('a worker that dies with a mail in its hands leaves it to another, under the same id', async () => {
  const organization = await tell();
  const ids: string[] = [];
  const dying = Promise.withResolvers<void>();
  void sendMails(dealkeep.core, ({ id }) => {
    ids.push(id);
    return dying.promise;
  });
  await eventually(async () => expect(await waiting(organization)).toMatchObject([{ attempts: 1 }]));
  await eventually(async () => expect(ids).toHaveLength(1));
  expect(await freeLostMails(dealkeep)).toBe(0);
  expect(await sendMails(dealkeep.core, post)).toBe(0);
  for (const table of ['_private_jobs', '_private_job_queues']) {
    await dealkeep.sql`
      update ${dealkeep.sql(`graphile_worker.${table}`)} set locked_at = locked_at - interval '5 minutes'
      where locked_at is not null`;
  }
  expect(await freeLostMails(dealkeep)).toBe(1);
  expect(await sendMails(dealkeep.core, post)).toBe(1);
  const [received] = mailsTo(organization.ownerEmail);
  expect(Object.fromEntries(received?.headers ?? [])).toMatchObject({ 'message-id': `<${ids[0]}@dealkeep>` });
  dying.resolve();
});

test('a mail in the name of a worker that has ended it, as a standby that took over may have it, is given back and sent', async () => {
  const real = await startDealkeep({ clock, log: quiet, mail: { url: inbox.url, from } });
  const held = Promise.withResolvers<void>();
  inbox.held = held.promise;
  const first = await tell({ on: real });
  const poolOfMails = async () => {
    const [job] = await real.sql<{ pool: string }[]>`
      select locked_by as pool from graphile_worker.jobs
      where task_identifier = 'send_mail' and locked_by is not null`;
    return job?.pool ?? '';
  };
  await eventually(async () => expect(await poolOfMails()).not.toBe(''));
  const pool = await poolOfMails();
  held.resolve();
  await eventually(async () => expect(await waitingMails(real, first)).toEqual([]));
  const organization = await real.createOrganization();
  const news = await newsOf(organization, { on: real });
  await real.sql.begin(async (tx) => {
    await addWebhookMails(tx, [news]);
    await tx`update graphile_worker._private_jobs set locked_at = now(), locked_by = ${pool}, attempts = 1
             where key is not null and starts_with(key, ${`mail/${organization.id}/`})`;
    await tx`update graphile_worker._private_job_queues set locked_at = now(), locked_by = ${pool}
             where queue_name = 'mails'`;
  });
  await real.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'dealkeep jobs' and datname = current_database() and query ilike 'listen%'`;
  await eventually(async () => expect(mailsTo(organization.ownerEmail)).toHaveLength(1));
});

test('a process with DELIVERIES=held sends no mail, and another one does', async () => {
  const organization = await tell();
  expect(await sendMails({ ...dealkeep.core, deliveriesHeld: true }, post)).toBe(0);
  expect(await waiting(organization)).toMatchObject([{ attempts: 0 }]);
  expect(await sendMails(dealkeep.core, post)).toBe(1);
});

test('what waits names neither an address nor a secret', async () => {
  const organization = await tell({ name: 'Shop' });
  const [job] = await dealkeep.sql<{ payload: object }[]>`
    select payload from graphile_worker._private_jobs where starts_with(key, ${`mail/${organization.id}/`})`;
  expect(job?.payload).toEqual({
    kind: 'webhook.failing',
    id: expect.any(String),
    organization_id: organization.id,
    user_id: organization.ownerId,
    facts: {
      webhook_id: expect.any(String),
      name: 'Shop',
      host: '127.0.0.1',
      rest_hook: false,
      since: '2026-09-30T07:00:00.000Z',
      error: { status: 500 },
    },
  });
  await sendMails(dealkeep.core, post);
});

test('several workers send each mail once', async () => {
  const before = inbox.mails.length;
  for (let made = 0; made < 12; made += 1) await tell();
  const workers = Array.from({ length: 6 }, async () => {
    let sent = 0;
    while ((await countMails(dealkeep.sql)) > 0) sent += await sendMails(dealkeep.core, post);
    return sent;
  });
  expect((await Promise.all(workers)).reduce((sum, sent) => sum + sent)).toBe(12);
  expect(new Set(inbox.mails.slice(before).flatMap(({ to }) => to)).size).toBe(12);
  expect(inbox.mails).toHaveLength(before + 12);
});

test('names add no headers, no recipients and no markup', async () => {
  const organization = await dealkeep.createOrganization();
  const evil = 'A\r\nBcc: thief@example.com\r\n\r\n<b onclick="x">B</b>\u2028C';
  await dealkeep.sql`
    update organizations set name = ${evil} where id = ${organization.id}`;
  await dealkeep.sql`update memberships set name = ${evil} where id = ${organization.ownerId}`;
  await tell({ organization, name: evil });
  const before = inbox.mails.length;
  expect(await sendMails(dealkeep.core, post)).toBe(1);
  const [mail] = inbox.mails.slice(before);
  expect(mail?.to).toEqual([organization.ownerEmail]);
  const names = mail?.headers.map(([name]) => name);
  expect(names?.filter((name) => ['bcc', 'cc', 'to', 'subject'].includes(name)).sort()).toEqual([
    'subject',
    'to',
  ]);
  expect(Object.fromEntries(mail?.headers ?? [])['content-type']).toMatch(/^text\/plain/);
  expect(mail?.subject).toBe(
    'The webhook "A Bcc: thief@example.com <b onclick="x">B</b> C" has been failing for 24 hours',
  );
  expect(mail?.text.split('\n\n')).toHaveLength(5);
});

test('without a mail server, mails go to the log', async () => {
  const organization = await tell();
  const written: object[] = [];
  const log: Log = { ...quiet, info: (fields) => void written.push(fields) };
  expect(await sendMails(dealkeep.core, createMailer(undefined, log))).toBe(1);
  expect(written).toMatchObject([
    {
      to: organization.ownerEmail,
      subject: 'The webhook "Warehouse" has been failing for 24 hours',
      text: expect.stringContaining('it answered with status 500'),
    },
  ]);
});
