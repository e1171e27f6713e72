import { updateOrganization, updateUser } from '@dealkeep/core';
import { eventually, ManualClock, startDealkeep } from '@dealkeep/testing';
import { type Business, openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
// It stands still, so that no minute of the rate limit ends by itself.
const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock, log: quiet });
const { sql } = dealkeep;

const key = { 'Idempotency-Key': 'k' };
const create = ({ api }: Business) => api.post('/leads', { name: 'Bikes' }, key);
const stored = ({ organization }: Business) =>
  sql`select from idempotent_answers where organization_id = ${organization.id}`;

/** A way to be refused that has nothing to do with the request, and the way back. */
interface Trouble {
  begin(business: Business): Promise<unknown>;
  end(business: Business): Promise<unknown>;
}

const subscription =
  (state: 'active' | 'lapsed') =>
  ({ organization }: Business) =>
    updateOrganization(sql, organization.slug, { subscription: state });
const owner =
  (active: boolean) =>
  ({ organization }: Business) =>
    updateUser({ sql, clock }, organization.ownerEmail, { active });
const requestsPerMinute =
  (limit: number) =>
  ({ organization }: Business) =>
    updateOrganization(sql, organization.slug, { requestsPerMinute: limit });
const scopes =
  (...granted: string[]) =>
  ({ organization }: Business) =>
    sql`update api_keys set scopes = ${granted} where id = ${organization.keyId}`;

const troubles: Record<string, Trouble> = {
  '402 PAYMENT_REQUIRED': { begin: subscription('lapsed'), end: subscription('active') },
  '422 TOKEN_OWNER_INACTIVE': { begin: owner(false), end: owner(true) },
  '403 FORBIDDEN': { begin: scopes('leads:read'), end: scopes('leads:read', 'leads:write') },
  '429 RATE_LIMITED': { begin: requestsPerMinute(1), end: requestsPerMinute(1000) },
};

describe.concurrent.each(Object.entries(troubles))('%s', (outcome, { begin, end }) => {
  const until = (business: Business, wanted: string) =>
    eventually(async () => {
      const answer = await create(business);
      expect(answer.outcome).toBe(wanted);
      return answer;
    });

  test('is not stored: when it is over, the same key does the work', async () => {
    const business = await openBusiness(dealkeep);
    await begin(business);
    // Without the key, because what is done until the refusal takes effect would be stored.
    await eventually(async () =>
      expect((await business.api.post('/leads', { name: 'Other' })).outcome).toBe(outcome),
    );
    expect((await create(business)).outcome).toBe(outcome);
    expect(await stored(business)).toHaveLength(0);
    await end(business);
    const done = await until(business, '201');
    expect(done.headers.get('idempotent-replayed')).toBeNull();
    expect((await until(business, '201')).text).toBe(done.text);
  });

  test('comes before a replay', async () => {
    const business = await openBusiness(dealkeep);
    const first = await create(business);
    await begin(business);
    const refused = await until(business, outcome);
    expect(refused.headers.get('idempotent-replayed')).toBeNull();
    await end(business);
    const again = await until(business, '201');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.text).toBe(first.text);
  });
});

test('500 INTERNAL_ERROR is not stored: when the fault is mended, the same key does the work', async () => {
  const business = await openBusiness(dealkeep);
  await sql`alter table leads add constraint broken check (name <> 'Bikes') not valid`;
  for (let time = 0; time < 2; time += 1) {
    expect((await create(business)).outcome).toBe('500 INTERNAL_ERROR');
    expect(await stored(business)).toHaveLength(0);
  }
  await sql`alter table leads drop constraint broken`;
  const done = await create(business);
  expect([done.status, done.headers.get('idempotent-replayed')]).toEqual([201, null]);
  expect((await create(business)).text).toBe(done.text);
  expect(await business.eventTypes()).toEqual(['lead.created']);
});

test('a replay repeats Cache-Control, or that there was none', async () => {
  const business = await openBusiness(dealkeep);
  const hook = { target_url: 'http://127.0.0.1:4567/', event: 'lead.created' };
  const send = (path: string, json: object) => business.api.post(path, json, { 'Idempotency-Key': path });
  for (const [path, json, status, cached] of [
    ['/webhooks', hook, 201, 'no-store'],
    ['/leads', { name: 'Bikes' }, 201, null],
    ['/companies', {}, 422, null],
  ] as const) {
    const [first, again] = [await send(path, json), await send(path, json)];
    for (const { status: answered, headers, text } of [first, again]) {
      expect([answered, headers.get('cache-control'), text]).toEqual([status, cached, first.text]);
    }
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  }
});
