import { sampleData } from '@dealkeep/contract';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { apiKey, integration } from '../src/index.ts';
import { attemptTimeout } from '../src/requests/run-time.ts';
import { startInProcess } from './platform/platform.ts';
import { startScriptedApi } from './platform/scripted-api.ts';

const platform = await startInProcess(integration(apiKey));
afterAll(() => platform.close());
afterEach(() => {
  vi.useRealTimers();
});

const client = '01985f6e-2c41-7e08-b1a7-5c9f20d6e344';
const order = { ...sampleData('order.created'), client_uuid: client, company_uuid: null, invoice_uuid: null };
const items = [{ items__sku: 'SERVICE', items__quantity: 1, items__unit_price: 10 }];

/** Creates an order, which takes so long, at an API whose clients cannot be read. Gives the names that were asked for. */
async function askedAfter(seconds: number): Promise<{ asked: string[]; result: unknown }> {
  vi.useFakeTimers({ toFake: ['Date'] });
  const before = () => {
    vi.setSystemTime(Date.now() + seconds * 1000);
  };
  const api = await startScriptedApi([{ status: 201, body: { data: order }, before }, 'hang up']);
  const result = await platform.run('creates.create_order.operation.perform', {
    authData: { base_url: api.baseUrl, api_key: `dk_live_${'x'.repeat(43)}` },
    inputData: { items },
    meta: {},
  });
  await api.close();
  return { asked: api.seen.slice(1).map(({ path }) => path), result };
}

test('a step that has taken long already gives a name up at once, because Zapier would end it after the order was made', async () => {
  const path = `/api/v1/public/clients/${client}`;
  const { asked, result } = await askedAfter(20);
  expect(asked).toEqual([path]);
  expect(result).toMatchObject({ internal_number: 'O-2026-0108', client_name: null });
  expect((await askedAfter(1)).asked).toEqual([path, path, path, path]);
});

test('an attempt has 9 seconds, and no more than the run', () => {
  expect([27_000, 9_000, 4_000, -3_000].map(attemptTimeout)).toEqual([9_000, 9_000, 4_000, 1_000]);
});
