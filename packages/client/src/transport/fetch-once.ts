import { isPassingFailure, type Lost, type Outcome, type Received } from './outcome.ts';
import type { PreparedRequest } from './request.ts';

/** Why `fetch` brought no whole answer. */
export interface FetchLoss {
  readonly code: 'CONNECTION_FAILED' | 'TIMED_OUT';
  readonly cause: unknown;
}

/** The longest time that setTimeout knows, about 24 days; it takes a longer one for none. */
export const longestTimer = 2 ** 31 - 1;

/**
 * Sends a request once, by `fetch`. Redirects are followed nowhere: a POST would become a GET, and the key would go
 * along. Rejects only when the caller's signal is aborted, with that signal's reason.
 *
 * @param limit milliseconds, from the request to the end of its answer
 */
export async function fetchOnce(
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  { url, ...request }: PreparedRequest,
  limit: number,
  signal?: AbortSignal,
): Promise<Outcome<FetchLoss>> {
  signal?.throwIfAborted();
  // Made by hand: AbortSignal.any keeps long-lived signals of callers growing on Node 20.
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  let late = false;
  const timer = setTimeout(
    () => {
      late = true;
      controller.abort(new DOMException(`No complete answer within ${limit} ms`, 'TimeoutError'));
    },
    Math.min(limit, longestTimer),
  );
  try {
    // 'error' is unknown to some edge platforms.
    const response = await fetch(url, { ...request, redirect: 'manual', signal: controller.signal });
    return received(response, await response.text());
  } catch (cause) {
    signal?.throwIfAborted();
    if (late) return { lost: { code: 'TIMED_OUT', cause }, isPassing: true };
    return failed(cause);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function received({ status, headers }: Response, text: string): Received | Lost<FetchLoss> {
  const header = (name: string) => headers.get(name);
  const isJson = /^application\/([\w.-]+\+)?json\b/i.test(header('content-type') ?? '');
  if (!isJson || text === '') return { status, header, content: undefined };
  try {
    return { status, header, content: JSON.parse(text) };
  } catch (cause) {
    // What began as JSON lost its end on the way; a page that says it is JSON is somebody else's.
    return /^\s*[{[]/.test(text) ? failed(cause) : { status, header, content: undefined };
  }
}

const failed = (cause: unknown): Lost<FetchLoss> => ({
  lost: { code: 'CONNECTION_FAILED', cause },
  isPassing: isPassingFailure(codeIn(cause)),
});

/** What Node's network says; undefined where `fetch` says nothing of it, as in browsers. */
function codeIn(error: unknown): unknown {
  return error instanceof Error ? (codeIn(error.cause) ?? Reflect.get(error, 'code')) : undefined;
}
