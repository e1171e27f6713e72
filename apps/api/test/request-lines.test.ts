import { randomUUID } from 'node:crypto';
import type { Log } from '@dealkeep/core/foundations';
import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

type Line = Record<string, unknown> & { level: string; sentence: string };

/** Dealkeep with a log that can be read. */
async function withLog(options: { accessLog?: boolean } = {}) {
  const lines: Line[] = [];
  const at = (level: string) => (fields: object, sentence: string) =>
    void lines.push({ ...fields, level, sentence });
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const dealkeep = await startDealkeep({ worker: false, log });
  Object.assign(dealkeep.core, options);
  const organization = await dealkeep.createOrganization();
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(dealkeep.origin + path, {
      method,
      headers: { authorization: `Bearer ${organization.key}`, ...headers },
    });
  /** The lines of a response's request. */
  const of = (response: Response) =>
    lines.filter(({ request_id }) => request_id === response.headers.get('x-request-id'));
  return { ask, of, lines, organization };
}

test('each 4xx has one line at info with its request id, operation, code and credential, and no secret (rules operator 16 and 19)', async () => {
  const { ask, of, lines, organization } = await withLog();
  const unknown = await ask(`/api/v1/public/leads/${randomUUID()}?colour=hidden`);
  expect(of(unknown)).toEqual([
    {
      level: 'info',
      sentence: 'Request',
      request_id: unknown.headers.get('x-request-id'),
      method: 'GET',
      status: 400,
      operation: 'leads.get',
      code: 'UNSUPPORTED_FILTER',
      path: expect.stringMatching(/^\/api\/v1\/public\/leads\/[0-9a-f-]+$/),
      credential: organization.keyId,
      organization: organization.id,
      duration_ms: expect.any(Number),
    },
  ]);
  const cases: [string, Record<string, string>, string | undefined, Record<string, unknown>][] = [
    [`/api/v1/public/leads/${randomUUID()}`, {}, undefined, { status: 404, code: 'NOT_FOUND' }],
    // Stored, and then repeated.
    ['/api/v1/public/companies', { 'idempotency-key': 'once' }, 'POST', { status: 400, code: 'BAD_REQUEST' }],
    ['/api/v1/public/companies', { 'idempotency-key': 'once' }, 'POST', { status: 400, code: 'BAD_REQUEST' }],
    ['/api/v1/public/leads', { authorization: 'Bearer dk_live_hidden' }, undefined, { status: 401 }],
    ['/api/v1/public/nothing', {}, undefined, { status: 404, operation: 'unknown', code: 'NOT_FOUND' }],
    ['/oauth/token', {}, 'POST', { status: 400, operation: 'page', code: 'invalid_request' }],
    ['/api/nothing', {}, undefined, { status: 404, operation: 'page' }],
    ['/oauth/nothing', {}, undefined, { status: 404, operation: 'console' }],
  ];
  for (const [path, headers, method, told] of cases) {
    const response = await ask(path, headers, method);
    const found = of(response);
    expect(found, path).toHaveLength(1);
    expect(found[0], path).toMatchObject({ level: 'info', sentence: 'Request', ...told });
  }
  expect(JSON.stringify(lines)).not.toMatch(/hidden|dk_live_/);
});

test('with ACCESS_LOG every request has one line at info, else what succeeds has it at debug', async () => {
  for (const [accessLog, level] of [
    [true, 'info'],
    [false, 'debug'],
  ] as const) {
    const { ask, of, organization } = await withLog({ accessLog });
    for (const [path, told] of [
      ['/api/v1/public/me', { operation: 'me.get', credential: organization.keyId }],
      ['/healthz', { operation: 'page' }],
      ['/sign-in', { operation: 'console' }],
    ] as const) {
      const found = of(await ask(path));
      expect(found, path).toHaveLength(1);
      expect(found[0], path).toMatchObject({ level, sentence: 'Request', status: 200, ...told });
    }
  }
});

test("a client's X-Request-Id of 1 to 128 safe characters is taken over, anything else gets a new one", async () => {
  const { ask, of } = await withLog();
  for (const id of ['a', 'order-17:retry@2', '4bf92f3577b34da6a3ce929d0e0e4736/00f067aa', 'x'.repeat(128)]) {
    for (const path of ['/api/v1/public/leads/none', '/healthz', '/sign-in']) {
      const response = await ask(path, { 'x-request-id': id });
      expect(response.headers.get('x-request-id'), path).toBe(id);
      expect(of(response), path).not.toHaveLength(0);
    }
  }
  for (const id of ['x'.repeat(129), 'two words', 'a"b', '{"a":1}', 'žltý'.replaceAll(/[^a-z]/g, '\u00e9')]) {
    const response = await ask('/api/v1/public/me', { 'x-request-id': id });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  }
});
