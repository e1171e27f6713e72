import type { AnswerOf, OperationId, Operations } from '@dealkeep/contract';
import { Answer } from './answer.ts';
import { checkAnswer } from './check-answer.ts';

/** What each operation answers, by `METHOD /path`. */
type AnswerByRoute = {
  [Id in OperationId as `${Operations[Id]['method']} ${Operations[Id]['path']}`]: AnswerOf<Operations[Id]>;
};
type First<Routes extends string> = Routes extends keyof AnswerByRoute ? AnswerByRoute[Routes] : never;
type HeadOf<Path extends string> = Path extends `/${infer Head}?${string}`
  ? HeadOf<`/${Head}`>
  : Path extends `/${infer Head}/${string}`
    ? Head
    : Path extends `/${infer Head}`
      ? Head
      : never;

/** The record that a path is about: `/leads/…` is about leads. */
type RecordAt<Path extends string> = `GET /${HeadOf<Path>}/{id}` extends keyof AnswerByRoute
  ? First<`GET /${HeadOf<Path>}/{id}`>
  : First<`GET /${HeadOf<Path>}`>;
type CreatedAt<Path extends string> = `POST ${Path}` extends keyof AnswerByRoute
  ? First<`POST ${Path}`>
  : RecordAt<Path>;

export interface SendOptions {
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream;
}

export type Query = Readonly<Record<string, string | number | boolean>>;

/**
 * Calls the API as one credential. Every answer is held against the contract: its status, its headers, and its body
 * without a key more or less; a departure is thrown where the test calls.
 */
export class ApiClient {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #writesOnly: boolean;

  /** @param writesOnly the credential may not read all that it writes, so its answers may leave fields out */
  constructor(baseUrl: string, headers: Readonly<Record<string, string>> = {}, writesOnly = false) {
    this.#baseUrl = baseUrl;
    this.#headers = headers;
    this.#writesOnly = writesOnly;
  }

  /** The same credential with further headers on every request. */
  with(headers: Readonly<Record<string, string>>): ApiClient {
    return new ApiClient(this.#baseUrl, { ...this.#headers, ...headers }, this.#writesOnly);
  }

  get<const Path extends string>(path: Path, query: Query = {}): Promise<Answer<RecordAt<Path>>> {
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return this.send('GET', search.size > 0 ? `${path}?${search}` : path);
  }

  post<const Path extends string>(
    path: Path,
    json?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer<CreatedAt<Path>>> {
    return this.send('POST', path, json === undefined ? { headers } : { json, headers });
  }

  patch<const Path extends string>(path: Path, json: unknown): Promise<Answer<RecordAt<Path>>> {
    return this.send('PATCH', path, { json });
  }

  delete(path: string): Promise<Answer<undefined>> {
    return this.send('DELETE', path);
  }

  /** Any request; `path` is below the API root. */
  async send<Data = unknown>(method: string, path: string, options: SendOptions = {}): Promise<Answer<Data>> {
    const { json, body = json === undefined ? undefined : JSON.stringify(json) } = options;
    const response = await fetch(this.#baseUrl + path, {
      method,
      headers: {
        ...this.#headers,
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      redirect: 'manual',
      ...(body === undefined ? {} : { body, duplex: 'half' }),
    });
    const text = await response.text();
    checkAnswer(method, path.replace(/\?.*$/, ''), response.status, response.headers, text, this.#writesOnly);
    return new Answer<Data>(`${method} ${path}`, response.status, response.headers, text);
  }

  /** Every page of a list. */
  async walk<const Path extends string>(path: Path, query: Query = {}): Promise<RecordAt<Path>[]> {
    const items: RecordAt<Path>[] = [];
    let cursor: string | null = null;
    do {
      const { page }: Answer<RecordAt<Path>> = await this.get(
        path,
        cursor === null ? query : { ...query, cursor },
      );
      items.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return items;
  }
}
