import { createClient, DealkeepError, inBatches } from '@dealkeep/client';
import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

let moment = Date.parse('2026-10-01T12:00:00.000Z');
const running = await startDealkeep({ worker: false, clock: { now: () => new Date(moment) } });

/** A client for which waiting is the passing of the API's time. */
async function patientClient() {
  const { key } = await running.createOrganization({ usualRateLimits: true });
  const statuses: number[] = [];
  const waits: number[] = [];
  const dealkeep = createClient({
    baseUrl: running.baseUrl,
    apiKey: key,
    timing: {
      now: () => moment,
      async sleep(milliseconds) {
        waits.push(milliseconds);
        moment += milliseconds;
      },
    },
    async fetch(url, init) {
      const response = await fetch(url, init);
      statuses.push(response.status);
      return response;
    },
  });
  return { dealkeep, statuses, waits };
}

const allOf = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

test('1,500 tasks go in as fast as the limits let them by default, without one refused item', async () => {
  moment += 60_000 - (moment % 60_000);
  const { dealkeep, statuses, waits } = await patientClient();
  await dealkeep.companies.create({ name: 'Acme' });
  const rows = Array.from({ length: 1500 }, (_, number) => ({ title: `Task ${number}` }));
  const results = await allOf(inBatches(dealkeep.tasks, 'create', rows));
  expect(results.map(({ index, status, item, data }) => [index, status, item.title, data?.title])).toEqual(
    rows.map(({ title }, index) => [index, 201, title, title]),
  );
  // 120 requests a minute: 11 batches beside the company's request, then the rest in the next minute.
  expect(statuses).toEqual([201, ...Array(11).fill(200), 429, ...Array(4).fill(200)]);
  expect(waits).toHaveLength(1);
  expect((await dealkeep.tasks.list({ limit: 1 })).data).toHaveLength(1);
}, 180_000);

test('items that are refused are told beside those that are not, and a repeat with the key does nothing twice', async () => {
  const { dealkeep } = await patientClient();
  async function* rows() {
    for (let number = 0; number < 250; number += 1) {
      yield number === 205 ? { name: 'Wrong', email: 'nobody' } : { name: `C ${number}` };
    }
  }
  const send = () => allOf(inBatches(dealkeep.companies, 'create', rows(), { idempotencyKey: 'import' }));
  const first = await send();
  expect(first).toHaveLength(250);
  expect(first.filter(({ status }) => status !== 201)).toMatchObject([
    { index: 205, status: 422, item: { name: 'Wrong' }, error: { code: 'VALIDATION_ERROR' } },
  ]);
  expect(await send()).toEqual(first);
  expect(await allOf(dealkeep.companies.list({ limit: 100 }))).toHaveLength(249);
});

test('no batch is larger than a request may be', async () => {
  const { dealkeep, statuses } = await patientClient();
  const note = 'ž'.repeat(20_000);
  const rows = Array.from({ length: 60 }, (_, number) => ({ name: `C ${number}`, note }));
  expect(await allOf(inBatches(dealkeep.companies, 'create', rows))).toHaveLength(60);
  expect(statuses).toEqual([200, 200, 200]);
});

test('what fails as a whole throws, and nothing is sent of no items', async () => {
  const { dealkeep, statuses } = await patientClient();
  expect(await allOf(inBatches(dealkeep.tasks, 'create', []))).toEqual([]);
  expect(statuses).toEqual([]);
  const stranger = createClient({ baseUrl: running.baseUrl, apiKey: 'dk_live_none' });
  await expect(allOf(inBatches(stranger.tasks, 'create', [{ title: 'x' }]))).rejects.toBeInstanceOf(
    DealkeepError,
  );
});
