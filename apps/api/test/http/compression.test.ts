import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { encodings, sentAs } from './sent-as.ts';

const dealkeep = await sharedDealkeep();
const { api, organization } = await openBusiness(dealkeep);
const long = (await api.post('/companies', { name: 'Long', note: 'ľahko '.repeat(1000) })).data;
const address = `${dealkeep.baseUrl}/companies/${long.id}`;

const ask = (to: string, headers: Record<string, string>, method = 'GET', body?: string) =>
  sentAs(to, { Authorization: `Bearer ${organization.key}`, ...headers }, method, body);

describe('compression (`gzip`, `br`) for answers above 1 KiB (rule http 21)', () => {
  test.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip;q=0.9', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['*, br;q=0', 'gzip'],
    ['identity, gzip', 'gzip'],
  ] as const)('%s', async (accepted, encoding) => {
    const plain = await ask(address, {});
    const { status, headers, bytes } = await ask(address, { 'Accept-Encoding': accepted });
    expect([status, headers['content-encoding'], headers['content-type']]).toEqual([
      200,
      encoding,
      'application/json',
    ]);
    expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
    expect(encodings[encoding](bytes).equals(plain.bytes)).toBe(true);
    expect(headers['vary']).toContain('Accept-Encoding');
  });

  test.each(['', 'identity', 'deflate', 'gzip;q=0, br;q=0', 'identity;q=1, gzip;q=0.5', ';;,q=', 'gzip;q=x'])(
    'not for who does not take it: %j',
    async (accepted) => {
      const { headers, bytes } = await ask(address, { 'Accept-Encoding': accepted });
      expect(headers['content-encoding']).toBeUndefined();
      expect(JSON.parse(bytes.toString()).data.id).toBe(long.id);
      // A cache that has this one must not give it to those who take the other.
      expect(headers['vary']).toContain('Accept-Encoding');
    },
  );

  test('not for what is smaller', async () => {
    const small = await ask(`${dealkeep.baseUrl}/me`, { 'Accept-Encoding': 'br, gzip' });
    expect(small.bytes.length).toBeLessThanOrEqual(1024);
    expect(small.headers['content-encoding']).toBeUndefined();
  });

  test('for pages of a list, creations and errors as well', async () => {
    const taken = { 'Accept-Encoding': 'gzip', 'Content-Type': 'application/json' };
    const page = await ask(`${dealkeep.baseUrl}/companies`, taken);
    expect(JSON.parse(gunzipSync(page.bytes).toString()).data).toHaveLength(1);
    const body = JSON.stringify({ name: 'Other', note: 'x'.repeat(2000) });
    const created = await ask(`${dealkeep.baseUrl}/companies`, taken, 'POST', body);
    expect([created.status, created.headers['content-encoding']]).toEqual([201, 'gzip']);
    const unknown = JSON.stringify(
      Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`field${at}`, 1])),
    );
    const refused = await ask(`${dealkeep.baseUrl}/companies`, taken, 'POST', unknown);
    expect([refused.status, refused.headers['vary']]).toEqual([422, 'Accept-Language, Accept-Encoding']);
    expect(JSON.parse(gunzipSync(refused.bytes).toString()).error.code).toBe('VALIDATION_ERROR');
  });

  test('a repeat is compressed as its own client takes it', async () => {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'once' };
    const body = JSON.stringify({ name: 'Repeated', note: 'x'.repeat(2000) });
    const first = await ask(
      `${dealkeep.baseUrl}/companies`,
      { ...headers, 'Accept-Encoding': 'br' },
      'POST',
      body,
    );
    const again = await ask(`${dealkeep.baseUrl}/companies`, headers, 'POST', body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(brotliDecompressSync(first.bytes).equals(again.bytes)).toBe(true);
  });

  test('HEAD answers the headers of GET', async () => {
    const { status, headers, bytes } = await ask(address, { 'Accept-Encoding': 'gzip' }, 'HEAD');
    expect([status, headers['content-encoding'], bytes.length]).toEqual([200, 'gzip', 0]);
  });

  test('a stream of events goes on as it is', async () => {
    const controller = new AbortController();
    const response = await fetch(`${dealkeep.origin}/listen?events=company.created`, {
      headers: { Authorization: `Bearer ${organization.key}`, 'Accept-Encoding': 'gzip, br' },
      signal: controller.signal,
    });
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, null]);
    const first = await response.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toContain('event: ready');
    controller.abort();
  });
});
