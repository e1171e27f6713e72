import { gzipSync } from 'node:zlib';
import { type OperationDeclaration, operations } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { idsOf, openKnownBusiness, pathOn } from '../known-records.ts';

const dealkeep = await sharedDealkeep();
const business = await openKnownBusiness(dealkeep);
const { api } = business;

/** Every operation that takes a body, on a record that exists. */
const withBody = Object.values<OperationDeclaration>(operations)
  .filter(({ body }) => body !== undefined)
  .map((declaration) => ({
    id: declaration.id,
    declaration,
    method: declaration.method,
    path: pathOn(declaration, idsOf(business.known, declaration.resource)[0] ?? ''),
    needsBody: !declaration.body?.safeParse({}).success,
  }));

// Whatever was sent, the server lives and nothing was written.
afterEach(async () => {
  expect((await api.get('/me')).status).toBe(200);
});

const json = { 'Content-Type': 'application/json' };
const mebibyte = 1024 * 1024;

describe.each(withBody)('$id', ({ declaration, method, path, needsBody }) => {
  const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = json) =>
    api.send(method, path, { body, headers });

  test('refuses what is no JSON', async () => {
    for (const body of [
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
    ]) {
      expect([body, (await send(body)).outcome]).toEqual([body, '400 BAD_REQUEST']);
    }
  });

  test('refuses what is no UTF-8', async () => {
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

  test('says of another encoding, and of what is compressed, that it has to be UTF-8', async () => {
    for (const bytes of [Buffer.from('{"name":"\xe9"}', 'latin1'), gzipSync('{"name":"x"}')]) {
      const refused = await send(new Uint8Array(bytes));
      expect([refused.outcome, refused.error.message]).toEqual([
        '400 BAD_REQUEST',
        'The body is no text in UTF-8. Encode it so, and send it uncompressed.',
      ]);
    }
  });

  test('refuses JSON that is no object', async () => {
    for (const body of ['[]', '[{"name":"x"}]', '"text"', '1', 'true', 'null', '[[[]]]']) {
      expect([body, (await send(body)).outcome]).toEqual([body, '400 BAD_REQUEST']);
    }
  });

  test('refuses another Content-Type, or none', async () => {
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
      const refused = await send('{"name":"x"}', { 'Content-Type': type });
      expect([type, refused.outcome]).toEqual([type, '400 BAD_REQUEST']);
      expect(refused.error.message).toContain('application/json');
    }
    expect((await send(new Uint8Array(Buffer.from('{}')), {})).outcome).toBe('400 BAD_REQUEST');
  });

  test('refuses 2 MiB, whole or in chunks, so that the client can read why', async () => {
    const large = JSON.stringify({ note: 'x'.repeat(2 * mebibyte) });
    const whole = await send(large);
    expect(whole.outcome).toBe('400 BAD_REQUEST');
    expect(whole.error.message).toContain('1 MiB');
    const stream = new Blob([large]).stream();
    expect((await api.send(method, path, { body: stream, headers: json })).outcome).toBe('400 BAD_REQUEST');
  });

  test(needsBody ? 'needs a body' : 'takes no body for an empty one', async () => {
    // A record of its own, because what can be done once is done.
    const own = pathOn(declaration, await business.freshRecord(declaration.resource));
    for (const options of [
      {},
      { headers: json },
      { body: '', headers: json },
      { body: '', headers: { 'Content-Type': 'text/plain' } },
    ]) {
      const answer = await api.send(method, own, options);
      if (needsBody) expect(answer.outcome).toBe('400 BAD_REQUEST');
      else
        expect(answer.status === 200 || answer.status === 201 || answer.outcome === '409 CONFLICT').toBe(
          true,
        );
    }
  });

  test('refuses unknown fields by name, whatever they are called', async () => {
    const names = [
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
    const body = `{${names.map((name) => `${JSON.stringify(name)}:{"polluted":true}`).join(',')}}`;
    const refused = await send(body);
    expect(refused.status).toBe(422);
    for (const name of names) expect(Object.keys(refused.fields)).toContain(name);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('refuses depth without falling', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect((await send(`{"nonsense":${deep}}`)).outcome).toBe('422 VALIDATION_ERROR');
    expect((await send(deep)).outcome).toBe('400 BAD_REQUEST');
    const objects = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    expect((await send(objects)).outcome).toBe('422 VALIDATION_ERROR');
    const fields = `{${Array.from({ length: 20_000 }, (_, index) => `"f${index}":1`).join(',')}}`;
    expect((await send(fields)).outcome).toBe('422 VALIDATION_ERROR');
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
