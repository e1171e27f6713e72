import { unexpectedSuccess } from './answer.ts';
import type { PreparedRequest, Received } from './attempt.ts';
import { DealkeepError } from './error.ts';
import { isObject } from './is-object.ts';
import type { PostOptions } from './options.ts';
import { ListRequest, Page } from './page.ts';
import { type CallArguments, readArguments } from './read-arguments.ts';
import { rememberTag } from './record-tags.ts';
import { userAgent } from './registry.ts';
import type { Route } from './route.ts';
import { send } from './send.ts';
import { readPatience, type Settings } from './settings.ts';

/** Calls the operation of a route: with a promise of its answer, or, for a list, with its pages. */
export function call(settings: Settings, route: Route, values: readonly unknown[]): unknown {
  const given = readArguments(route, values);
  if (route.shape === 'list') return new ListRequest(() => loadPage(settings, route, given));
  return loadRecord(settings, route, given);
}

async function loadRecord(settings: Settings, route: Route, given: CallArguments): Promise<unknown> {
  const received = await sendCall(settings, route, given);
  const { content } = received;
  if (route.shape === 'nothing') return undefined;
  if (content === undefined) throw unexpectedSuccess(received, new URL(settings.baseUrl).host);
  if (route.shape === 'bare') return content;
  const data = isObject(content) ? content['data'] : undefined;
  // A record, or several where the operation has no pages.
  if (!isObject(data) && !Array.isArray(data)) {
    throw unexpectedSuccess(received, new URL(settings.baseUrl).host);
  }
  rememberTag(data, received.headers.get('etag'));
  return data;
}

async function loadPage(settings: Settings, route: Route, given: CallArguments): Promise<Page<unknown>> {
  const received = await sendCall(settings, route, given);
  const { data, next_cursor, has_more } = isObject(received.content) ? received.content : {};
  if (
    !Array.isArray(data) ||
    (typeof next_cursor !== 'string' && next_cursor !== null) ||
    typeof has_more !== 'boolean'
  ) {
    throw unexpectedSuccess(received, new URL(settings.baseUrl).host);
  }
  if (has_more && next_cursor !== null && next_cursor === given.query['cursor']) {
    throw new DealkeepError({
      status: received.status,
      code: 'UNEXPECTED_ANSWER',
      message: 'The page after this one is this one again.',
    });
  }
  return new Page({ data, next_cursor, has_more }, (cursor) =>
    loadPage(settings, route, { ...given, query: { ...given.query, cursor } }),
  );
}

function sendCall(settings: Settings, route: Route, given: CallArguments): Promise<Received> {
  const { fetch, timing } = settings;
  const { signal } = given.options;
  const patience = readPatience(given.options, settings.patience);
  return send(prepare(settings, route, given), { fetch, timing, patience, signal });
}

function prepare(settings: Settings, { method, takesBody }: Route, given: CallArguments): PreparedRequest {
  const language = given.options.language ?? settings.language;
  const headers = new Headers({
    Accept: 'application/json',
    Authorization: `Bearer ${settings.apiKey}`,
    'User-Agent': userAgent,
  });
  if (language !== undefined) headers.set('Accept-Language', language);
  if (given.options.requestId !== undefined) headers.set('X-Request-Id', given.options.requestId);
  const { ifMatch, ifNoneMatch } = given.options;
  if (ifMatch !== undefined) headers.set('If-Match', ifMatch);
  if (ifNoneMatch !== undefined) headers.set('If-None-Match', ifNoneMatch);
  if (takesBody) headers.set('Content-Type', 'application/json');
  if (method === 'POST') headers.set('Idempotency-Key', idempotencyKey(given.options));
  return {
    url: `${settings.baseUrl}${given.path}${queryText(given.query)}`,
    method,
    headers,
    body: takesBody ? JSON.stringify(given.body) : undefined,
  };
}

const idempotencyKey = (options: PostOptions): string => options.idempotencyKey ?? crypto.randomUUID();

function queryText(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  const pairs = given.flatMap(([name, value]): [string, string][] =>
    isObject(value)
      ? Object.entries(value).map(([key, each]) => [`${name}[${key}]`, String(each)])
      : [[name, String(value)]],
  );
  return `?${new URLSearchParams(pairs)}`;
}
