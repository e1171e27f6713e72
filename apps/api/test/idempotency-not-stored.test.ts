import { updateOrganization } from '@dealkeep/core/accounts';
import { growOlder, ManualClock, startDealkeep } from '@dealkeep/testing';
import { type Business, openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
// It stands still, so that no minute of the rate limit ends by itself.
const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock, log: quiet });
const { sql } = dealkeep;

/** For so long a process relies on what it knows of a credential, and a little. */
const aSecond = 1001;
const key = { 'Idempotency-Key': 'k' };
const create = ({ api }: Business) => api.post('/leads', { name: 'Bikes' }, key);
const stored = ({ organization }: Business) =>
  sql`select from idempotent_answers where organization_id = ${organization.id}`;

/** A way to be refused that has nothing to do with the request, and the way back. */
interface Trouble {
  begin(business: Business): PromiseLike<unknown>;
  end(business: Business): PromiseLike<unknown>;
}

// Past the commands, which wait for every process.
const subscription =
  (state: 'active' | 'lapsed') =>
  ({ organization }: Business) =>
    sql`update organizations set subscription = ${state} where id = ${organization.id}`;
const owner =
  (active: boolean) =>
  ({ organization }: Business) =>
    sql`update memberships set active = ${active} where organization_id = ${organization.id}`;
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

describe.each(Object.entries(troubles))('%s', (outcome, { begin, end }) => {
  test('is not stored: when it is over, the same key does the work (rule idempotency 7)', async () => {
    const business = await openBusiness(dealkeep);
    await begin(business);
    growOlder(aSecond);
    // The one request that a limit of one lets pass.
    if (outcome === '429 RATE_LIMITED') await business.api.post('/leads', { name: 'Other' });
    expect((await create(business)).outcome).toBe(outcome);
    expect(await stored(business)).toHaveLength(0);
    await end(business);
    growOlder(aSecond);
    const done = await create(business);
    expect([done.outcome, done.headers.get('idempotent-replayed')]).toEqual(['201', null]);
    expect((await create(business)).text).toBe(done.text);
  });

  test('comes before a replay (rule idempotency 6)', async () => {
    const business = await openBusiness(dealkeep);
    const first = await create(business);
    await begin(business);
    growOlder(aSecond);
    const refused = await create(business);
    expect([refused.outcome, refused.headers.get('idempotent-replayed')]).toEqual([outcome, null]);
    await end(business);
    growOlder(aSecond);
    const again = await create(business);
    expect([again.outcome, again.headers.get('idempotent-replayed')]).toEqual(['201', 'true']);
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

test('a replay repeats Cache-Control, or that there was none (rules http 16 and idempotency 4)', async () => {
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
