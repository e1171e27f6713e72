import type { Log } from '@dealkeep/core/foundations';
import { endLockWaits, startDealkeep } from '@dealkeep/testing';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { answeredWhileCut, SeverableLine } from './severable-line.ts';

interface Line {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly sentence: string;
}
const lines: Line[] = [];
const keep = (fields: object, sentence: string): void => void lines.push({ fields: { ...fields }, sentence });
const log: Log = { debug() {}, info() {}, warn: keep, error: keep };
beforeEach(() => void lines.splice(0));

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
const { id: organization, key } = await dealkeep.createOrganization();
const { data: lead } = await dealkeep.as(key).post('/leads', { name: 'Ten bikes' });

/** Calls a tool as a client of the older revision does, with an id for the request. */
async function call(name: string, given: object, requestId: string) {
  const response = await fetch(`${dealkeep.origin}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'X-Request-Id': requestId,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: given },
    }),
  });
  return { status: response.status, text: await response.text() };
}

test('an assistant is told to try later while the database is away, and nothing of what is the matter (rule assistants 4)', async () => {
  expect((await call('get_lead', { lead: lead.id }, 'before')).text).toContain('Ten bikes');
  await line?.cut();
  const answers = await answeredWhileCut(
    Promise.all([
      call('get_lead', { lead: lead.id }, 'while-1'),
      call('create_lead', { name: 'Lost' }, 'while-2'),
    ]),
  );
  for (const { text } of answers) {
    expect(text).toContain('SERVICE_UNAVAILABLE');
    expect(text).not.toMatch(/postgres|connect|127\.0\.0\.1|select/i);
  }
  const told = new Set(lines.map(({ fields }) => fields['request_id']));
  expect([...told]).toEqual(expect.arrayContaining(['while-1', 'while-2']));

  await line?.mend();
  await expect
    .poll(async () => (await call('get_lead', { lead: lead.id }, 'after')).text)
    .toContain('Ten bikes');
});

test('a statement that is ended in the middle of a call is such a trouble, too', async () => {
  const { sql } = dealkeep;
  const answer = await sql.begin(async (tx) => {
    await tx`select from leads where organization_id = ${organization} and id = ${lead.id} for update`;
    const waiting = call('update_lead', { lead: lead.id, name: 'x' }, 'ended');
    await expect.poll(() => endLockWaits(sql)).toBeGreaterThan(0);
    return waiting;
  });
  const { result } = JSON.parse(answer.text);
  expect(result.isError).toBe(true);
  expect(result.content[0].text).toMatch(/^SERVICE_UNAVAILABLE: /);
  expect(answer.text).not.toMatch(/terminat|postgres/i);
  expect(lines).toContainEqual({
    fields: expect.objectContaining({ request_id: 'ended', tool: 'update_lead' }),
    sentence: 'A tool failed',
  });
});
