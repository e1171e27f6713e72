import { ManualClock, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock, worker: false });
const read = async (path: string): Promise<string> => (await fetch(dealkeep.origin + path)).text();

/** Each example of a recovery that a published text shows. */
const recoveriesIn = (text: string): string[] =>
  [...text.matchAll(/\{[^{}]*since(?:&quot;|"|\\")?:\s*(?:&quot;|")[^{}]*\}/g)].flatMap(([found]) => {
    const body = found.replaceAll('&quot;', '"').replaceAll('\\"', '"');
    return body.includes('only_failed') && !body.includes('description') ? [body] : [];
  });

test('an example of a moment is never too old: whenever it is read, what is published is accepted', async () => {
  const { key } = await dealkeep.createOrganization();
  const api = dealkeep.as(key);
  const hook = (
    await api.post('/webhooks', { target_url: 'http://127.0.0.1:9/hook', events: ['lead.created'] })
  ).data;
  const seen = new Set<string>();
  // The first day, the last moment of it, the next one, and long after: always the same process.
  for (const moment of ['2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z', '2027-06-01T12:00:00.000Z']) {
    clock.set(moment);
    for (const path of [
      '/api/v1/openapi/public-v1.json',
      '/api/v1/openapi/public-v1-3.0.json',
      '/api/v1/openapi/public-v1-2.0.json',
      '/docs',
    ]) {
      const examples = recoveriesIn(await read(path));
      expect(examples, path).not.toEqual([]);
      for (const example of new Set(examples)) {
        seen.add(example);
        const answer = await api.send('POST', `/webhooks/${hook.id}/recover`, {
          body: example,
          headers: json,
        });
        expect([path, answer.outcome]).toEqual([path, '200']);
      }
    }
  }
  expect(seen.size).toBeGreaterThan(1);
});

test('a document changes with its day, not within it: its ETag holds until midnight', async () => {
  const path = `${dealkeep.origin}/api/v1/openapi/public-v1.json`;
  clock.set('2027-07-01T00:00:00.000Z');
  const first = (await fetch(path)).headers.get('etag') ?? '';
  const at = async (moment: string) => {
    clock.set(moment);
    return (await fetch(path, { headers: { 'If-None-Match': first } })).status;
  };
  expect(await at('2027-07-01T23:59:59.999Z')).toBe(304);
  expect(await at('2027-07-02T00:00:00.000Z')).toBe(200);
});

const json = { 'Content-Type': 'application/json' };
