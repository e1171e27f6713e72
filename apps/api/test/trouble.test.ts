import type { Log } from '@dealkeep/core/foundations';
import { endLockWaits, startDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { answeredWhileCut, SeverableLine } from './severable-line.ts';

interface Line {
  level: string;
  fields: Record<string, unknown>;
  sentence: string;
}
const lines: Line[] = [];
const write =
  (level: string) =>
  (fields: object, sentence: string): void =>
    void lines.push({ level, fields: { ...fields }, sentence });
const log: Log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
beforeEach(() => void lines.splice(0));

describe('a database that cannot be reached', async () => {
  let line: SeverableLine | undefined;
  const dealkeep = await startDealkeep({
    worker: false,
    log,
    between: (url) => {
      line = new SeverableLine(url);
      return line.url();
    },
  });
  afterAll(() => line?.cut());
  const { api, organization } = await openBusiness(dealkeep);
  const lead = (await api.post('/leads', {})).data;

  test('is 503 with Retry-After, never 401, whether the key is remembered or not; then all is well again (rule errors 5)', async () => {
    await line?.cut();
    const asked = [
      api.get('/leads'),
      api.get(`/leads/${lead.id}`),
      api.patch(`/leads/${lead.id}`, { name: 'x' }),
      api.post('/leads', {}),
      api.post('/leads', {}, { 'Idempotency-Key': 'k' }),
      api.post('/webhooks', { target_url: 'http://127.0.0.1:4567/', event: 'lead.created' }),
      dealkeep.as('dk_live_unknown').get('/me'),
    ];
    for (const answer of await answeredWhileCut(Promise.all(asked))) {
      expect(answer.outcome).toBe('503 SERVICE_UNAVAILABLE');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.text).not.toMatch(/postgres|connect|127\.0\.0\.1/i);
    }
    const known = lines.filter(({ level }) => level === 'error' || level === 'warn');
    expect(known.length).toBeGreaterThanOrEqual(asked.length);

    await line?.mend();
    await expect.poll(async () => (await api.get('/leads')).outcome).toBe('200');
    expect((await api.get('/leads')).page.data).toEqual([lead]);
    expect((await api.post('/leads', {}, { 'Idempotency-Key': 'k' })).outcome).toBe('201');
  });

  test('is told by /readyz while /healthz stays calm (rule operator 17)', async () => {
    expect((await fetch(`${dealkeep.origin}/readyz`)).status).toBe(200);
    await line?.cut();
    const ready = await fetch(`${dealkeep.origin}/readyz`);
    expect(ready.status).toBe(503);
    expect((await fetch(`${dealkeep.origin}/healthz`)).status).toBe(200);
    await line?.mend();
    await expect.poll(async () => (await fetch(`${dealkeep.origin}/readyz`)).status).toBe(200);
  });

  test('that ends a session in the middle of a request is 503 as well', async () => {
    const { sql } = dealkeep;
    // A lock of ours keeps the request waiting until its session is ended.
    const answer = await sql.begin(async (tx) => {
      await tx`select from leads where organization_id = ${organization.id} and id = ${lead.id} for update`;
      const waiting = api.patch(`/leads/${lead.id}`, { name: 'x' });
      await expect.poll(() => endLockWaits(sql)).toBeGreaterThan(0);
      return waiting;
    });
    expect(answer.outcome).toBe('503 SERVICE_UNAVAILABLE');
    expect((await api.get(`/leads/${lead.id}`)).data).toEqual(lead);
  });
});

describe('a fault of ours', async () => {
  const dealkeep = await startDealkeep({ worker: false, log });
  const { api } = await openBusiness(dealkeep);

  test('is 500, says nothing about the inside, and is found in the log by its request id (rules errors 6 and operator 19)', async () => {
    await dealkeep.sql`alter table leads rename to leads_gone`;
    try {
      for (const ask of [
        () => api.get('/leads'),
        () => api.post('/leads', { name: 'Secret plan' }),
        () => api.post('/leads', {}, { 'Idempotency-Key': 'fault' }),
      ]) {
        lines.splice(0);
        const answer = await ask();
        expect(answer.outcome).toBe('500 INTERNAL_ERROR');
        expect(answer.text).not.toMatch(/leads|relation|select|sql|Error:|\.ts/i);
        const errors = lines.filter(({ level }) => level === 'error');
        expect(errors).toHaveLength(1);
        expect(errors[0]?.fields).toMatchObject({
          request_id: answer.headers.get('x-request-id'),
          path: '/api/v1/public/leads',
          error: expect.objectContaining({ message: expect.stringContaining('does not exist') }),
        });
      }
    } finally {
      await dealkeep.sql`alter table leads_gone rename to leads`;
    }
    // Nothing of the fault was stored for a repeat.
    const repeated = await api.post('/leads', {}, { 'Idempotency-Key': 'fault' });
    expect(repeated.outcome).toBe('201');
    expect(repeated.headers.get('idempotent-replayed')).toBeNull();
  });

  test('is told in Slovak, too', async () => {
    await dealkeep.sql`alter table leads rename to leads_gone`;
    try {
      const answer = await api.with({ 'Accept-Language': 'sk' }).get('/leads');
      expect(answer.error.message).toMatch(/^Niečo sa u nás pokazilo/);
    } finally {
      await dealkeep.sql`alter table leads_gone rename to leads`;
    }
  });
});

test('what the caller did wrong is no error in the log', async () => {
  const dealkeep = await startDealkeep({ worker: false, log });
  const { api } = await openBusiness(dealkeep);
  lines.splice(0);
  await api.post('/leads', { nonsense: 1 });
  await api.get('/leads/nonsense');
  await dealkeep.as('dk_live_unknown').get('/me');
  expect(lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
});
