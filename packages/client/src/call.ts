import { unexpectedSuccess } from './answer.ts';
import { DealkeepError } from './error.ts';
import type { PostOptions } from './options.ts';
import { ListRequest, Page, type PageAnswer } from './page.ts';
import { rememberTag } from './record-tags.ts';
import { userAgent } from './registry.ts';
import type { Route } from './route.ts';
import { send } from './send.ts';
import { readPatience, type Settings } from './settings.ts';
import {
  filledPath,
  isAnswer,
  isObject,
  type PreparedRequest,
  prepareRequest,
  type Received,
  valueAt,
} from './transport/index.ts';

/** Calls the operation of a route: with a promise of its answer, or, for a list, with its pages. */
export function call(settings: Settings, route: Route, values: readonly unknown[]): unknown {
  const given = readArguments(route, values);
  if (route.shape === 'list') return new ListRequest(() => loadPage(settings, route, given));
  return loadRecord(settings, route, given);
}

async function loadRecord(settings: Settings, route: Route, given: CallArguments): Promise<unknown> {
  const { content, header } = await sendCall(settings, route, given);
  if (route.shape === 'nothing') return undefined;
  if (route.shape === 'bare') return content;
  const data = valueAt(content, 'data');
  if (isObject(data) || Array.isArray(data)) rememberTag(data, header('etag') ?? null);
  return data;
}

async function loadPage(settings: Settings, route: Route, given: CallArguments): Promise<Page<unknown>> {
  const { status, content } = await sendCall(settings, route, given);
  const page = pageIn(content);
  const { next_cursor, has_more } = page;
  if (has_more && next_cursor !== null && next_cursor === given.query['cursor']) {
    throw new DealkeepError({
      status,
      code: 'UNEXPECTED_ANSWER',
      message: 'The page after this one is this one again.',
    });
  }
  return new Page(page, (cursor) =>
    loadPage(settings, route, { ...given, query: { ...given.query, cursor } }),
  );
}

/** A page that `isAnswer` has seen. */
function pageIn(content: unknown): PageAnswer {
  const { data, next_cursor, has_more } = isObject(content) ? content : {};
  return {
    data: Array.isArray(data) ? data : [],
    next_cursor: typeof next_cursor === 'string' ? next_cursor : null,
    has_more: has_more === true,
  };
}

async function sendCall(settings: Settings, route: Route, given: CallArguments): Promise<Received> {
  const { fetch, timing } = settings;
  const { signal } = given.options;
  const patience = readPatience(given.options, settings.patience);
  const received = await send(prepare(settings, route, given), { fetch, timing, patience, signal });
  if (isAnswer(route.shape, received.content)) return received;
  throw unexpectedSuccess(received, new URL(settings.baseUrl).host);
}

function prepare(settings: Settings, { method, takesBody }: Route, given: CallArguments): PreparedRequest {
  const { options, path, query, body } = given;
  return prepareRequest({
    root: settings.baseUrl,
    method,
    path,
    query,
    body: takesBody ? body : undefined,
    idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
    headers: {
      Authorization: `Bearer ${settings.apiKey}`,
      'User-Agent': userAgent,
      'Accept-Language': options.language ?? settings.language,
      'X-Request-Id': options.requestId,
      'If-Match': options.ifMatch,
      'If-None-Match': options.ifNoneMatch,
    },
  });
}

/** The arguments of `dealkeep.leads.move(id, body, options)`, told apart. */
interface CallArguments {
  /** The route's path with its parameters filled in. */
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly options: PostOptions;
}

/**
 * Arguments come in the order path parameters, body, query, options; which of them a call has, its route says.
 * TypeScript has checked them for those who use it; for all others, a TypeError says what is wrong.
 */
function readArguments(route: Route, values: readonly unknown[]): CallArguments {
  const call = `${route.namespace}.${route.name}`;
  const left = [...values];
  const path = filledPath(
    route.path,
    () => left.shift(),
    (name) => new TypeError(`${call} needs the ${name} as a text that is not empty.`),
  );
  const body = route.takesBody ? objectOr(call, 'body', left.shift()) : undefined;
  const query = route.takesQuery ? objectOr(call, 'query', left.shift()) : {};
  const options = objectOr(call, 'options', left.shift());
  if (left.length > 0) throw new TypeError(`${call} was called with too many arguments.`);
  return { path, query, body, options };
}

function objectOr(call: string, what: string, value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  if (!isObject(value)) throw new TypeError(`The ${what} of ${call} must be an object.`);
  return value;
}
