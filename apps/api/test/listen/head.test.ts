import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { listen, refusal } from './listener.ts';

const dealkeep = await sharedDealkeep();

const head = (key: string, query = '') =>
  fetch(`${dealkeep.origin}/listen${query}`, {
    method: 'HEAD',
    headers: { Authorization: `Bearer ${key}` },
  });

test('HEAD takes none of the three places for streams, and answers as a stream begins', async () => {
  const { key } = await dealkeep.createOrganization();
  const answers = await Promise.all(Array.from({ length: 6 }, () => head(key)));
  for (const { status, headers, body } of answers) {
    expect([status, body]).toEqual([200, null]);
    expect(headers.get('content-type')).toBe('text/event-stream');
  }
  const locks = await dealkeep.sql`select from pg_locks where locktype = 'advisory' and classid = 4712
    and database = (select oid from pg_database where datname = current_database())`;
  expect(locks).toHaveLength(0);
  for (let stream = 0; stream < 3; stream += 1) {
    expect((await listen(dealkeep.origin, key)).response.status).toBe(200);
  }
  expect(await refusal(await listen(dealkeep.origin, key))).toBe('409 LIMIT_EXCEEDED');
  expect((await head(key)).status, 'while all are taken').toBe(200);
});

test('HEAD refuses what the stream would refuse', async () => {
  const { createKey, key } = await dealkeep.createOrganization();
  const { token } = await createKey({ scopes: ['leads:read'] });
  expect((await head(token)).status).toBe(403);
  expect((await head('dk_live_nobody')).status).toBe(401);
  expect((await head(key, '?events=lead.invented')).status).toBe(422);
  expect((await head(key, '?page=2')).status).toBe(400);
});
