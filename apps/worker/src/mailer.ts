import { type Log, mailServerLimits } from '@dealkeep/core/foundations';
import type { Mail } from '@dealkeep/core/installation';
import { createTransport } from 'nodemailer';

/** Where mail goes. */
export interface MailSettings {
  /** `SMTP_URL`, such as smtps://user:password@mail.example.com */
  url: string;
  /** `MAIL_FROM`, such as Dealkeep <crm@example.com> */
  from: string;
}

/**
 * Posts mails to the server; without one they go to the log, so that nothing is lost unseen. Raises what went
 * wrong with the server, and what the server has against the mail.
 */
export function createMailer(settings: MailSettings | undefined, log: Log): (mail: Mail) => Promise<void> {
  if (!settings) {
    return async ({ to, subject, text }) =>
      log.info({ to: to.address, subject, text }, 'A mail, written here because SMTP_URL is not set');
  }
  const { url, from } = settings;
  const transport = transportTo(url);
  return async ({ id, to, subject, text }) => {
    await transport.sendMail({
      from,
      to,
      subject,
      text,
      messageId: `<${id}@dealkeep>`,
      // RFC 3834: nobody's absence notice answers it.
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  };
}

const transportTo = (url: string) =>
  createTransport({
    url,
    connectionTimeout: mailServerLimits.connectMs,
    greetingTimeout: mailServerLimits.greetingMs,
    socketTimeout: mailServerLimits.silentMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

/** Connects to the mail server and signs in, as for a mail, and sends none. Rejects with what went wrong. */
export async function checkMailServer({ url }: Pick<MailSettings, 'url'>): Promise<void> {
  const transport = transportTo(url);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}
