import { setTimeout as sleep } from 'node:timers/promises';
import { updateOrganization } from '@dealkeep/core/accounts';
import type { TestDealkeep, TestOrganization } from '@dealkeep/testing';
import { expect } from 'vitest';
import { Api } from './api.ts';
import type { Execution } from './execution.ts';
import { at } from './json.ts';
import type { N8nDriver } from './n8n-driver.ts';
import { type SeenRequest, startTroubledProxy } from './troubled-proxy.ts';

/**
 * Creates so many companies by one run of the node, each by a request of its own, while the rate limit is so many
 * requests per minute, and expects every one of them once, in order, and every wait as long as `Retry-After` said.
 *
 * @param speed how much faster the clock of Dealkeep runs
 */
export async function expectManyItems(
  n8n: N8nDriver,
  {
    dealkeep,
    organization,
    speed,
  }: { dealkeep: TestDealkeep; organization: TestOrganization; speed: number },
  { items, limit, patience }: { items: number; limit: number; patience: number },
): Promise<{ execution: Execution; requests: readonly SeenRequest[] }> {
  const api = new Api(dealkeep.baseUrl, organization.key);
  const proxy = await startTroubledProxy(dealkeep.origin, { speed });
  try {
    const limits = { requestsPerMinute: limit, orgRequestsPerMinute: 10 * limit };
    await updateOrganization(dealkeep.sql, organization.slug, limits);
    const credential = await n8n.createCredential(`${proxy.origin}/api/v1/public`, organization.key);
    // Somebody else uses the window up until the node is refused.
    let over = false;
    const isRefused = () => proxy.seen().some(({ status }) => status === 429);
    const others = (async () => {
      while (!over && !isRefused()) {
        await Promise.allSettled([api.call('GET', '/me'), sleep(20)]);
      }
    })();
    const names = Array.from(
      { length: items },
      (_, index) => `Company ${String(index + 1).padStart(5, '0')}`,
    );
    const execution = await n8n.act(
      {
        resource: 'company',
        operation: 'create',
        name: '={{ $json.name }}',
        additionalFields: {},
        options: { sendInBatches: false },
      },
      credential,
      { items: names.map((name) => ({ name })), patience },
    );
    over = true;
    await others;
    expect(execution.error('Dealkeep')).toBeUndefined();
    expect(execution.output('Dealkeep').map((record) => record['name'])).toEqual(names);
    expect(execution.items('Dealkeep').map((item) => at(item, 'pairedItem', 'item'))).toEqual(
      names.map((_, item) => item),
    );
    expectWaits(proxy.seen());

    await updateOrganization(dealkeep.sql, organization.slug, { requestsPerMinute: 1_000_000 });
    expect(await createdNames(dealkeep, organization)).toEqual(names);
    return { execution, requests: proxy.seen() };
  } finally {
    await proxy.stop();
  }
}

/** The refused came again, and not before they were told to. */
function expectWaits(seen: readonly SeenRequest[]): void {
  const refused = seen.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const each of refused) {
    const next = seen[seen.indexOf(each) + 1];
    expect(next?.idempotencyKey).toBe(each.idempotencyKey);
    expect((next?.at ?? 0) - each.at).toBeGreaterThanOrEqual(1000 * Number(each.retryAfter));
  }
}

/** By the time of their creation; not through the API, whose limit the node may just have used up. */
async function createdNames(dealkeep: TestDealkeep, organization: TestOrganization): Promise<unknown[]> {
  const rows = await dealkeep.sql`
    select name from companies where organization_id = ${organization.id} order by created_at, id`;
  return rows.map(({ name }) => name);
}
