import { type Language, limits, type Text } from '@dealkeep/contract';
import { errorWords } from './error-words.ts';
import type { WebhookMailFacts } from './note-webhook-mails.ts';
import { momentText, oneLine } from './plain-text.ts';

export interface MailContext {
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
export function webhookMailText(
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
