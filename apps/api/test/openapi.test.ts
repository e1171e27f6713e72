import { apiVersion, type OperationDeclaration, operations } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { encodings, sentAs } from './http/sent-as.ts';

const dealkeep = await sharedDealkeep();
const address = `${dealkeep.origin}/api/v1/openapi/public-v1.json`;

interface Described {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, object>>;
}

test('any web page may read the description, without a key (rules versioning 2 and 6)', async () => {
  const origin = 'https://editor.example';
  const read = await fetch(address, { headers: { Origin: origin } });
  expect([read.status, read.headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(read.headers.get('access-control-allow-origin')).toBe('*');
  const { openapi, info, paths }: Described = JSON.parse(await read.text());
  expect([openapi, info.version]).toEqual(['3.1.1', apiVersion]);
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const declared = Object.values<OperationDeclaration>(operations);
  expect(described.sort()).toEqual(declared.map(({ method, path }) => `${method} ${path}`).sort());
  const preflight = await fetch(address, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'x-any',
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  expect(preflight.headers.get('access-control-allow-methods')).toContain('GET');
  expect(preflight.headers.get('access-control-allow-headers')).toContain('x-any');
});

test('other addresses beside it do not exist', async () => {
  for (const path of [
    '/api/v1/openapi',
    '/api/v1/openapi/',
    '/api/v1/openapi/public-v2.json',
    '/api/v1/openapi/public-v1',
  ]) {
    expect([path, (await fetch(dealkeep.origin + path)).status]).toEqual([path, 404]);
  }
  expect((await fetch(address, { method: 'POST', body: '{}' })).status).toBe(404);
});

test('it comes compressed, with an ETag by which it is not sent again (rule versioning 12)', async () => {
  const plain = await sentAs(address);
  for (const [encoding, undo] of Object.entries(encodings)) {
    const { headers, bytes } = await sentAs(address, { 'Accept-Encoding': encoding });
    expect([headers['content-encoding'], headers['vary']]).toEqual([encoding, 'Accept-Encoding']);
    expect(headers['etag']).toBe(plain.headers['etag']);
    expect(bytes.length).toBeLessThan(plain.bytes.length / 5);
    expect(undo(bytes).equals(plain.bytes)).toBe(true);
  }
  const tag = String(plain.headers['etag']);
  for (const known of [tag, `"other", ${tag}`]) {
    const unchanged = await sentAs(address, { 'If-None-Match': known });
    expect([unchanged.status, unchanged.headers['etag'], unchanged.bytes.length]).toEqual([304, tag, 0]);
  }
  expect((await sentAs(address, { 'If-None-Match': '"other"' })).status).toBe(200);
});
