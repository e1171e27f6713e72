import { gzipSync } from 'node:zlib';
import { checkValue, type OperationDeclaration, operations } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { idsOf, openKnownBusiness, pathOn } from '../known-records.ts';

const dealkeep = await sharedDealkeep();
const business = await openKnownBusiness(dealkeep);
const { api } = business;

/** Every operation that takes a body, on a record that exists. */
const withBody = Object.values<OperationDeclaration>(operations).flatMap((declaration) => {
  const { id, method, body, resource } = declaration;
  if (!body) return [];
  const path = pathOn(declaration, idsOf(business.known, resource)[0] ?? '');
  return [{ id, declaration, method, path, body, needsBody: !body.safeParse({}).success }];
});

// Whatever was sent, the server lives and nothing was written.
afterAll(async () => {
  expect((await api.get('/me')).status).toBe(200);
});

const json = { 'Content-Type': 'application/json' };
const mebibyte = 1024 * 1024;
const [lead = ''] = business.known.lead;

// What is no JSON object is read by the same code for every operation, so one is asked everything.
const sendTo =
  (method: string, path: string) =>
  (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = json) =>
    api.send(method, path, { body, headers });
const send = sendTo('POST', '/leads');
const leads = await api.walk('/leads');
const nothingWritten = async () => expect(await api.walk('/leads')).toEqual(leads);

test.each([
  '{',
  '}',
  '{"name":}',
  '{"name":"x",}',
  "{'name':'x'}",
  '{name:"x"}',
  '{"name":"x"} {"name":"y"}',
  '{"name":"a\nb"}',
  '{"name":"\\x41"}',
  '{"value":NaN}',
  '{"value":01}',
  '{"value":.5}',
  '{"value":+1}',
  '{"value":0x10}',
  '{"value":Infinity}',
  'undefined',
  'name=x&value=1',
  '<lead/>',
  '// comment\n{}',
  '\0',
  ' ',
])('%j is no JSON', async (body) => {
  expect((await send(body)).outcome).toBe('400 BAD_REQUEST');
});

test.each(['[]', '[{"name":"x"}]', '"text"', '1', 'true', 'null', '[[[]]]'])(
  '%s is JSON, but no object (rule bodies 1)',
  async (body) => {
    expect((await send(body)).outcome).toBe('400 BAD_REQUEST');
  },
);

test('what is no UTF-8 is refused (rule bodies 1)', async () => {
  for (const bytes of [
    Buffer.from('{"name":"\xe9"}', 'latin1'),
    Buffer.from('{"name":"x"}', 'utf16le'),
    Buffer.from([...Buffer.from('{"name":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')]),
    Buffer.from([...Buffer.from('{"name":"'), 0xc0, 0xaf, ...Buffer.from('"}')]),
    Buffer.from([...Buffer.from('{"name":"'), 0xf4, 0x90, 0x80, 0x80, ...Buffer.from('"}')]),
  ]) {
    expect((await send(new Uint8Array(bytes))).outcome).toBe('400 BAD_REQUEST');
  }
});

test('of another encoding, and of what is compressed, the message says that it has to be UTF-8', async () => {
  for (const bytes of [Buffer.from('{"name":"\xe9"}', 'latin1'), gzipSync('{"name":"x"}')]) {
    const refused = await send(new Uint8Array(bytes));
    expect([refused.outcome, refused.error.message]).toEqual([
      '400 BAD_REQUEST',
      'The body is no text in UTF-8. Encode it so, and send it uncompressed.',
    ]);
  }
});

test.each([
  ['POST', '/leads'],
  ['PATCH', `/leads/${lead}`],
])('a %s of another Content-Type, or of none, is refused (rule bodies 1)', async (method, path) => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'text/json',
    'application/jsonp',
    'application/json-patch+json',
    'application',
    'json',
  ]) {
    const refused = await sendTo(method, path)('{"name":"x"}', { 'Content-Type': type });
    expect([type, refused.outcome]).toEqual([type, '400 BAD_REQUEST']);
    expect(refused.error.message).toContain('application/json');
  }
  const untyped = new Uint8Array(Buffer.from('{}'));
  expect((await sendTo(method, path)(untyped, {})).outcome).toBe('400 BAD_REQUEST');
});

test('2 MiB are refused, whole or in chunks, so that the client can read why (rule bodies 2)', async () => {
  const large = JSON.stringify({ note: 'x'.repeat(2 * mebibyte) });
  const whole = await send(large);
  expect(whole.outcome).toBe('400 BAD_REQUEST');
  expect(whole.error.message).toContain('1 MiB');
  const stream = new Blob([large]).stream();
  expect((await api.send('POST', '/leads', { body: stream, headers: json })).outcome).toBe('400 BAD_REQUEST');
  await nothingWritten();
});

const deepList = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const deepObject = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
const manyFields = `{${Array.from({ length: 20_000 }, (_, index) => `"f${index}":1`).join(',')}}`;
const extremes = [`{"nonsense":${deepList}}`, deepObject, manyFields];

test('depth and many fields are refused without a fall', async () => {
  expect((await send(deepList)).outcome).toBe('400 BAD_REQUEST');
  for (const body of extremes) expect((await send(body)).outcome).toBe('422 VALIDATION_ERROR');
});

const parsed: unknown[] = extremes.map((body) => JSON.parse(body));

/** Whatever they are called. */
const unknownNames = [
  'nonsense',
  'id',
  'created_at',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'a.b',
  '',
  'Name',
  ' name',
  'náz\u0000v',
  '\ud800',
];
const unknownFields = `{${unknownNames.map((name) => `${JSON.stringify(name)}:{"polluted":true}`).join(',')}}`;

describe.each(withBody)('$id', ({ declaration, method, path, body, needsBody }) => {
  test('refuses depth and many fields without a fall, without HTTP', () => {
    for (const value of parsed) expect(checkValue(body, value).problems).not.toHaveLength(0);
  });

  test('refuses what is no JSON, and unknown fields by name (rules bodies 1 and 8)', async () => {
    expect((await sendTo(method, path)('{')).outcome).toBe('400 BAD_REQUEST');
    const refused = await sendTo(method, path)(unknownFields);
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.fields)).toEqual(expect.arrayContaining(unknownNames));
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test(`${needsBody ? 'needs a body' : 'takes no body for an empty one'} (rule bodies 3)`, async () => {
    // A record of its own, because what can be done once is done.
    const own = pathOn(declaration, await business.freshRecord(declaration.resource));
    for (const options of [{}, { body: '', headers: { 'Content-Type': 'text/plain' } }]) {
      const answer = await api.send(method, own, options);
      if (needsBody) expect(answer.outcome).toBe('400 BAD_REQUEST');
      else expect(answer.outcome).toMatch(/^(200|201|409 CONFLICT)$/);
    }
  });
});

test('a body just under 1 MiB is taken, one byte over is not', async () => {
  const sized = (bytes: number) => `${' '.repeat(bytes - 2)}{}`;
  const exact = await api.send('POST', '/leads', { body: sized(mebibyte), headers: json });
  expect(exact.outcome).toBe('201');
  const over = await api.send('POST', '/leads', { body: sized(mebibyte + 1), headers: json });
  expect(over.outcome).toBe('400 BAD_REQUEST');
});

test('application/json may have parameters, capitals and a byte order mark', async () => {
  for (const type of [
    'application/json; charset=utf-8',
    'Application/JSON',
    ' application/json ;charset="UTF-8"',
  ]) {
    expect(
      (await api.send('POST', '/leads', { body: '{}', headers: { 'Content-Type': type } })).outcome,
    ).toBe('201');
  }
  expect((await api.send('POST', '/leads', { body: '\ufeff{"name":"x"}', headers: json })).outcome).toBe(
    '201',
  );
});

test('of a key that stands twice the last counts, as JSON.parse has it', async () => {
  const answer = await api.send<{ name: string }>('POST', '/leads', {
    body: '{"name":"a","name":"b"}',
    headers: json,
  });
  expect(answer.data.name).toBe('b');
});

test('2 MiB from somebody without a key get their 401', async () => {
  const refused = await dealkeep
    .as()
    .send('POST', '/leads', { body: 'x'.repeat(2 * mebibyte), headers: json });
  expect(refused.outcome).toBe('401 UNAUTHORIZED');
});
