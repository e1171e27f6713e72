import { textAt } from './json.ts';

/** The API, called as a customer's own code would. */
export class Api {
  readonly baseUrl: string;
  readonly key: string;

  constructor(baseUrl: string, key: string) {
    this.baseUrl = baseUrl;
    this.key = key;
  }

  /** One call; the whole body of the answer. Rejects when it is not a success. */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Creates a record and gives its id. */
  async create(path: string, body: unknown): Promise<string> {
    return textAt(await this.call('POST', path, body), 'data', 'id');
  }
}
