import { limits } from '@dealkeep/contract';
import { updateOrganization } from '@dealkeep/core';
import { startDealkeep, type TestDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { apiKey, integration } from '../src/index.ts';
import { keyConnection } from './platform/connection.ts';
import { failureOf } from './platform/failure.ts';
import { type Platform, startInProcess } from './platform/platform.ts';
import { MovableClock } from './platform/service-in-process.ts';

const items = 1000;
const atOnce = 25;
/** A thousand runs take a while where much else runs beside them, and the last of a window pause. */
const patience = { timeout: 400_000 };
const windowMilliseconds = 60_000;

/** A service of its own at the default limits, whose time goes on when a test waits. */
async function openOffice() {
  const clock = new MovableClock();
  const dealkeep = await startDealkeep({ worker: false, clock });
  const { key, id, slug } = await dealkeep.createOrganization();
  await updateOrganization(dealkeep.sql, slug, { requestsPerMinute: limits.requestsPerMinute });
  const platform = await startInProcess(integration(apiKey));
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

test(
  'a thousand rows of a loop that come all at once arrive through one step, once each',
  patience,
  async () => {
    const { clock, dealkeep, organization, create } = await openOffice();
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
    expect(held).toBeGreaterThan(items / limits.requestsPerMinute - 2);
  },
);

test('rows that Zapier holds as the integration asks it to are never refused', patience, async () => {
  const { clock, dealkeep, organization, platform, create } = await openOffice();
  const { window, limit } = await throttleOf(platform);
  expect(window * 1000).toBe(windowMilliseconds);
  const windows = 2;
  for (let each = 0; each < windows; each += 1) {
    // One after another: a request that a busy machine lets wait too long would be sent twice, and count twice.
    for (let row = 0; row < limit; row += 1) await create(each * limit + row);
    clock.advance(windowMilliseconds);
  }

  expect(new Set(await namesIn(dealkeep, organization)).size).toBe(windows * limit);
});
