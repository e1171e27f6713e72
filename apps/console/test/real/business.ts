import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOAuthApp } from '@dealkeep/core/accounts';
import { seedDemo } from '@dealkeep/core/installation';
import {
  connectedUser,
  createManualWebhook,
  eventually,
  ownerPassword,
  sendTestEvent,
  startDealkeep,
  type TestDealkeep,
  type TestOrganization,
} from '@dealkeep/testing';
import { afterAll } from 'vitest';
import type { Visitor } from './visitor.ts';

/** Dealkeep with an organization in which something is going on, for a test file. */
export async function startBusiness() {
  const dealkeep = await startDealkeep();
  const organization = await dealkeep.createOrganization();
  const { core } = dealkeep;
  const { slug } = organization;
  await core.sql`update organizations set name = 'Tatra Studio' where id = ${organization.id}`;
  await seedDemo(core, slug, 'small');
  const receiver = await startReceiver();
  await connectedUser(dealkeep, organization, 'leads.view=all,leads.create=all,leads.edit=all');
  const redirectUri = `${receiver}/connected`;
  const app = await createOAuthApp(core, {
    name: 'Zapier',
    redirectUris: [redirectUri],
    scopes: ['leads:read', 'leads:write', 'tasks:read'],
  });
  await happen(dealkeep, organization, receiver);
  return { dealkeep, organization, receiver, app: { id: app.client_id, redirectUri } };
}

export type Business = Awaited<ReturnType<typeof startBusiness>>;

export async function signIn(
  { page }: Pick<Visitor, 'page'>,
  { ownerEmail }: Pick<TestOrganization, 'ownerEmail'>,
): Promise<void> {
  await page.goto('/sign-in');
  await page.fill('#email', ownerEmail);
  await page.fill('#password', ownerPassword);
  await page.click('main button');
  await page.waitForURL('/');
}

/** A subscriber that answers well everywhere but below /broken. */
export async function startReceiver(): Promise<string> {
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(request.url?.startsWith('/broken') ? 500 : 200).end('noted');
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  afterAll(() => void receiver.close());
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
}

/** Webhooks that do well, that fail and that are disabled, and events of two weeks. */
async function happen(
  { core, as, sql }: TestDealkeep,
  organization: TestOrganization,
  receiver: string,
): Promise<void> {
  const name = { id: organization.id, slug: organization.slug };
  const webhook = (label: string, path: string, events: readonly ['lead.created', ...string[]]) =>
    createManualWebhook(core, name, {
      name: label,
      target_url: `${receiver}${path}`,
      events: [...events] as ['lead.created'],
    });
  const healthy = await webhook('Team chat', '/chat', ['lead.created', 'lead.won']);
  await webhook('Accounting', '/broken', ['lead.created', 'invoice.paid']);
  const disabled = await webhook('Old warehouse', '/broken/warehouse', ['lead.created']);
  const api = as(organization.key);
  await api.post('/webhooks', {
    target_url: `${receiver}/zap`,
    event: 'lead.created',
    name: 'Zap: new leads',
  });
  for (const lead of ['Website for a bakery', 'Menu redesign', 'Photo session', 'Rebranding', 'Campaign']) {
    await api.post('/leads', {
      name: lead,
      value: 1200,
      dedupe: 'none',
      company: { name: `${lead} s.r.o.` },
    });
  }
  await api.post('/companies', { name: 'Pekáreň Zvolen s.r.o.' });
  await sendTestEvent(core, name, { id: healthy.id, event: 'lead.won' });
  await eventually(async () => {
    const [row] =
      await sql`select count(*)::integer as tried from attempts where organization_id = ${organization.id}`;
    if (row?.['tried'] < 20) throw new Error('Not all was tried yet');
  });
  await sql`
    update webhooks set disabled_reason = 'failing', disabled_at = now(), failing_since = now() - interval '3 days'
    where id = ${disabled.id}`;
  await api.post('/leads', { name: 'Held for the warehouse' });
  // As if it had happened over two weeks.
  await sql`
    update events set occurred_at = now() - n * n * interval '20 minutes'
    from (select id as event, row_number() over (order by id desc) as n from events
          where organization_id = ${organization.id}) as numbered
    where organization_id = ${organization.id} and id = event`;
}
