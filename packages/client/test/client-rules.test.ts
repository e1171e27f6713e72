import { createClient } from '@dealkeep/client';
import { describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { apiKey, client, failure } from './client-in-trouble.ts';
import { instant } from './instant.ts';
import {
  answer,
  cutJson,
  halfAnswer,
  hangUp,
  htmlPage,
  refuse,
  type Script,
  silence,
  trickle,
} from './servers/scripted-api.ts';

const lead = answer(201, { data: { id: 'lead-1', name: 'Fleet of bikes' } });

describe('what is tried again', () => {
  const troubles: Record<string, Script> = {
    'a 500': refuse(500, 'INTERNAL_ERROR'),
    'a 503': refuse(503, 'SERVICE_UNAVAILABLE'),
    'a 429': refuse(429, 'RATE_LIMITED'),
    'a 409 IDEMPOTENCY_IN_PROGRESS': refuse(409, 'IDEMPOTENCY_IN_PROGRESS'),
    'a connection that is reset': hangUp,
    'half an answer': halfAnswer,
    'JSON that was cut off': cutJson,
    'the HTML page of a proxy with 502': htmlPage(502),
  };

  test.each(Object.entries(troubles))(
    '%s, with the same request and Idempotency-Key (rule errors 8)',
    async (_, trouble) => {
      const { dealkeep, seen, waits } = await client(trouble, trouble, lead);

      await expect(dealkeep.leads.create({ name: 'Fleet of bikes' })).resolves.toMatchObject({
        id: 'lead-1',
      });

      expect(seen).toHaveLength(3);
      expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
      expect(seen[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
      // So that people see in the list of keys which program used one.
      expect(seen[0]?.headers['user-agent']).toBe(`dealkeep-client/${manifest.version}`);
      expect(new Set(seen.map(({ method, url, body }) => `${method} ${url} ${body}`))).toEqual(
        new Set(['POST /api/v1/public/leads {"name":"Fleet of bikes"}']),
      );
      expect(waits).toEqual([1000, 2000]);
    },
  );

  test('an answer that does not come in time', async () => {
    const { dealkeep, seen } = await client(silence, trickle, lead);

    const created = dealkeep.leads.create({}, { attemptTimeoutMs: 150 });

    await expect(created).resolves.toMatchObject({ id: 'lead-1' });
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(seen).toHaveLength(3);
  });

  test('a host that has no name for now, as while it is restarted', async () => {
    const { timing, waits } = instant();
    let count = 0;
    const fetch = async () => {
      count += 1;
      if (count > 1) return Response.json({ data: { id: 'lead-1' } });
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('gone'), { code: 'ENOTFOUND' }) });
    };
    const dealkeep = createClient({ baseUrl: 'https://crm.example.com', apiKey, timing, fetch });

    await expect(dealkeep.leads.get('lead-1')).resolves.toEqual({ id: 'lead-1' });
    expect(waits).toEqual([1000]);
  });

  test('a GET, which sends no Idempotency-Key', async () => {
    const { dealkeep, seen } = await client(refuse(503, 'SERVICE_UNAVAILABLE'), lead);

    await dealkeep.leads.get('lead-1');

    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined]);
  });
});

test('fields that the client does not know are no matter (rule versioning 5)', async () => {
  const { dealkeep } = await client(
    answer(200, { data: { id: 'lead-1', invented: { later: true } }, more: 1 }),
  );

  await expect(dealkeep.leads.get('lead-1')).resolves.toMatchObject({ id: 'lead-1' });
});

describe('how long it waits', () => {
  test('as many seconds as Retry-After says (rule errors 8)', async () => {
    const { dealkeep, waits } = await client(
      refuse(429, 'RATE_LIMITED', { 'Retry-After': '17' }),
      refuse(503, 'SERVICE_UNAVAILABLE', { 'Retry-After': '5' }),
      lead,
    );

    await dealkeep.leads.get('lead-1');

    expect(waits).toEqual([17_000, 5_000]);
  });

  test('until the date that Retry-After says', async () => {
    const { dealkeep, waits } = await client(
      refuse(429, 'RATE_LIMITED', { 'Retry-After': 'Thu, 01 Oct 2026 12:00:30 GMT' }),
      lead,
    );

    await dealkeep.leads.get('lead-1');

    expect(waits).toEqual([30_000]);
  });

  test('not at all when the API asks for more time than the call has', async () => {
    const { dealkeep, seen } = await client(refuse(429, 'RATE_LIMITED', { 'Retry-After': '3600' }));

    const error = await failure(dealkeep.leads.get('lead-1'));

    expect(error).toMatchObject({ status: 429, code: 'RATE_LIMITED', retryAfter: 3600 });
    expect(seen).toHaveLength(1);
  });
});

describe('when it gives up', () => {
  test('after five attempts, with the last answer', async () => {
    const { dealkeep, seen } = await client(hangUp, refuse(500, 'INTERNAL_ERROR', { 'X-Request-Id': 'r-1' }));

    const error = await failure(dealkeep.leads.create({}));

    expect(error).toMatchObject({ status: 500, code: 'INTERNAL_ERROR', requestId: 'r-1' });
    expect(seen).toHaveLength(5);
  });

  test('after as many attempts as the call allows', async () => {
    const { dealkeep, seen } = await client(refuse(503, 'SERVICE_UNAVAILABLE'));

    await failure(dealkeep.leads.get('lead-1', { maxAttempts: 2 }));

    expect(seen).toHaveLength(2);
  });

  test('when the whole time is over', async () => {
    const { dealkeep, waits } = await client(refuse(503, 'SERVICE_UNAVAILABLE'));

    await failure(dealkeep.leads.get('lead-1', { totalTimeoutMs: 5_000 }));

    expect(waits).toEqual([1000, 2000]);
  });

  test('with CONNECTION_FAILED and why, when nobody answers', async () => {
    const { dealkeep } = await client(hangUp);

    const error = await failure(dealkeep.leads.get('lead-1', { maxAttempts: 1 }));

    expect(error).toMatchObject({ status: undefined, code: 'CONNECTION_FAILED', fields: [] });
    expect(error.message).toMatch(/^The connection to 127\.0\.0\.1:\d+ failed\. \w/);
    expect(error.cause).toBeInstanceOf(Error);
  });

  test('with TIMED_OUT, when the answer does not come in time', async () => {
    const { dealkeep } = await client(trickle);

    const error = await failure(dealkeep.leads.get('lead-1', { maxAttempts: 1, attemptTimeoutMs: 100 }));

    expect(error).toMatchObject({ status: undefined, code: 'TIMED_OUT' });
    expect(error.message).toContain('100 ms');
  });
});

describe('what is never tried again', () => {
  test.each([
    [400, 'INVALID_PARAMETER'],
    [401, 'UNAUTHORIZED'],
    [402, 'PAYMENT_REQUIRED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [409, 'LIMIT_EXCEEDED'],
    [422, 'VALIDATION_ERROR'],
    [422, 'IDEMPOTENCY_KEY_REUSED'],
  ])('%i %s', async (status, code) => {
    const { dealkeep, seen } = await client(refuse(status, code), lead);

    const error = await failure(dealkeep.leads.create({}));

    expect(error).toMatchObject({ status, code, message: `It is ${code}.` });
    expect(seen).toHaveLength(1);
  });

  test('an HTML page with 404: this is no Dealkeep API', async () => {
    const { dealkeep, seen } = await client(htmlPage(404), lead);

    const error = await failure(dealkeep.leads.get('lead-1'));

    expect(error).toMatchObject({ status: 404, code: 'UNEXPECTED_ANSWER' });
    expect(error.message).toContain('Check baseUrl');
    expect(seen).toHaveLength(1);
  });

  test('an HTML page with 200', async () => {
    const { dealkeep, seen } = await client(htmlPage(200));
    const unexpected = { status: 200, code: 'UNEXPECTED_ANSWER' };

    await expect(failure(dealkeep.leads.get('lead-1'))).resolves.toMatchObject(unexpected);
    await expect(failure(dealkeep.leads.list())).resolves.toMatchObject(unexpected);
    expect(seen).toHaveLength(2);
  });

  test('an HTML page that says it is JSON', async () => {
    const { dealkeep, seen } = await client(htmlPage(200, { 'Content-Type': 'application/json' }));

    const error = await failure(dealkeep.leads.get('lead-1'));

    expect(error).toMatchObject({ status: 200, code: 'UNEXPECTED_ANSWER' });
    expect(seen).toHaveLength(1);
  });

  test('a redirect, which would take the key along or turn a POST into a GET', async () => {
    const { dealkeep, seen } = await client(htmlPage(302, { Location: '/elsewhere' }), lead);

    const error = await failure(dealkeep.leads.create({}));

    expect(error).toMatchObject({ status: 302, code: 'UNEXPECTED_ANSWER' });
    expect(error.message).toContain('another address');
    expect(seen).toHaveLength(1);
  });
});

describe('a DELETE', () => {
  test('whose answer was lost is done when the next attempt finds nothing', async () => {
    const { dealkeep, seen } = await client(hangUp, refuse(404, 'NOT_FOUND'));

    await expect(dealkeep.webhooks.delete('hook-1')).resolves.toBeUndefined();
    expect(seen).toHaveLength(2);
  });

  test('of what never was there is refused', async () => {
    const { dealkeep } = await client(refuse(404, 'NOT_FOUND'));

    await expect(failure(dealkeep.webhooks.delete('hook-1'))).resolves.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('an Idempotency-Key', () => {
  test('can be given', async () => {
    const { dealkeep, seen } = await client(hangUp, lead);

    await dealkeep.leads.create({}, { idempotencyKey: 'order 4711' });

    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['order 4711', 'order 4711']);
  });

  test('is another one for another call', async () => {
    const { dealkeep, seen } = await client(lead);

    await Promise.all([dealkeep.leads.create({}), dealkeep.leads.create({})]);

    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  });
});

test('answers with fields that this client does not know pass', async () => {
  const { dealkeep } = await client(answer(200, { data: { id: 'lead-1', mood: 'good' }, more: [1] }));

  await expect(dealkeep.leads.get('lead-1')).resolves.toEqual({ id: 'lead-1', mood: 'good' });
});

test('error codes that this client does not know pass, and so does their detail', async () => {
  const { dealkeep } = await client(
    refuse(418, 'TEAPOT', {}, { fields: [{ path: 'x' }, null], pot: 'blue' }),
  );

  const error = await failure(dealkeep.leads.get('lead-1'));

  expect(error).toMatchObject({ status: 418, code: 'TEAPOT', fields: [], detail: { pot: 'blue' } });
});

test('a page that names itself as the next one ends in an error, not in a circle', async () => {
  const { dealkeep } = await client(
    answer(200, { data: [{ id: 'a' }], next_cursor: 'same', has_more: true }),
  );

  const all = (async () => {
    for await (const _ of dealkeep.leads.list());
  })();

  await expect(failure(all)).resolves.toMatchObject({ code: 'UNEXPECTED_ANSWER' });
});
