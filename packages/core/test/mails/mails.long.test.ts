import { createUser, type Log, updateUser } from '@dealkeep/core';
import {
  createManualWebhook,
  eventually,
  ManualClock,
  startDealkeep,
  type TestDealkeep,
  type TestOrganization,
} from '@dealkeep/testing';
import { createMailer } from '@dealkeep/worker';
import { expect, test } from 'vitest';
import { addWebhookMails, countMails, freeLostMails, type WebhookNews } from '../../src/mails/mail-jobs.ts';
import { startInbox } from './inbox.ts';
import { dueAgain, sendMails, waitingMails } from './send-mails.ts';

const clock = new ManualClock();
const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };
// Without the worker, which would send by itself.
const options = { clock, worker: false, log: quiet };
const dealkeep = await startDealkeep(options);
const inbox = await startInbox();
const from = 'Dealkeep <crm@example.com>';
const post = createMailer({ url: inbox.url, from }, quiet);

interface TellOptions {
  kind?: 'failing' | 'ended';
  name?: string;
  people?: string[];
  restHook?: boolean;
  on?: TestDealkeep;
  organization?: TestOrganization;
}

/** A webhook that has failed for long, as the attempt that says so tells it. */
async function newsOf(
  organization: TestOrganization,
  { kind = 'failing', name = 'Warehouse', people = [], restHook = false, on = dealkeep }: TellOptions = {},
): Promise<WebhookNews> {
  const input = { name, target_url: 'https://127.0.0.1:5000/path', events: ['lead.created'] };
  const { id } = restHook
    ? (await on.as(organization.key).post('/webhooks', input)).data
    : await createManualWebhook(on.core, organization, { ...input, notify_user_ids: people });
  return {
    organization_id: organization.id,
    webhook_id: id,
    kind,
    error: { status: 500 },
    since: '2026-09-30T07:00:00.000Z',
  };
}

async function tell(given: TellOptions = {}) {
  const { on = dealkeep } = given;
  const organization = given.organization ?? (await on.createOrganization());
  const news = await newsOf(organization, given);
  await on.sql.begin((tx) => addWebhookMails(tx, [news]));
  return organization;
}
/** What came to an address. */
const mailsTo = (address: string) => inbox.mails.filter(({ to }) => to.includes(address));
const waiting = (organization: { id: string }) => waitingMails(dealkeep, organization);

test('a REST hook that is deleted after 72 hours is told to the owner of its key', async () => {
  const organization = await dealkeep.createOrganization();
  await createUser(dealkeep.core, {
    organization: organization.slug,
    name: 'Other owner',
    email: `other@${organization.slug}.example`,
    role: 'owner',
  });
  await tell({ kind: 'ended', organization, restHook: true, name: 'Zap' });
  expect(await sendMails(dealkeep.core, post)).toBe(1);
  const [mail] = mailsTo(organization.ownerEmail);
  expect(mail?.subject).toBe('The REST hook "Zap" was deleted');
  expect(mail?.text).toContain('The application that made it has to subscribe again.');
});

test('where nobody is marked, or nobody who is active, the active owners are told', async () => {
  const organization = await dealkeep.createOrganization();
  const { slug } = organization;
  const person = { organization: slug, role: 'owner' };
  const gone = await createUser(dealkeep.core, { ...person, name: 'Gone', email: `gone@${slug}.example` });
  await updateUser(dealkeep.core, gone.email, { active: false });
  await tell({ organization, people: [gone.id] });
  await tell({ organization, name: 'Shop' });
  await sendMails(dealkeep.core, post);
  expect(mailsTo(gone.email)).toEqual([]);
  expect(mailsTo(organization.ownerEmail).map(({ subject }) => subject)).toEqual([
    'The webhook "Warehouse" has been failing for 24 hours',
    'The webhook "Shop" has been failing for 24 hours',
  ]);
});

test('who became inactive before the mail was sent gets none', async () => {
  const organization = await tell();
  await updateUser(dealkeep.core, organization.ownerEmail, { active: false });
  expect(await sendMails(dealkeep.core, post)).toBe(0);
  expect(await waiting(organization)).toEqual([]);
  expect(mailsTo(organization.ownerEmail)).toEqual([]);
});

test('a mail that the server does not take is tried again later, and arrives once', async () => {
  const organization = await tell();
  inbox.refuse = true;
  for (const attempts of [1, 2, 3]) {
    expect(await sendMails(dealkeep.core, post)).toBe(0);
    expect(await waiting(organization)).toMatchObject([
      { attempts, last_error: expect.stringContaining('Try again later') },
    ]);
    await dueAgain(dealkeep);
  }
  inbox.refuse = false;
  expect(await sendMails(dealkeep.core, post)).toBe(1);
  expect(await sendMails(dealkeep.core, post)).toBe(0);
  expect(mailsTo(organization.ownerEmail)).toHaveLength(1);
});

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

test('a mail is sent when what causes it is committed, and never when it is not', async () => {
  const organization = await dealkeep.createOrganization();
  const undone = dealkeep.sql.begin(async (tx) => {
    await addWebhookMails(tx, [await newsOf(organization)]);
    throw new Error('Undone');
  });
  await expect(undone).rejects.toThrow('Undone');
  expect(await waiting(organization)).toEqual([]);
  const news = await newsOf(organization);
  // What is told twice while it waits is sent once.
  for (let time = 0; time < 2; time += 1) await dealkeep.sql.begin((tx) => addWebhookMails(tx, [news]));
  expect(await sendMails(dealkeep.core, post)).toBe(1);
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

test('a test environment sends no mail', async () => {
  const on = await startDealkeep({ ...options, environment: 'test' });
  const organization = await tell({ on });
  expect(await waitingMails(on, organization)).toHaveLength(1);
  expect(await sendMails(on.core, post)).toBe(0);
  expect(await waitingMails(on, organization)).toEqual([]);
  expect(mailsTo(organization.ownerEmail)).toEqual([]);
});
