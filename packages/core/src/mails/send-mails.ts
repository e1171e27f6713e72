import type { Language } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Database } from '../database/connect.ts';
import { nothingPaused } from '../installation/queue.ts';
import { newInvitationLink } from '../invitations/invitation-link.ts';
import { ownerRole } from '../users/membership-rows.ts';
import { type InvitationMailFacts, invitationMailText } from './invitation-mail-text.ts';
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
  kind: 'webhook.failing' | 'webhook.ended' | 'invitation';
  facts: WebhookMailFacts;
  /** Null but for an invitation. */
  invitation: InvitationMailFacts | null;
  attempts: number;
  created_at: string;
  /** Null for who is invited. */
  name: string | null;
  email: string;
  /** Whether the person is; whether the invitation still can be accepted. */
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
      await post(await mailOf(core, waiting));
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
    from (select organization_id, id, user_id, invitation_id from mails
          where due_at <= ${now.toISOString()} and ${nothingPaused(sql)}
          order by due_at limit 1 for update skip locked) due
    join organizations o on o.id = due.organization_id
    left join memberships m on m.organization_id = due.organization_id and m.id = due.user_id
    left join users u on u.id = m.person_id
    left join invitations i on i.organization_id = due.organization_id and i.id = due.invitation_id
    left join memberships inviter on inviter.organization_id = i.organization_id and inviter.id = i.invited_by
    left join roles r on r.organization_id = i.organization_id and r.id = i.role_id
    where mails.organization_id = due.organization_id and mails.id = due.id
    returning mails.organization_id, mails.id, mails.kind, mails.facts, mails.attempts, mails.created_at, m.name,
              coalesce(u.email, i.email) as email, coalesce(m.active, i.expires_at > ${now.toISOString()}) as active,
              coalesce(m.language, i.language) as language, o.name as organization_name, o.time_zone,
              case when i.id is not null then json_build_object(
                'id', i.id, 'invited_by', inviter.name, 'role', coalesce(r.name, ${ownerRole}),
                'expires_at', i.expires_at) end as invitation`;
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

async function mailOf({ sql, origin }: Core, mail: WaitingMail): Promise<Mail> {
  const { id, name, email, organization_id, organization_name: organization, time_zone: timeZone } = mail;
  const language = mail.language ?? ('en' as const);
  const to = { name: name ?? '', address: email };
  if (mail.invitation) {
    const link = await newInvitationLink(
      sql,
      { organization: organization_id, id: mail.invitation.id },
      origin,
    );
    return { id, to, ...invitationMailText(mail.invitation, { language, organization, timeZone, link }) };
  }
  const kind = mail.kind === 'webhook.failing' ? 'failing' : 'ended';
  const context = { language, name: to.name, timeZone, origin, organization };
  return { id, to, ...webhookMailText(kind, mail.facts, context) };
}
