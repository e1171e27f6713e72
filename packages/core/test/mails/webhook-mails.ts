import { createManualWebhook, type TestDealkeep, type TestOrganization } from '@dealkeep/testing';
import { addWebhookMails, type WebhookNews } from '../../src/change/queue/mail-jobs.ts';
import type { Inbox } from './inbox.ts';
import { waitingMails } from './send-mails.ts';

interface TellOptions {
  kind?: 'failing' | 'ended';
  name?: string;
  people?: string[];
  restHook?: boolean;
  on?: TestDealkeep;
  organization?: TestOrganization;
}

/** What tests of mails about failing webhooks do, with one Dealkeep and the inbox that its mails come to. */
export function webhookMails(dealkeep: TestDealkeep, inbox: Inbox) {
  /** A webhook that has failed for long, as the attempt that says so tells it. */
  async function newsOf(
    organization: TestOrganization,
    { kind = 'failing', name = 'Warehouse', people = [], restHook = false, on = dealkeep }: TellOptions = {},
  ): Promise<WebhookNews> {
    const input = { name, target_url: 'https://127.0.0.1:5000/path', events: ['lead.created'] };
    const { id } = restHook
      ? (await on.as(organization.key).post('/webhooks', input)).data
      : await createManualWebhook(on.core, organization, { ...input, notify_user_ids: people });
    return {
      organization_id: organization.id,
      webhook_id: id,
      kind,
      error: { status: 500 },
      since: '2026-09-30T07:00:00.000Z',
    };
  }

  async function tell(given: TellOptions = {}) {
    const { on = dealkeep } = given;
    const organization = given.organization ?? (await on.createOrganization());
    const news = await newsOf(organization, given);
    await on.sql.begin((tx) => addWebhookMails(tx, [news]));
    return organization;
  }
  /** What came to an address. */
  const mailsTo = (address: string) => inbox.mails.filter(({ to }) => to.includes(address));
  const waiting = (organization: { id: string }) => waitingMails(dealkeep, organization);

  return { newsOf, tell, mailsTo, waiting };
}
