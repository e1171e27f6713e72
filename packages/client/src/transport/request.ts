import { isObject } from './json.ts';

/** A request, ready to be sent any number of times. */
export interface PreparedRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What a request is made of. */
export interface RequestParts {
  /** The address of the API root, without a trailing slash. */
  readonly root: string;
  readonly method: PreparedRequest['method'];
  /** Below the root, with nothing left to fill in. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Undefined where the operation takes none. */
  readonly body?: unknown;
  /** The same for every attempt: what is sent again must make nothing twice. A POST alone carries it. */
  readonly idempotencyKey?: string | undefined;
  /** Headers of the platform's own; undefined ones are left out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** The request of an operation: the same bytes for every attempt. */
export function prepareRequest({
  root,
  method,
  path,
  query,
  body,
  idempotencyKey,
  headers,
}: RequestParts): PreparedRequest {
  const all: Record<string, string | undefined> = {
    Accept: 'application/json',
    'Content-Type': body === undefined ? undefined : 'application/json',
    'Idempotency-Key': method === 'POST' ? idempotencyKey : undefined,
    ...headers,
  };
  return {
    url: `${root}${path}${queryText(query)}`,
    method,
    headers: Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/**
 * A path with its braces filled in.
 *
 * @param refused makes the error for what cannot stand there: an empty segment or one of dots would lead to another
 *   operation
 */
export function filledPath(
  path: string,
  given: (name: string) => unknown,
  refused: (name: string) => Error,
): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = given(name);
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw refused(name);
    return encodeURIComponent(value);
  });
}

/** `?status=open&custom_field[Segment]=Retail`; nothing where nothing is given. */
function queryText(query: Readonly<Record<string, unknown>> = {}): string {
  const pairs = Object.entries(query)
    .flatMap(([name, value]): [string, unknown][] =>
      isObject(value)
        ? Object.entries(value).map(([inner, each]) => [`${name}[${inner}]`, each])
        : [[name, value]],
    )
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
