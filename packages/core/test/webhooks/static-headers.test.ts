import { getWebhookWithHealth } from '@dealkeep/core/delivering';
import { parseSecretsKey } from '@dealkeep/core/foundations';
import {
  createManualWebhook,
  eventually,
  ManualClock,
  rotateWebhookSecret,
  sendTestEvent,
  startDealkeep,
  startHookReceiver,
  updateManualWebhook,
} from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { newSecretsKey } from '../../src/foundations/secrets.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock });
const { core, sql } = dealkeep;

type Headers = { name: string; value?: string }[];

async function webhookWith(headers: Headers) {
  const receiver = await startHookReceiver();
  const organization = await dealkeep.createOrganization();
  const input = { name: 'Warehouse', target_url: receiver.url, events: ['lead.created'], headers };
  const webhook = await createManualWebhook(core, organization, input);
  return { receiver, organization, webhook, id: webhook.id, api: dealkeep.as(organization.key) };
}

const value = 'Bearer 3f9c0b7a-receiver';

test('every delivery and test event carries the headers of its webhook beside its own eight (rule hooks 20)', async () => {
  const headers = [
    { name: 'Authorization', value },
    { name: 'X-Tenant', value: 'a b\tc' },
    { name: '__proto__', value: 'x' },
  ];
  const { receiver, organization, id, api } = await webhookWith(headers);
  await api.post('/leads', { name: 'One' });
  await receiver.received(1);
  await sendTestEvent(core, organization, { id });
  const [delivery, sample] = await receiver.received(2);
  for (const request of [delivery, sample]) {
    expect(request?.rawHeaders).toEqual(
      expect.arrayContaining(headers.flatMap((each) => [each.name, each.value])),
    );
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/1.0',
      'webhook-signature': expect.stringMatching(/^v1,\S+$/),
    });
    expect(request?.rawHeaders).toHaveLength(2 * (11 + headers.length));
  }
});

test('a changed header counts from the next delivery on; without a value the one of before stays; null ends all (rule hooks 21)', async () => {
  const { receiver, organization, id, api } = await webhookWith([
    { name: 'X-One', value: 'first' },
    { name: 'X-Two', value: 'second' },
  ]);
  const sent = async (count: number) => {
    await api.post('/leads', { name: `Lead ${count}` });
    const { headers = {} } = (await receiver.received(count)).at(-1) ?? {};
    return [headers['x-one'], headers['x-two'], headers['x-three']];
  };
  expect(await sent(1)).toEqual(['first', 'second', undefined]);
  const changed = [{ name: 'x-one' }, { name: 'X-Three', value: 'third' }];
  await updateManualWebhook(core, organization, { id, headers: changed });
  expect(await sent(2)).toEqual(['first', undefined, 'third']);
  await updateManualWebhook(core, organization, { id, name: 'Another name' });
  expect(await sent(3)).toEqual(['first', undefined, 'third']);
  await updateManualWebhook(core, organization, { id, headers: null });
  expect(await sent(4)).toEqual([undefined, undefined, undefined]);
  expect(await sql`select headers from webhooks where id = ${id}`).toEqual([{ headers: null }]);
});

test('values are shown masked, of a long one with its last four characters (rule hooks 21)', async () => {
  const { organization, id } = await webhookWith([
    { name: 'Authorization', value },
    { name: 'X-Short', value: 'elevenchars' },
  ]);
  expect((await getWebhookWithHealth(core, organization, id)).headers).toEqual([
    { name: 'Authorization', value: '••••iver' },
    { name: 'X-Short', value: '••••' },
  ]);
});

test('values stand encrypted in the database, and nowhere else: not in the log, not where a receiver answers with them (rule hooks 21)', async () => {
  const { receiver, organization, id, api } = await webhookWith([{ name: 'Authorization', value }]);
  receiver.answerWith({ status: 302, headers: { location: `https://${value}/` }, body: `you sent ${value}` });
  await api.post('/leads', { name: 'One' });
  await receiver.received(1);
  await eventually(async () => {
    expect(await sql`select response_start, failure_detail from attempts where webhook_id = ${id}`).toEqual([
      { response_start: 'you sent ••••iver', failure_detail: 'https://••••iver/' },
    ]);
  });
  const test = await sendTestEvent(core, organization, { id });
  expect(JSON.stringify(test)).not.toContain(value);
  for (const { name } of await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`) {
    const found = await sql`
      select from ${sql(name)} t where t::text like ${`%${value}%`} or t::text like ${`%${Buffer.from(value).toString('hex')}%`}`;
    expect(found, name).toHaveLength(0);
  }
});

test('headers that no key opens are an attempt that is not made; written anew, they count again', async () => {
  const { receiver, organization, id, api } = await webhookWith([{ name: 'X-One', value: 'first' }]);
  const lost = parseSecretsKey(newSecretsKey());
  const place = { table: 'webhooks', column: 'headers', row: [organization.id, id] };
  await sql`update webhooks set headers = ${lost.encrypt('[["X-One","first"]]', place)} where id = ${id}`;
  await api.post('/leads', { name: 'One' });
  await eventually(async () =>
    expect(
      await sql`select attempts from deliveries where webhook_id = ${id} and due_at > created_at`,
    ).toEqual([{ attempts: 0 }]),
  );
  expect(receiver.requests).toHaveLength(0);
  expect((await getWebhookWithHealth(core, organization, id)).headers).toEqual([]);
  await updateManualWebhook(core, organization, { id, headers: [{ name: 'X-One', value: 'anew' }] });
  clock.advance(61_000);
  const [request] = await receiver.received(1);
  expect(request?.headers['x-one']).toBe('anew');
});

test('a rotated secret leaves the headers as they are', async () => {
  const { receiver, organization, id, api } = await webhookWith([{ name: 'X-One', value: 'first' }]);
  await rotateWebhookSecret(core, organization, { id });
  await api.post('/leads', { name: 'One' });
  expect((await receiver.received(1))[0]?.headers['x-one']).toBe('first');
});

/** The failing fields with their messages that a verb raises. */
const problemsOf = async (work: Promise<unknown>): Promise<string[]> => {
  const problem = await work.then(
    () => undefined,
    (error) => error,
  );
  const fields: { path: string; message: string }[] = problem?.body('en').error.detail?.fields ?? [];
  return fields.map(({ path, message }) => `${path}: ${message.slice(0, 30)}`);
};

const refusing = await webhookWith([]);
const name = 'The name of a header holds lett';
const reserved = 'This header is set by Dealkeep';
const text = 'The value of a header is one l';
const hostile: [string, Headers, string[]][] = [
  ['a line break in a value', [{ name: 'X-A', value: 'a\r\nX-B: b' }], [`headers[0].value: ${text}`]],
  ['a line break at the end', [{ name: 'X-A', value: 'a\n' }], [`headers[0].value: ${text}`]],
  ['a NUL', [{ name: 'X-A', value: 'a\0b' }], ['headers[0].value: This holds characters that no ']],
  ['letters beyond ASCII', [{ name: 'X-A', value: 'kľúč' }], [`headers[0].value: ${text}`]],
  ['DEL', [{ name: 'X-A', value: 'a\x7f' }], [`headers[0].value: ${text}`]],
  ['spaces at the end', [{ name: 'X-A', value: 'a ' }], [`headers[0].value: ${text}`]],
  ['an empty value', [{ name: 'X-A', value: '' }], ['headers[0].value: This must not be empty.']],
  ['no value', [{ name: 'X-A' }], ['headers[0].value: This field is required.']],
  [
    'a long value',
    [{ name: 'X-A', value: 'a'.repeat(1001) }],
    ['headers[0].value: At most 1000 characters are al'],
  ],
  [
    'a name with a line break',
    [{ name: 'X-A\r\nX-B', value: 'a' }],
    [`headers[0].name: ${name.slice(0, 30)}`],
  ],
  ['a name with a colon', [{ name: 'X-A:', value: 'a' }], [`headers[0].name: ${name.slice(0, 30)}`]],
  ['a name with a space', [{ name: 'X A', value: 'a' }], [`headers[0].name: ${name.slice(0, 30)}`]],
  ['a name beyond ASCII', [{ name: 'X-Kľúč', value: 'a' }], [`headers[0].name: ${name.slice(0, 30)}`]],
  [
    'the same name in another case',
    [
      { name: 'X-A', value: 'a' },
      { name: 'x-a', value: 'b' },
    ],
    ['headers[1].name: The same entry stands here twi'],
  ],
  [
    'six headers',
    Array.from({ length: 6 }, (_, index) => ({ name: `X-${index}`, value: 'a' })),
    ['headers: At most 5 entries are allowed.'],
  ],
];

test.each(hostile)(
  'headers are refused beside their field: %s (rule hooks 20)',
  async (_, headers, expected) => {
    const { organization, id } = refusing;
    const input = { name: 'New', target_url: 'https://127.0.0.1:5000/', events: ['lead.created'] };
    expect(await problemsOf(createManualWebhook(core, organization, { ...input, headers }))).toEqual(
      expected,
    );
    expect(await problemsOf(updateManualWebhook(core, organization, { id, headers }))).toEqual(expected);
  },
);

test.each([
  ...['Content-Type', 'content-length', 'CONTENT-ENCODING', 'Host', 'Connection', 'Keep-Alive', 'TE'],
  ...['Transfer-Encoding', 'Upgrade', 'Expect', 'Trailer', 'User-Agent', 'webhook-id', 'Webhook-Signature'],
  ...['X-Service-Event', 'Cookie', 'Proxy-Authorization', 'Accept-Encoding', 'Forwarded', 'X-Forwarded-For'],
  ...['Via', 'Date', 'Sec-Fetch-Site', 'HTTP2-Settings', 'X-Real-IP', ' content-type '],
])('a header that is ours or of the connection is refused: %s (rule hooks 20)', async (header) => {
  const { organization, id } = refusing;
  const headers = [{ name: header, value: 'a' }];
  expect(await problemsOf(updateManualWebhook(core, organization, { id, headers }))).toEqual([
    `headers[0].name: ${reserved}`,
  ]);
});
