import { createUser, updateUser } from '@dealkeep/core/accounts';
import type { Log } from '@dealkeep/core/foundations';
import { ManualClock, startDealkeep } from '@dealkeep/testing';
import { createMailer } from '@dealkeep/worker';
import { expect, test } from 'vitest';
import { addWebhookMails } from '../../src/change/queue/mail-jobs.ts';
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

test('a REST hook that is deleted after 72 hours is told to the owner of its key (rules deliveries 17 and 18)', async () => {
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

test('where nobody is marked, or nobody who is active, the active owners are told (rule deliveries 17)', async () => {
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

test('a test environment sends no mail (rule test-environment 6)', async () => {
  const on = await startDealkeep({ ...options, environment: 'test' });
  const organization = await tell({ on });
  expect(await waitingMails(on, organization)).toHaveLength(1);
  expect(await sendMails(on.core, post)).toBe(0);
  expect(await waitingMails(on, organization)).toEqual([]);
  expect(mailsTo(organization.ownerEmail)).toEqual([]);
});
