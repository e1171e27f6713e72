import { randomUUID } from 'node:crypto';
import { at } from './json.ts';

export interface SessionTicket {
  origin: string;
  installation: string;
  cookie: string;
  browserId: string;
  logFile: string;
  processId: number | undefined;
}

/** What the editor does: a signed-in person's calls to n8n's own interface. */
export class N8nSession {
  readonly origin: string;
  readonly installation: string;
  readonly browserId: string;
  readonly logFile: string;
  readonly processId: number | undefined;
  cookie: string;

  constructor(ticket: SessionTicket) {
    this.origin = ticket.origin;
    this.installation = ticket.installation;
    this.browserId = ticket.browserId;
    this.logFile = ticket.logFile;
    this.processId = ticket.processId;
    this.cookie = ticket.cookie;
  }

  /** Sets up the owner of a fresh n8n and signs in. */
  static async setUp(
    server: Pick<SessionTicket, 'origin' | 'logFile' | 'processId'>,
    installation: string,
  ): Promise<N8nSession> {
    const { origin, logFile, processId } = server;
    const place = { origin, logFile, processId, installation };
    const session = new N8nSession({ ...place, cookie: '', browserId: randomUUID() });
    await session.call('POST', '/rest/owner/setup', {
      email: 'owner@dealkeep.example',
      firstName: 'Jana',
      lastName: 'Horváthová',
      password: 'Correct-horse-7',
    });
    return session;
  }

  /** For sessions of other processes. */
  get ticket(): SessionTicket {
    const { origin, installation, cookie, browserId, logFile, processId } = this;
    return { origin, installation, cookie, browserId, logFile, processId };
  }

  /** One call; the answer's `data`. Rejects with n8n's answer when it is not a success. */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(this.origin + path, {
      method,
      headers: {
        'browser-id': this.browserId,
        'content-type': 'application/json',
        // An n8n that is busy ends an idle connection while the next call is on its way.
        connection: 'close',
        ...(this.cookie ? { cookie: this.cookie } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const session = response.headers.getSetCookie().find((cookie) => cookie.startsWith('n8n-auth='));
    if (session) this.cookie = session.slice(0, session.indexOf(';'));
    const text = await response.text();
    if (!response.ok) throw new N8nRefusal(method, path, response.status, text);
    return text === '' ? undefined : at(JSON.parse(text), 'data');
  }
}

/** An answer of n8n that is not a success. */
export class N8nRefusal extends Error {
  readonly status: number;
  readonly body: string;

  constructor(method: string, path: string, status: number, body: string) {
    super(`${method} ${path} answered ${status}: ${body}`);
    this.status = status;
    this.body = body;
  }
}
