import {
  createManualWebhook,
  eventually,
  sendTestEvent,
  startDealkeep,
  startHookReceiver,
  type TestOrganization,
} from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { addMail, type MailJob } from '../../src/change/queue/mail-jobs.ts';
import { pauseQueue, resumeQueue } from '../../src/installation/installation/pause-queue.ts';
import { discardQueue, queueSummary } from '../../src/installation/installation/queue.ts';
import { sendMail } from '../../src/installation/mails/send-mail.ts';
import { sendMails } from '../mails/send-mails.ts';
import { subscribe } from './subscriber.ts';

const dealkeep = await startDealkeep();
const { core, sql } = dealkeep;

/** A mail to the owner of an organization. */
const mailTo = ({ id, ownerId }: TestOrganization): MailJob => ({
  kind: 'webhook.failing',
  id: crypto.randomUUID(),
  organization_id: id,
  user_id: ownerId,
  facts: {
    webhook_id: crypto.randomUUID(),
    name: 'Hook',
    host: 'example.com',
    rest_hook: false,
    since: '2026-10-01T00:00:00.000Z',
    error: { status: 500 },
  },
});

/** Waits for a sweep: it takes jobs out of the hands of workers that are no more. */
async function workerHasLooked(): Promise<void> {
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'gone' where key like 'deliver/%'`;
  await eventually(async () =>
    expect(await sql`select from graphile_worker._private_jobs where locked_by = 'gone'`).toEqual([]),
  );
}

test('queue pause --all: no webhook and no mail leaves until queue resume --all, and then all of them (rules deliveries 31 and operator 25)', async () => {
  const receiver = await startHookReceiver();
  const { createLead, organization, pending } = await subscribe(dealkeep, receiver.url);
  expect(await pauseQueue(sql, { all: true })).toMatchObject({
    deliveries: 'paused',
    paused_at: expect.any(String),
  });
  await createLead();
  const mail = mailTo(organization);
  await addMail(sql, mail);
  await workerHasLooked();
  expect(await pending()).toMatchObject([{ attempts: 0, worker_id: null }]);
  const post = async () => expect.unreachable('A mail was posted');
  expect(await sendMails(core, post)).toBe(0);
  // One that a worker took just before goes back.
  await sendMail(core, post, mail);
  expect(await queueSummary(sql)).toMatchObject({ waiting: 1, due: 1, in_flight: 0, mails: 1 });

  const webhook = await createManualWebhook(core, organization, {
    name: 'By hand',
    target_url: receiver.url,
    events: ['lead.created'],
  });
  await expect(sendTestEvent(core, organization, { id: webhook.id })).rejects.toThrow('delivery.all_held');
  const ready = await fetch(`${dealkeep.origin}/readyz`);
  expect({ status: ready.status, body: await ready.json() }).toEqual({
    status: 200,
    body: { status: 'ready', deliveries: 'paused' },
  });
  expect(receiver.requests).toHaveLength(0);

  expect(await resumeQueue(sql, { all: true })).toMatchObject({ deliveries: 'sending', paused_at: null });
  const [request] = await receiver.received(1);
  expect(request?.headers['x-service-attempt']).toBe('1');
  expect(await (await fetch(`${dealkeep.origin}/readyz`)).json()).toEqual({ status: 'ready' });
  await eventually(async () => expect((await queueSummary(sql)).mails).toBe(0));
});

test('queue discard --before takes out what happened before, and nothing that came later (rule operator 25)', async () => {
  const receiver = await startHookReceiver();
  const { createLead, organization, pending } = await subscribe(dealkeep, receiver.url);
  await pauseQueue(sql, { all: true });
  await addMail(sql, mailTo(organization));
  await createLead('Sent long ago, by the original');
  const [row] = await sql<{ now: string }[]>`
    select max(created_at) + interval '1 millisecond' as now from deliveries`;
  const moment = row?.now ?? '';
  await eventually(() => expect(Date.now()).toBeGreaterThan(Date.parse(moment)));
  const later = await createLead('New in the copy');
  await addMail(sql, mailTo(organization));
  expect(await discardQueue(sql, moment)).toMatchObject({ deliveries: 1, mails: 1 });
  expect((await queueSummary(sql)).mails).toBe(1);
  await resumeQueue(sql, { all: true });
  await eventually(() => expect(receiver.requests.map(({ envelope }) => envelope.data.id)).toContain(later));
  await eventually(async () => expect(await pending()).toEqual([]));
  const names = receiver.requests.map(({ envelope }) => envelope.data['name']);
  expect(names).toEqual(['New in the copy']);
  await expect(discardQueue(sql, 'yesterday')).rejects.toThrow('before takes a date and time');
});
