import { limits } from '@dealkeep/contract';
import { updateOrganization } from '@dealkeep/core/accounts';
import { startDealkeep, type TestDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { apiKey } from '../src/index.ts';
import { builtIntegration } from './platform/built-integration.ts';
import { keyConnection } from './platform/connection.ts';
import { failureOf } from './platform/failure.ts';
import { passPauses } from './platform/passing-clock.ts';
import { type Platform, startInProcess } from './platform/platform.ts';
import { MovableClock } from './platform/service-in-process.ts';

const atOnce = 25;
const windowMilliseconds = 60_000;

/** The service's time goes on when a run of the test waits. */
let pausing = (_milliseconds: number): void => {};
passPauses((milliseconds) => pausing(milliseconds));

/** A service of its own with this limit, whose time goes on when a test waits. */
async function openOffice(requestsPerMinute: number) {
  const clock = new MovableClock();
  const dealkeep = await startDealkeep({ worker: false, clock });
  const { key, id, slug } = await dealkeep.createOrganization();
  await updateOrganization(dealkeep.sql, slug, { requestsPerMinute });
  const platform = await startInProcess(builtIntegration(apiKey));
  onTestFinished(() => platform.close());
  const { authData } = keyConnection(dealkeep.baseUrl, key);
  const create = (row: number) =>
    platform.run('creates.create_company.operation.perform', {
      authData,
      inputData: { name: `Row ${row}`, registration_id: `${row}` },
      meta: {},
    });
  return { clock, dealkeep, organization: id, platform, create };
}

/** As many workers as Zapier has running at once take row after row. */
async function eachRow(length: number, work: (row: number) => Promise<void>): Promise<void> {
  const rows = Array.from({ length }, (_, row) => row);
  const worker = async () => {
    for (let row = rows.pop(); row !== undefined; row = rows.pop()) await work(row);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function namesIn({ sql }: TestDealkeep, organization: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from companies where organization_id = ${organization}`;
  return rows.map(({ name }) => name);
}

async function throttleOf(platform: Platform): Promise<{ window: number; limit: number }> {
  const { throttle } = Object(await platform.definition());
  return throttle;
}

test('rows of a loop that come all at once, eight times as many as pass in a minute, arrive through one step, once each', async () => {
  const limit = 30;
  const items = 8 * limit;
  const { clock, dealkeep, organization, create } = await openOffice(limit);
  let held = 0;

  /** Zapier runs a step that was throttled again, after the delay that the error names. */
  const arrive = async (row: number): Promise<void> => {
    const refused = await create(row).then(
      () => undefined,
      (error: unknown) => failureOf(Promise.reject(error)),
    );
    if (!refused) return;
    expect(refused, refused.message).toMatchObject({ name: 'ThrottledError', delay: expect.any(Number) });
    held += 1;
    clock.advance((refused.delay ?? 0) * 1000);
    return arrive(row);
  };
  await eachRow(items, arrive);

  const names = await namesIn(dealkeep, organization);
  expect(new Set(names).size).toBe(items);
  expect(names).toHaveLength(items);
  expect(held).toBeGreaterThan(items / limit - 2);
});

test('rows that Zapier holds as the integration asks it to are never refused', async () => {
  const { clock, dealkeep, organization, platform, create } = await openOffice(limits.requestsPerMinute);
  pausing = (milliseconds) => clock.advance(milliseconds);
  onTestFinished(() => {
    pausing = () => {};
  });
  const { window, limit } = await throttleOf(platform);
  expect(window * 1000).toBe(windowMilliseconds);
  const windows = 2;
  for (let each = 0; each < windows; each += 1) {
    // The minutes of the service are those of its clock.
    clock.advance(windowMilliseconds - (clock.now().getTime() % windowMilliseconds));
    // One after another: a request that a busy machine lets wait too long would be sent twice, and count twice.
    for (let row = 0; row < limit; row += 1) await create(each * limit + row);
  }

  expect(new Set(await namesIn(dealkeep, organization)).size).toBe(windows * limit);
});
