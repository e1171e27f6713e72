import type { Language } from '@dealkeep/contract';
import { ownerRole } from '../users/membership-rows.ts';
import { momentText, oneLine } from './plain-text.ts';

/** What the text of an invitation is made of when it is sent. */
export interface InvitationMailFacts {
  id: string;
  /** Name of who invites. */
  invited_by: string;
  role: string;
  expires_at: string;
}

/** Subject and plain text of an invitation. It reads the same whether its reader signs in here already or not. */
export function invitationMailText(
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
