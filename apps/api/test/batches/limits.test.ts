import { updateOrganization } from '@dealkeep/core/accounts';
import { growOlder, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { many, sendBatch } from './sent-batch.ts';

let moment = Date.parse('2026-10-01T12:00:00.000Z');
const dealkeep = await startDealkeep({ worker: false, clock: { now: () => new Date(moment) } });
const nextMinute = () => {
  moment += 60_000 - (moment % 60_000);
};

async function organizationOf(credential: number, organization: number) {
  const made = await dealkeep.createOrganization({ usualRateLimits: true });
  await updateOrganization(dealkeep.sql, made.slug, {
    requestsPerMinute: credential,
    orgRequestsPerMinute: organization,
  });
  growOlder(1001);
  nextMinute();
  return made;
}

const companies = (count: number) => many(count, (number) => ({ name: `C ${number}` }));
const remaining = ({ headers }: { headers: Headers }) => Number(headers.get('x-ratelimit-remaining'));

test.each([
  [1, 1],
  [10, 1],
  [11, 2],
  [100, 10],
])(
  'a batch of %i items counts as %i requests, for the credential and for the organization (rules batches 5 and rate-limits 9)',
  async (items, requests) => {
    const made = await organizationOf(40, 60);
    const api = dealkeep.as(made.key);
    const { status, answer } = await sendBatch(api, 'companies', 'create', companies(items));
    expect([status, remaining(answer)]).toEqual([200, 40 - requests]);
    expect(remaining(await api.get('/me'))).toBe(39 - requests);
    const second = dealkeep.as((await made.createKey()).token);
    let passed = 0;
    while ((await second.get('/me')).status === 200) passed += 1;
    // Its own limit binds before that of the organization.
    expect(passed).toBe(Math.min(40, 60 - requests - 1));
  },
);

test.each([
  [12, 1000],
  [1000, 12],
])(
  'a batch that exceeds a limit of %i, %i is refused whole, before anything is done, and counts nothing (rule batches 5)',
  async (own, shared) => {
    const made = await organizationOf(own, shared);
    const api = dealkeep.as(made.key);
    moment += 17_250;
    for (let sent = 0; sent < 3; sent += 1) await api.get('/me');
    for (let tried = 0; tried < 3; tried += 1) {
      const { answer } = await sendBatch(api, 'companies', 'create', companies(100), 'later');
      expect([answer.outcome, answer.headers.get('retry-after')]).toEqual(['429 RATE_LIMITED', '43']);
    }
    // Nine are left, and a batch of 90 takes them.
    const fits = await sendBatch(api, 'companies', 'create', companies(90));
    expect([fits.status, remaining(fits.answer)]).toEqual([200, 0]);
    expect((await api.get('/me')).outcome).toBe('429 RATE_LIMITED');
    expect(await dealkeep.eventsOf(made)).toHaveLength(90);
    nextMinute();
    // Its key was not used up by the refusals.
    const { results } = await sendBatch(api, 'companies', 'create', companies(100), 'later');
    expect(results.map(({ status }) => status)).toEqual(many(100, () => 201));
  },
);

test('batches at once pass a limit exactly', async () => {
  const made = await organizationOf(55, 1000);
  const api = dealkeep.as(made.key);
  const sent = await Promise.all(many(10, () => sendBatch(api, 'companies', 'create', companies(95))));
  expect(sent.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(sent.filter(({ status }) => status === 429)).toHaveLength(5);
  let passed = 0;
  while ((await api.get('/me')).status === 200) passed += 1;
  expect(passed).toBe(5);
});

test('a batch that counts as more requests than ever pass says how many items would (rule batches 5)', async () => {
  const made = await organizationOf(1000, 3);
  const { answer } = await sendBatch(dealkeep.as(made.key), 'companies', 'create', companies(31));
  expect([answer.fields, answer.error.message]).toEqual([
    { items: 'too_many' },
    expect.stringContaining('items'),
  ]);
  expect(JSON.stringify(answer.error.detail)).toContain('30');
  expect((await sendBatch(dealkeep.as(made.key), 'companies', 'create', companies(11))).status).toBe(200);
});
