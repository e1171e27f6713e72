import { createManualWebhook, createUser, type Log, sendMails, updateUser } from '@dealkeep/core';
import { eventually, ManualClock, startDealkeep, type TestDealkeep } from '@dealkeep/testing';
import { createMailer } from '@dealkeep/worker';
import { expect, test } from 'vitest';
import { noteWebhookMails } from '../../src/mails/webhook-mails.ts';
import { startInbox } from './inbox.ts';

const clock = new ManualClock();
const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };
// Without the worker, which would send by itself.
const options = { clock, worker: false, log: quiet };
const dealkeep = await startDealkeep(options);
const inbox = await startInbox();
const from = 'Dealkeep <crm@example.com>';
const post = createMailer({ url: inbox.url, from }, quiet);
const hour = 3_600_000;

interface TellOptions {
  kind?: 'failing' | 'ended';
  name?: string;
  people?: string[];
  restHook?: boolean;
  on?: TestDealkeep;
  organization?: Awaited<ReturnType<TestDealkeep['createOrganization']>>;
}

/** A webhook that has failed for long, as the attempt that says so notes it. */
async function tell({
  kind = 'failing',
  name = 'Warehouse',
  people = [],
  restHook = false,
  ...given
}: TellOptions = {}) {
  const { on = dealkeep } = given;
  const organization = given.organization ?? (await on.createOrganization());
  const input = { name, target_url: 'https://127.0.0.1:5000/path', events: ['lead.created'] };
  const { id } = restHook
    ? (await on.as(organization.key).post('/webhooks', input)).data
    : await createManualWebhook(on.core, organization, { ...input, notify_user_ids: people });
  const news = {
    organization_id: organization.id,
    webhook_id: id,
    kind,
    error: { status: 500 },
    since: '2026-09-30T07:00:00.000Z',
    now: clock.now().toISOString(),
  };
  await on.sql.begin((tx) => noteWebhookMails(tx, [news]));
  return organization;
}
/** What came to an address. */
const mailsTo = (address: string) => inbox.mails.filter(({ to }) => to.includes(address));
const waiting = (organization: { id: string }) => dealkeep.sql<{ attempts: number; due_at: string | null }[]>`
  select attempts, due_at from mails where organization_id = ${organization.id}`;

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
  expect(await waiting(organization)).toMatchObject([{ due_at: null }]);
  expect(mailsTo(organization.ownerEmail)).toEqual([]);
});

test('a mail that the server does not take is tried again later, and arrives once', async () => {
  const organization = await tell();
  inbox.refuse = true;
  for (const minutes of [1, 2, 4]) {
    expect(await sendMails(dealkeep.core, post)).toBe(0);
    expect(await sendMails(dealkeep.core, post)).toBe(0);
    const [mail] = await waiting(organization);
    expect(Date.parse(mail?.due_at ?? '') - clock.now().getTime()).toBe(minutes * 60_000);
    clock.set(mail?.due_at ?? '');
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
  expect(await waiting(lost)).toMatchObject([{ attempts: 1, due_at: expect.any(String) }]);
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
  await sendMails(core, down);
  clock.advance(72 * hour);
  await sendMails(core, down);
  expect(await waiting(organization)).toMatchObject([{ attempts: 2, due_at: null }]);
  expect(said.at(-1)).toBe('A mail could not be sent and is given up');
});

test('a worker that dies with a mail in its hands leaves it to another, under the same id', async () => {
  const organization = await tell();
  const [mail] = await dealkeep.sql<
    { id: string }[]
  >`select id from mails where organization_id = ${organization.id}`;
  void sendMails(dealkeep.core, () => new Promise(() => {}));
  await eventually(async () => expect(await waiting(organization)).toMatchObject([{ attempts: 1 }]));
  expect(await sendMails(dealkeep.core, post)).toBe(0);
  clock.advance(5 * 60_000);
  expect(await sendMails(dealkeep.core, post)).toBe(1);
  const [received] = mailsTo(organization.ownerEmail);
  expect(Object.fromEntries(received?.headers ?? [])).toMatchObject({
    'message-id': `<${mail?.id}@dealkeep>`,
  });
});

test('several workers send each mail once', async () => {
  const before = inbox.mails.length;
  for (let made = 0; made < 12; made += 1) await tell();
  const workers = Array.from({ length: 6 }, () => sendMails(dealkeep.core, post));
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
  expect(await on.sql`select from mails where due_at is not null`).toHaveLength(1);
  expect(await sendMails(on.core, post)).toBe(0);
  expect(await on.sql`select from mails where due_at is not null`).toHaveLength(0);
  expect(mailsTo(organization.ownerEmail)).toEqual([]);
});
