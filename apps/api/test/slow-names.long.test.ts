import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { hook, slowNames } from './slow-names.ts';

test('a name without an answer is refused as such, one that never had its turn may be tried again, and neither is remembered wrongly', async () => {
  const names = slowNames();
  const dealkeep = await startDealkeep({ worker: false, resolve: names.resolve });
  const api = dealkeep.as((await dealkeep.createOrganization()).key);
  const post = (at: number) =>
    api.post('/webhooks', hook(`n${at}.hanging.example`), { 'Idempotency-Key': `key ${at}` });
  const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => post(at)));
  const outcomes = Map.groupBy(answers, ({ outcome }) => outcome);
  expect([...outcomes.keys()].sort()).toEqual(['422 WEBHOOK_URL_INVALID', '503 SERVICE_UNAVAILABLE']);
  expect(outcomes.get('422 WEBHOOK_URL_INVALID')?.length).toBeGreaterThanOrEqual(3);
  expect(names.mostAtOnce()).toBeLessThanOrEqual(6);

  names.letGo();
  const again = await Promise.all([0, 1, 2, 3, 4, 5].map(post));
  // A refusal is stored for the same key; trouble is not.
  const expected = answers.slice(0, 6).map(({ status }) => (status === 422 ? 422 : 201));
  expect(again.map(({ status }) => status)).toEqual(expected);
});
