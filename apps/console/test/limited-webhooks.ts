import type { EventType } from '@dealkeep/contract';
import { getWebhookWithHealth } from '@dealkeep/core/delivering';
import type { TestDealkeep } from '@dealkeep/testing';
import { expect } from 'vitest';
import type { LookupOwner } from './lookup-owner.ts';
import { textOf } from './page-parts.ts';

const hooks = '/integrations/webhooks';
export const newWebhook = `${hooks}/new`;

/** Makes webhooks that are limited by the form of an owner. */
export const limitedWebhooks =
  ({ core }: TestDealkeep, { browser, organization }: LookupOwner) =>
  async (
    events: EventType | EventType[],
    wanted: Readonly<Record<string, string | string[]>>,
    target_url = 'http://127.0.0.1:4567/hook',
  ) => {
    const basic = { name: 'Warehouse', target_url, events };
    const offered = await browser.fill(newWebhook, newWebhook, { ...basic, do: 'find' });
    const secret = await browser.submit(offered, newWebhook, { ...wanted, do: 'save' });
    expect([secret.status, textOf(secret.html)]).toEqual([200, expect.stringContaining('webhook is made')]);
    const { id, address } = madeWebhook(secret);
    return { id, address, edit: `${address}/edit`, now: () => getWebhookWithHealth(core, organization, id) };
  };

/** The webhook that a page says it has just made. */
export function madeWebhook({ html }: { html: string }): { id: string; address: string } {
  const [address = '', id = ''] = new RegExp(`${hooks}/([0-9a-f-]{36})`).exec(html) ?? [];
  return { id, address };
}
