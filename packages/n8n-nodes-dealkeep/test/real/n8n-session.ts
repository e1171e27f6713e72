import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Any JSON object, looked into by the tests with `at`. */
export type Json = Record<string, unknown>;

/** The value at a path of keys; undefined when something on the way is missing. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/** A text at a path; fails the test when there is none. */
export function textAt(value: unknown, ...path: (string | number)[]): string {
  const found = at(value, ...path);
  if (typeof found !== 'string') throw new Error(`No text at ${path.join('.')} in ${JSON.stringify(value)}`);
  return found;
}

/** A list at a path; fails the test when there is none. */
export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = at(value, ...path);
  if (!Array.isArray(found)) throw new Error(`No list at ${path.join('.')} in ${JSON.stringify(value)}`);
  return found;
}

/** What the editor does: a signed-in person's calls to n8n's own interface. */
export class N8nSession {
  readonly #origin: string;
  readonly #installation: string;
  readonly #browserId = randomUUID();
  #cookie = '';

  private constructor(origin: string, installation: string) {
    this.#origin = origin;
    this.#installation = installation;
  }

  /** Sets up the owner of a fresh n8n and signs in. */
  static async setUp(origin: string, installation: string): Promise<N8nSession> {
    const session = new N8nSession(origin, installation);
    await session.call('POST', '/rest/owner/setup', {
      email: 'owner@dealkeep.example',
      firstName: 'Jana',
      lastName: 'Horváthová',
      password: 'Correct-horse-7',
    });
    return session;
  }

  /** One call; the answer's `data`. Rejects with n8n's answer when it is not a success. */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(this.#origin + path, {
      method,
      headers: {
        'browser-id': this.#browserId,
        'content-type': 'application/json',
        ...(this.#cookie ? { cookie: this.#cookie } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const session = response.headers.getSetCookie().find((cookie) => cookie.startsWith('n8n-auth='));
    if (session) this.#cookie = session.slice(0, session.indexOf(';'));
    const text = await response.text();
    if (!response.ok) throw new N8nRefusal(`${method} ${path} answered ${response.status}: ${text}`, text);
    return text === '' ? undefined : at(JSON.parse(text), 'data');
  }

  /** n8n keeps the data of executions in the form of `flatted`; its own copy reads it. */
  async unflatten(text: string): Promise<unknown> {
    const path = join(this.#installation, 'node_modules', 'flatted', 'esm', 'index.js');
    const flatted: { parse(text: string): unknown } = await import(pathToFileURL(path).href);
    return flatted.parse(text);
  }
}

/** An answer of n8n that is not a success. */
export class N8nRefusal extends Error {
  readonly body: string;
  constructor(message: string, body: string) {
    super(message);
    this.body = body;
  }
}
