import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterAll } from 'vitest';

export interface ReceivedMail {
  /** Who gets it, by the envelope. */
  to: string[];
  /** By their names in lower case, in the order in which they stand; several of one name are all there. */
  headers: [name: string, value: string][];
  subject: string;
  text: string;
  raw: string;
}

export interface Inbox {
  url: string;
  mails: ReceivedMail[];
  /** True: every mail is refused for now. */
  refuse: boolean;
  /** Addresses that the server does not know. */
  unknown: Set<string>;
  /** What is sent from now on is taken when the promise is kept. */
  held: Promise<void>;
}

/** A real mail server that keeps what it is sent, until the file ends. */
export async function startInbox(): Promise<Inbox> {
  const inbox: Inbox = { url: '', mails: [], refuse: false, unknown: new Set(), held: Promise.resolve() };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      done(inbox.unknown.has(address) ? new Error('No such user') : undefined);
    },
    onData(stream, session, done) {
      text(stream).then(async (raw) => {
        await inbox.held;
        if (inbox.refuse) return done(new Error('Try again later'));
        const to = session.envelope.rcptTo.map(({ address }) => address);
        inbox.mails.push({ to, ...parse(raw), raw });
        done();
      }, done);
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  inbox.url = `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)));
  return inbox;
}

function parse(raw: string): Pick<ReceivedMail, 'headers' | 'subject' | 'text'> {
  const end = raw.indexOf('\r\n\r\n');
  const headers = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    });
  const headerOf = (wanted: string): string => headers.find(([name]) => name === wanted)?.[1] ?? '';
  const body = raw.slice(end + 4);
  const isQuoted = headerOf('content-transfer-encoding') === 'quoted-printable';
  return {
    headers,
    // RFC 2047: encoded words, of which those that follow each other are one text.
    subject: headerOf('subject')
      .replaceAll(/\?= =\?/g, '?==?')
      .replaceAll(/(?:=\?UTF-8\?Q\?[^?]*\?=)+/g, (words) =>
        unquoted(words.replaceAll(/=\?UTF-8\?Q\?|\?=/g, '').replaceAll('_', ' ')),
      ),
    text: (isQuoted ? unquoted(body) : body).replaceAll('\r\n', '\n'),
  };
}

/** RFC 2045, 6.7. */
const unquoted = (quoted: string): string =>
  Buffer.from(
    quoted
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
