import { type Log, type Mail, MailRefused } from '@dealkeep/core';
import { createTransport } from 'nodemailer';

/** Where mail goes. */
export interface MailSettings {
  /** `SMTP_URL`, such as smtps://user:password@mail.example.com */
  url: string;
  /** `MAIL_FROM`, such as Dealkeep <crm@example.com> */
  from: string;
}

/** What nodemailer says when the server refuses the addresses or the text of one mail. */
const refusals = new Set(['EENVELOPE', 'EMESSAGE']);

/**
 * Posts mails to the server; without one they go to the log, so that nothing is lost unseen. Raises MailRefused for a
 * mail that the server does not take, and what went wrong with the server otherwise.
 */
export function createMailer(settings: MailSettings | undefined, log: Log): (mail: Mail) => Promise<void> {
  if (!settings) {
    return async ({ to, subject, text }) =>
      log.info({ to: to.address, subject, text }, 'A mail, written here because SMTP_URL is not set');
  }
  const { url, from } = settings;
  const transport = transportTo(url);
  return async ({ id, to, subject, text }) => {
    try {
      await transport.sendMail({
        from,
        to,
        subject,
        text,
        messageId: `<${id}@dealkeep>`,
        // RFC 3834: nobody's absence notice answers it.
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (error) {
      const isRefusal = error instanceof Error && 'code' in error && refusals.has(String(error.code));
      throw isRefusal ? new MailRefused(error.message, { cause: error }) : error;
    }
  };
}

const transportTo = (url: string) =>
  createTransport({
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
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
