import { describeDeliveryFailure, type Language, limits, type Text } from '@dealkeep/contract';
import { newInvitationLink } from '../../accounts/invitations/invitations.ts';
import { ownerRole } from '../../accounts/users/members.ts';
import { addMail, type LastError, MailJob, type WebhookMailFacts } from '../../change/queue/mail-jobs.ts';
import { pausedSince } from '../../change/queue/queue-pauses.ts';
import type { Services } from '../../change/services.ts';
import { hasMoved } from '../../identity/tenancy/has-moved.ts';

/** A mail as it is posted: plain text. */
export interface Mail {
  /** Stable: when a mail is sent a second time because a worker died in between, it is the same. */
  id: string;
  to: { name: string; address: string };
  subject: string;
  text: string;
}

/** Whom a mail goes to, and what all mails are made of. */
interface Recipient {
  /** Null for who is invited. */
  name: string | null;
  email: string;
  language: Language | null;
  organization: string;
  time_zone: string;
}

/**
 * Sends the mail of a job. Nobody who is inactive is written to, nobody whose invitation has ended, and from a test
 * environment nobody at all. Raises what `post` raises: graphile-worker then tries again.
 */
export async function sendMail(
  core: Services,
  post: (mail: Mail) => Promise<void>,
  payload: unknown,
): Promise<void> {
  const job = MailJob.parse(payload);
  if (core.environment === 'test') return;
  // A worker takes no mails while everything is paused; this one it took just before.
  if ((await pausedSince(core.sql)) !== null) return addMail(core.sql, job);
  if (await hasMoved(core, job.organization_id)) return;
  const mail = job.kind === 'invitation' ? await invitationMail(core, job) : await webhookMail(core, job);
  if (mail) await post(mail);
}

/** The mail about a webhook; undefined when the user is not active any more. */
async function webhookMail(
  { sql, origin }: Services,
  { kind, id, organization_id, user_id, facts }: Extract<MailJob, { user_id: string }>,
): Promise<Mail | undefined> {
  const [recipient] = await sql<Recipient[]>`
    select m.name, u.email, m.language, o.name as organization, o.time_zone
    from memberships m join users u on u.id = m.person_id join organizations o on o.id = m.organization_id
    where m.organization_id = ${organization_id} and m.id = ${user_id} and m.active`;
  if (!recipient) return undefined;
  const { name, ...context } = contextOf(recipient);
  const text = webhookMailText(kind === 'webhook.failing' ? 'failing' : 'ended', facts, {
    ...context,
    name,
    origin,
  });
  return { id, to: { name, address: recipient.email }, ...text };
}

/** The mail that invites, with a new link; undefined when the invitation was accepted or withdrawn, or has ended. */
async function invitationMail(
  { sql, clock, origin }: Services,
  { id, organization_id, invitation_id }: Extract<MailJob, { invitation_id: string }>,
): Promise<Mail | undefined> {
  const [invited] = await sql<(Recipient & InvitationMailFacts)[]>`
    select null as name, i.email, i.language, o.name as organization, o.time_zone, inviter.name as invited_by,
           coalesce(r.name, ${ownerRole}) as role, i.expires_at
    from invitations i
    join organizations o on o.id = i.organization_id
    join memberships inviter on inviter.organization_id = i.organization_id and inviter.id = i.invited_by
    left join roles r on r.organization_id = i.organization_id and r.id = i.role_id
    where i.organization_id = ${organization_id} and i.id = ${invitation_id}
      and i.expires_at > ${clock.now().toISOString()}`;
  if (!invited) return undefined;
  const link = await newInvitationLink(sql, { organization: organization_id, id: invitation_id }, origin);
  const { name, ...context } = contextOf(invited);
  return { id, to: { name, address: invited.email }, ...invitationMailText(invited, { ...context, link }) };
}

const contextOf = ({ name, language, organization, time_zone }: Recipient) => ({
  name: name ?? '',
  language: language ?? ('en' as const),
  organization,
  timeZone: time_zone,
});

interface MailContext {
  language: Language;
  /** Of the user who reads it. */
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
