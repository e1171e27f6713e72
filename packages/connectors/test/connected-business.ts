import { randomUUID } from 'node:crypto';
import type { EventType } from '@dealkeep/contract';
import type { ManualClock, TestDealkeep } from '@dealkeep/testing';
import { type Business, openBusiness } from '@dealkeep/testing/business';
import { triggerKey, triggers } from '../src/catalog/triggers.ts';
import type { ApiRecord } from '../src/records/api-record.ts';
import type { Api, Call } from '../src/requests/api.ts';
import { failureIn } from '../src/requests/failure.ts';
import { isWelcome, requestOf } from '../src/requests/request.ts';
import { latestRecords } from '../src/triggers/latest-records.ts';

export const hour = 3_600_000;
export const day = 24 * hour;

/** Organizations as a connector reaches them, of a Dealkeep whose clock is this. */
export function connectedBusinesses(dealkeep: TestDealkeep, clock: ManualClock) {
  /** An organization as a connector reaches it, with the calls that were made. */
  async function connect(scopes?: readonly ['webhooks:manage']) {
    const business = await openBusiness(dealkeep);
    const token = scopes
      ? (await business.organization.createKey({ scopes })).token
      : business.organization.key;
    const calls: Call[] = [];
    const call = async (asked: Call) => {
      calls.push(asked);
      const { url, ...request } = requestOf(asked, {
        root: dealkeep.baseUrl,
        authorization: `Bearer ${token}`,
        idempotencyKey: randomUUID(),
      });
      const response = await fetch(url, request);
      const content: unknown = response.status === 204 ? undefined : await response.json();
      const { status } = response;
      if (isWelcome(asked, status)) return { status, content };
      const failure = failureIn({ status, content, retryAfter: undefined }, asked);
      throw new Error('message' in failure ? failure.message : failure.kind);
    };
    const api: Api = { call };
    const test = (key: string, input: Record<string, unknown> = {}): Promise<ApiRecord[]> =>
      latestRecords(api, triggerOf(key), input, clock.now());
    return { ...business, calls, asApi: api, test };
  }

  /** Events of others beside those of a test, about records that there are not. */
  const fill = async ({ organization }: Business, type: EventType, count: number, within: number) =>
    dealkeep.sql`
      insert into events (organization_id, id, type, record_id, occurred_at, envelope)
      select ${organization.id}, 'evt_' || lpad(n::text, 32, '0'), ${type}, gen_random_uuid(),
             ${clock.now().toISOString()}::timestamptz - (${count} - n) * (${within / count} * interval '1 millisecond'),
             json_build_object('id', 'evt_' || lpad(n::text, 32, '0'), 'type', ${type}::text, 'data', json_build_object('id', n))::text
      from generate_series(1, ${count}::integer) as n`;
  return { connect, fill };
}

export function triggerOf(key: string) {
  const found = triggers.find((declaration) => triggerKey(declaration) === key);
  if (!found) throw new Error(`There is no trigger ${key}.`);
  return found;
}

export const eventsOf = async ({ api }: Business, types: EventType): Promise<ApiRecord[]> =>
  Object((await api.get('/events', { types })).json).data;

export const asked = (calls: readonly Call[]): string[] => calls.map(({ operation }) => operation.id);
