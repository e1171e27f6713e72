import { describeDeliveryFailure, type Language, limits, type Text } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Database } from '../database/connect.ts';
import type { LastError } from '../deliveries/webhook-health.ts';
import { nothingPaused } from '../installation/queue.ts';
import { newInvitationLink } from '../invitations/invitations.ts';
import { ownerRole } from '../users/members.ts';
import type { WebhookMailFacts } from './webhook-mails.ts';

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
  /** Whether the person is still active, or the invitation can still be accepted. */
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

interface MailContext {
  language: Language;
  /** Of the person who reads it. */
  name: string;
  organization: string;
  timeZone: string;
  /** The public address that links begin with. */
  origin: string;
}

const hours = { mail: limits.failingMailHours, end: limits.failingEndHours };
const held = { days: limits.heldEventsDays, events: limits.heldEventsPerWebhook.toLocaleString('en') };

/**
 * Subject and plain text of a mail about a webhook that fails or has ended. Names and the like become one line each,
 * so that they add neither headers nor paragraphs; there is no HTML.
 */
function webhookMailText(
  kind: 'failing' | 'ended',
  facts: WebhookMailFacts,
  context: MailContext,
): { subject: string; text: string } {
  const { language, origin } = context;
  const name = oneLine(facts.name);
  const what = `${facts.rest_hook ? 'REST hook' : 'webhook'} "${name}"`;
  const link =
    kind === 'ended' && facts.rest_hook ? `${origin}/webhooks` : `${origin}/webhooks/${facts.webhook_id}`;
  const paragraphs = [
    { en: `Hello ${oneLine(context.name)},`, sk: `Dobrý deň, ${oneLine(context.name)},` },
    nothingArrived(what, facts, context),
    {
      en: `The last error: ${errorWords(facts.error).en}.`,
      sk: `Posledná chyba: ${errorWords(facts.error).sk}.`,
    },
    kind === 'failing' ? whatWillHappen(facts) : whatHappened(facts),
    { en: `Deliveries and their errors: ${link}`, sk: `Doručenia a ich chyby: ${link}` },
  ];
  return {
    subject: oneLine(subjectOf(kind, what, facts)[language]),
    text: `${paragraphs.map((paragraph) => paragraph[language]).join('\n\n')}\n`,
  };
}

function subjectOf(
  kind: 'failing' | 'ended',
  what: string,
  { rest_hook: isRestHook }: WebhookMailFacts,
): Text {
  if (kind === 'failing') {
    return {
      en: `The ${what} has been failing for ${hours.mail} hours`,
      sk: `${capital(what)} zlyháva už ${hours.mail} hodín`,
    };
  }
  return isRestHook
    ? { en: `The ${what} was deleted`, sk: `${capital(what)} bol zmazaný` }
    : { en: `The ${what} was disabled`, sk: `${capital(what)} bol vypnutý` };
}

function nothingArrived(what: string, { host, since }: WebhookMailFacts, context: MailContext): Text {
  const organization = oneLine(context.organization);
  const moment = (language: Language): string => momentText(since, language, context.timeZone);
  return {
    en: `Nothing has reached the ${what} of ${organization} at ${host} since ${moment('en')}.`,
    sk: `${capital(what)} organizácie ${organization} na adrese ${host} nič neprijal od ${moment('sk')}.`,
  };
}

const whatWillHappen = ({ rest_hook: isRestHook }: WebhookMailFacts): Text =>
  isRestHook
    ? {
        en: `It is still tried. After ${hours.end} hours without success it is deleted, and the application that made it has to subscribe again.`,
        sk: `Pokusy pokračujú. Po ${hours.end} hodinách bez úspechu bude zmazaný a aplikácia, ktorá ho vytvorila, sa musí prihlásiť znova.`,
      }
    : {
        en: `It is still tried. After ${hours.end} hours without success it is disabled; events are then held for up to ${held.days} days, at most ${held.events}, and delivered once it is enabled again.`,
        sk: `Pokusy pokračujú. Po ${hours.end} hodinách bez úspechu bude vypnutý; udalosti sa potom uchovajú najviac ${held.days} dní, najviac ${limits.heldEventsPerWebhook}, a doručia sa po jeho zapnutí.`,
      };

const whatHappened = ({ rest_hook: isRestHook }: WebhookMailFacts): Text =>
  isRestHook
    ? {
        en: `After ${hours.end} hours without success it was deleted, with what was still to be delivered. The application that made it has to subscribe again.`,
        sk: `Po ${hours.end} hodinách bez úspechu bol zmazaný aj s tým, čo sa ešte malo doručiť. Aplikácia, ktorá ho vytvorila, sa musí prihlásiť znova.`,
      }
    : {
        en: `After ${hours.end} hours without success it was disabled. Events are held for up to ${held.days} days, at most ${held.events}. Mend the receiver, then enable the webhook: they are delivered, oldest first.`,
        sk: `Po ${hours.end} hodinách bez úspechu bol vypnutý. Udalosti sa uchovajú najviac ${held.days} dní, najviac ${limits.heldEventsPerWebhook}. Opravte prijímateľa a webhook zapnite: doručia sa od najstaršej.`,
      };

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What the text of an invitation is made of when it is sent. */
interface InvitationMailFacts {
  id: string;
  /** Name of who invites. */
  invited_by: string;
  role: string;
  expires_at: string;
}

/** Subject and plain text of an invitation. It reads the same whether its reader signs in here already or not. */
function invitationMailText(
  { invited_by: inviter, role, expires_at: until }: InvitationMailFacts,
  context: { language: Language; organization: string; timeZone: string; link: string },
): { subject: string; text: string } {
  const { language, timeZone, link } = context;
  const [by, organization] = [oneLine(inviter), oneLine(context.organization)];
  const asWhat =
    role === ownerRole ? { en: 'an owner', sk: 'vlastník' } : { en: oneLine(role), sk: oneLine(role) };
  const moment = momentText(until, language, timeZone);
  const paragraphs = {
    en: [
      'Hello,',
      `${by} invites you to work with ${organization} in Dealkeep. Your role: ${asWhat.en}.`,
      `Accept here, until ${moment}: ${link}`,
      'If you do not expect this, ignore it: nothing happens.',
    ],
    sk: [
      'Dobrý deň,',
      `${by} vás pozýva pracovať s organizáciou ${organization} v Dealkeepe. Vaša rola: ${asWhat.sk}.`,
      `Prijmite tu, do ${moment}: ${link}`,
      'Ak to nečakáte, nič nerobte: nič sa nestane.',
    ],
  };
  const subject = {
    en: `${by} invites you to ${organization}`,
    sk: `${by} vás pozýva do organizácie ${organization}`,
  };
  return { subject: oneLine(subject[language]), text: `${paragraphs[language].join('\n\n')}\n` };
}

/** `1 October 2026 at 10:00 CEST`, in the time of the organization. */
const momentText = (moment: string, language: Language, timeZone: string): string =>
  new Intl.DateTimeFormat(language === 'sk' ? 'sk-SK' : 'en-GB', {
    timeZone,
    timeZoneName: 'short',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(moment));

/** Control characters and line ends of every kind become spaces. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/** What went wrong, in plain words, as a part of a sentence. */
const errorWords = (error: LastError): Text =>
  'status' in error
    ? { en: `it answered with status ${error.status}`, sk: `odpoveď so stavom ${error.status}` }
    : describeDeliveryFailure(error.reason, error.detail);
