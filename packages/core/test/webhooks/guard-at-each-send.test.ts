import { getDelivery } from '@dealkeep/core/delivering';
import {
  createManualWebhook,
  eventually,
  resendDelivery,
  sendTestEvent,
  startDealkeep,
  startHookReceiver,
  updateManualWebhook,
} from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { startReceiver } from '../outgoing/receiver.ts';

let addresses = ['127.0.0.1'];
const dealkeep = await startDealkeep({
  // One address of this machine is outside, all others are inside.
  allowedTargets: '127.0.0.1/32',
  resolve: async () => addresses.map((address) => ({ address })),
});
const { core, sql } = dealkeep;
const refused = {
  en: 'target is not a public https address',
  sk: 'cieľ nie je verejná adresa https',
};

async function manualWebhook() {
  const receiver = await startHookReceiver();
  const organization = await dealkeep.createOrganization();
  const input = { name: 'Warehouse', target_url: receiver.url, events: ['lead.created'] };
  const { id } = await createManualWebhook(core, organization, input);
  const createLead = () => dealkeep.as(organization.key).post('/leads', { name: 'Lead' });
  /** As it would be in a database that somebody has written to, or after WEBHOOK_ALLOWED_TARGETS has changed. */
  const moveTo = (url: string) => sql`update webhooks set target_url = ${url} where id = ${id}`;
  const logOf = async (count: number) =>
    eventually(async () => {
      const [row] = await sql<{ event_id: string }[]>`
        select event_id from attempts where webhook_id = ${id} group by event_id having count(*) >= ${count}`;
      if (!row) throw new Error('Not so many attempts are logged');
      const delivery = { webhook_id: id, event_id: row.event_id };
      return { delivery, log: (await getDelivery(core, organization, delivery)).log };
    });
  return { receiver, organization, id, createLead, moveTo, logOf };
}

// All others that there are: outgoing/evasions.test.ts.
const insideForms = [
  'https://127.0.0.2',
  'https://0x7f000002',
  'https://[::ffff:127.0.0.2]',
  'http://127.0.0.2',
];

test.each(insideForms)('%s is refused for a hand-made webhook, new or changed', async (start) => {
  const { organization, id, receiver } = await manualWebhook();
  const target_url = `${start}:${new URL(receiver.url).port}/hook`;
  const input = { name: 'Inside', target_url, events: ['lead.created'] };
  const code = expect.stringMatching(/^WEBHOOK_URL_(INVALID|BLOCKED)$/);
  await expect(createManualWebhook(core, organization, input)).rejects.toMatchObject({ code });
  await expect(updateManualWebhook(core, organization, { id, target_url })).rejects.toMatchObject({ code });
});

test.each(insideForms)(
  '%s gets no delivery, no test event and nothing sent again (rule hooks 13)',
  async (start) => {
    const { organization, id, createLead, moveTo, logOf } = await manualWebhook();
    const inside = await startReceiver(undefined, '127.0.0.2');
    await moveTo(`${start}:${inside.port}/hook`);
    await createLead();
    const { delivery } = await logOf(1);
    await eventually(async () =>
      expect(await sql`select worker_id, attempts from deliveries where webhook_id = ${id}`).toMatchObject([
        { worker_id: null, attempts: 1 },
      ]),
    );
    await resendDelivery(core, organization, delivery);
    const { log } = await logOf(2);
    expect(log).toMatchObject([
      { status: null, error: refused, by_hand: false },
      { status: null, error: refused, by_hand: true },
    ]);
    expect(await sendTestEvent(core, organization, { id })).toMatchObject({
      delivered: false,
      response_status: null,
      error: refused,
    });
    expect(inside.connections).toEqual([]);
  },
);

test('a name that moves inside between two sends is refused when sent again (rule hooks 13)', async () => {
  const { receiver, organization, id, createLead, moveTo, logOf } = await manualWebhook();
  const { port } = new URL(receiver.url);
  addresses = ['127.0.0.1'];
  await moveTo(`http://rebinding.example:${port}/hook`);
  await createLead();
  await receiver.received(1);
  const { delivery } = await logOf(1);
  await eventually(async () =>
    expect(await sql`select from deliveries where webhook_id = ${id}`).toHaveLength(0),
  );
  addresses = ['127.0.0.2'];
  // A connection that is kept was judged when it was made; the receiver ends it.
  await receiver.stop();
  const inside = await startReceiver(undefined, '127.0.0.2', Number(port));
  await resendDelivery(core, organization, delivery);
  const { log } = await logOf(2);
  expect(log[1]).toMatchObject({ status: null, error: refused, by_hand: true });
  expect(inside.connections).toEqual([]);
});

test('a redirect to inside is followed neither by a delivery, nor by a test event, nor when sent again', async () => {
  const { receiver, organization, id, createLead, logOf } = await manualWebhook();
  const inside = await startReceiver(undefined, '127.0.0.2');
  receiver.answerWith({ status: 307, headers: { location: inside.url.href } });
  await createLead();
  const { delivery } = await logOf(1);
  await eventually(async () =>
    expect(await sql`select worker_id from deliveries where webhook_id = ${id}`).toMatchObject([
      { worker_id: null },
    ]),
  );
  await resendDelivery(core, organization, delivery);
  const { log } = await logOf(2);
  const error = { en: `redirect to ${inside.url} not followed` };
  expect(log).toMatchObject([
    { status: 307, error },
    { status: 307, error },
  ]);
  expect(await sendTestEvent(core, organization, { id })).toMatchObject({
    delivered: false,
    response_status: 307,
    error,
  });
  expect(receiver.requests).toHaveLength(3);
  expect(inside.connections).toEqual([]);
});
