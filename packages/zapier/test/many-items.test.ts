import { updateOrganization } from '@dealkeep/core';
import { startDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { apiKey, integration } from '../src/index.ts';
import { keyConnection } from './platform/connection.ts';
import { failureOf } from './platform/failure.ts';
import { startInProcess } from './platform/platform.ts';
import { MovableClock } from './platform/service-in-process.ts';

const requestsPerMinute = 30;
const items = 70;
const atOnce = 10;

test('more items than two minutes take all arrive through one step, once each', {
  timeout: 60_000,
}, async () => {
  const clock = new MovableClock();
  const dealkeep = await startDealkeep({ worker: false, clock });
  const { key, id, slug } = await dealkeep.createOrganization();
  await updateOrganization(dealkeep.sql, slug, { requestsPerMinute });
  const platform = await startInProcess(integration(apiKey));
  onTestFinished(() => platform.close());
  const { authData } = keyConnection(dealkeep.baseUrl, key);
  const waiting = Array.from({ length: items }, (_, index) => `Item ${index}`);
  let held = 0;

  /** Zapier runs a step that was throttled again, after the delay that the error names. */
  const arrive = async (name: string): Promise<void> => {
    const inputData = { name };
    const run = platform.run('creates.create_company.operation.perform', { authData, inputData, meta: {} });
    const result = await run.then(
      () => undefined,
      (error: unknown) => failureOf(Promise.reject(error)),
    );
    if (!result) return;
    expect(result).toMatchObject({ name: 'ThrottledError', delay: expect.any(Number) });
    held += 1;
    clock.advance((result.delay ?? 0) * 1000);
    return arrive(name);
  };
  const work = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) await arrive(name);
  };
  await Promise.all(Array.from({ length: atOnce }, work));

  const rows = await dealkeep.sql<
    { name: string }[]
  >`select name from companies where organization_id = ${id}`;
  expect(new Set(rows.map(({ name }) => name)).size).toBe(items);
  expect(rows).toHaveLength(items);
  expect(held).toBeGreaterThan(0);
});
