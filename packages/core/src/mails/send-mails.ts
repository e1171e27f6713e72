import type { Language } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Database } from '../database/connect.ts';
import { nothingPaused } from '../installation/queue.ts';
import type { WebhookMailFacts } from './note-webhook-mails.ts';
import { webhookMailText } from './webhook-mail-text.ts';

/** A mail as it is posted: plain text. */
export interface Mail {
  /** Stable: when a mail is sent a second time because a worker died in between, it is the same. */
  id: string;
  to: { name: string; address: string };
  subject: string;
  text: string;
}

/** The server does not take this mail, as when it does not know the address; it may well take others. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

interface WaitingMail {
  organization_id: string;
  id: string;
  kind: 'webhook.failing' | 'webhook.ended';
  facts: WebhookMailFacts;
  attempts: number;
  created_at: string;
  name: string;
  email: string;
  active: boolean;
  language: Language | null;
  organization_name: string;
  time_zone: string;
}

/** A worker that dies with a mail in its hands leaves it for this long. */
const leaseMs = 5 * 60_000;
const longestPauseMs = 3_600_000;
const givenUpAfterMs = 72 * 3_600_000;

/**
 * Posts the mails that are due. One that cannot be posted is tried again after 1, 2, 4, … minutes, at most an hour
 * apart, for three days. The others wait for the next call, because the server is probably down; unless it was MailRefused
 * that `post` raised. Nobody who is inactive is written to, and from a test environment nobody at all. Answers how many
 * were posted.
 */
export async function sendMails(core: Core, post: (mail: Mail) => Promise<void>): Promise<number> {
  const { sql, clock, log, environment } = core;
  for (let sent = 0; ; ) {
    const waiting = await takeMail(sql, clock.now());
    if (!waiting) return sent;
    if (environment === 'test' || !waiting.active) {
      await settle(sql, waiting, { dueAt: null, sentAt: null });
      continue;
    }
    try {
      await post(mailOf(waiting, core.origin));
    } catch (error) {
      const now = clock.now().getTime();
      const isGivenUp = now - Date.parse(waiting.created_at) >= givenUpAfterMs;
      const pauseMs = Math.min(60_000 * 2 ** (waiting.attempts - 1), longestPauseMs);
      const dueAt = isGivenUp ? null : new Date(now + pauseMs).toISOString();
      await settle(sql, waiting, { dueAt, sentAt: null });
      const said = isGivenUp ? 'is given up' : 'is tried again';
      log.error({ error, mail_id: waiting.id }, `A mail could not be sent and ${said}`);
      if (error instanceof MailRefused) continue;
      return sent;
    }
    await settle(sql, waiting, { dueAt: null, sentAt: clock.now().toISOString() });
    sent += 1;
  }
}

async function takeMail(sql: Database, now: Date): Promise<WaitingMail | undefined> {
  const [mail] = await sql<WaitingMail[]>`
    update mails set attempts = mails.attempts + 1, due_at = ${new Date(now.getTime() + leaseMs).toISOString()}
    from (select organization_id, id from mails where due_at <= ${now.toISOString()} and ${nothingPaused(sql)}
          order by due_at limit 1 for update skip locked) due
    join organizations o on o.id = due.organization_id
    cross join memberships m join users u on u.id = m.person_id
    where mails.organization_id = due.organization_id and mails.id = due.id
      and m.organization_id = mails.organization_id and m.id = mails.user_id
    returning mails.organization_id, mails.id, mails.kind, mails.facts, mails.attempts, mails.created_at, m.name, u.email,
              m.active, m.language, o.name as organization_name, o.time_zone`;
  return mail;
}

async function settle(
  sql: Database,
  { organization_id, id }: WaitingMail,
  { dueAt, sentAt }: { dueAt: string | null; sentAt: string | null },
): Promise<void> {
  await sql`
    update mails set due_at = ${dueAt}, sent_at = ${sentAt} where organization_id = ${organization_id} and id = ${id}`;
}

function mailOf(mail: WaitingMail, origin: string): Mail {
  const context = {
    ...{ language: mail.language ?? ('en' as const), name: mail.name, timeZone: mail.time_zone, origin },
    organization: mail.organization_name,
  };
  const kind = mail.kind === 'webhook.failing' ? 'failing' : 'ended';
  return {
    id: mail.id,
    to: { name: mail.name, address: mail.email },
    ...webhookMailText(kind, mail.facts, context),
  };
}
