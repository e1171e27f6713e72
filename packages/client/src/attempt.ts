import type { Fetch } from './options.ts';
import { longestTimerMs } from './sleep.ts';

/** A request, ready to be sent any number of times. */
export interface PreparedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

/** What came back, whatever its status. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; undefined when there is none. */
  readonly content: unknown;
}

/** No answer, or only a part of it. */
export interface Lost {
  readonly lost: 'CONNECTION_FAILED' | 'TIMED_OUT';
  readonly cause: unknown;
}

/** Sends a request once. Rejects only when the caller's signal is aborted, with that signal's reason. */
export async function attempt(
  fetch: Fetch,
  { url, method, headers, body }: PreparedRequest,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<Received | Lost> {
  signal?.throwIfAborted();
  // Made by hand: AbortSignal.any keeps long-lived signals of callers growing on Node 20.
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  let late = false;
  const timer = setTimeout(
    () => {
      late = true;
      controller.abort(new DOMException(`No complete answer within ${limitMs} ms`, 'TimeoutError'));
    },
    Math.min(limitMs, longestTimerMs),
  );
  try {
    const response = await fetch(url, {
      method,
      headers,
      // Followed nowhere: a POST would become a GET. 'error' is unknown to some edge platforms.
      redirect: 'manual',
      signal: controller.signal,
      ...(body === undefined ? {} : { body }),
    });
    return received(response, await response.text());
  } catch (cause) {
    signal?.throwIfAborted();
    return { lost: late ? 'TIMED_OUT' : 'CONNECTION_FAILED', cause };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function received({ status, headers }: Response, text: string): Received | Lost {
  const isJson = /^application\/([\w.-]+\+)?json\b/i.test(headers.get('content-type') ?? '');
  if (!isJson || text === '') return { status, headers, content: undefined };
  try {
    return { status, headers, content: JSON.parse(text) };
  } catch (cause) {
    // It began as JSON: the rest was lost on the way.
    return { lost: 'CONNECTION_FAILED', cause };
  }
}
