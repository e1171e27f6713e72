import { randomUUID } from 'node:crypto';
import { fetchOnce } from '@dealkeep/client/transport';
import type { EventType } from '@dealkeep/contract';
import type { ManualClock, TestDealkeep } from '@dealkeep/testing';
import { type Business, openBusiness } from '@dealkeep/testing/business';
import { triggerKey, triggers } from '../src/catalog/triggers.ts';
import type { ApiRecord } from '../src/records/api-record.ts';
import type { Api, Call } from '../src/requests/api.ts';
import { apiOver } from '../src/requests/api-over.ts';
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
    const { call } = apiOver({
      target: () => ({ root: dealkeep.baseUrl, authorization: `Bearer ${token}` }),
      idempotencyKey: () => randomUUID(),
      send: (request) => fetchOnce(fetch, request, 10_000),
      waiting: () => ({
        plan: { attempts: 1 },
        latestStart: 0,
        clock: { now: Date.now, random: Math.random, pause: async () => undefined },
      }),
      lost: ({ cause }) => new Error('No answer came.', { cause }),
      refused: (failure) => new Error('message' in failure ? failure.message : failure.kind),
    });
    const api: Api = {
      call: (asked) => {
        calls.push(asked);
        return call(asked);
      },
    };
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
