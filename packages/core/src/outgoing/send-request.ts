import type { Dispatcher } from 'undici';
import { AnswerReader } from './answer-reader.ts';
import {
  type FailureReason,
  isCallersMistake,
  RequestFailure,
  requestFailure,
  timedOut,
} from './request-failure.ts';

export interface OutgoingRequest {
  readonly url: Pick<URL, 'origin' | 'pathname' | 'search'>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** For everything together: resolving, connecting, TLS, head and body of the answer. Default 10,000. */
  readonly timeoutMs?: number;
  /** Ends the request early. */
  readonly signal?: AbortSignal;
  /**
   * The same for thousands of requests: each has its end here while it runs, which costs less than a listener to a
   * signal.
   */
  readonly running?: Set<() => void>;
}

export type RequestOutcome =
  | {
      readonly outcome: 'answered';
      readonly status: number;
      readonly headers: {
        readonly retryAfter?: string;
        /** Of a redirect: where to. */
        readonly location?: string;
      };
      /** The first 1 KiB of the body as text, without NUL and invalid UTF-8. */
      readonly responseStart: string;
      readonly durationMs: number;
    }
  | {
      readonly outcome: 'failed';
      readonly reason: FailureReason;
      /** What is known besides, as `describeDeliveryFailure` takes it. */
      readonly detail?: string;
      /** Plain English for the delivery log, such as `certificate has expired`. */
      readonly message: string;
      readonly durationMs: number;
    };

/**
 * Posts once and tells what came of it. It is answered when a status has arrived in time, even if the body
 * takes longer or never ends (specification, Delivery rules 1); at most 64 KiB of the body are read, and a
 * connection whose answer ended within that is kept. Redirects are not followed. A connection that breaks
 * within the answer is a failure. Trouble of the network never throws; headers that cannot be sent do.
 */
export function sendRequest(agent: Dispatcher, request: OutgoingRequest): Promise<RequestOutcome> {
  const { url, headers, body, timeoutMs = 10_000, signal, running } = request;
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const finish = (error?: Error) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      running?.delete(onAbort);
      if (isCallersMistake(error)) return reject(error);
      const durationMs = Math.round(performance.now() - started);
      resolve(error ? failed(error, answer.status, durationMs) : answered(answer, durationMs));
    };
    /** undici heeds no signal while it resolves and connects, so the wait is ended here. */
    const giveUp = (failure: RequestFailure) => {
      answer.stop();
      finish(answer.status === undefined ? failure : undefined);
    };
    const onAbort = () => giveUp(new RequestFailure('stopped'));
    const answer = new AnswerReader(finish);
    const timer = setTimeout(() => giveUp(timedOut(timeoutMs)), timeoutMs);
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    running?.add(onAbort);
    agent.dispatch(
      { origin: url.origin, path: `${url.pathname}${url.search}`, method: 'POST', headers, body },
      answer,
    );
  });
}

function answered(answer: AnswerReader, durationMs: number): RequestOutcome {
  // An answer always has a status here; without one the reader reports an error.
  if (answer.status === undefined)
    return failed(new RequestFailure('invalid_response'), undefined, durationMs);
  const { retryAfter, location } = answer;
  const headers = {
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(location === undefined ? {} : { location }),
  };
  return { outcome: 'answered', status: answer.status, headers, responseStart: answer.start(), durationMs };
}

function failed(error: Error, status: number | undefined, durationMs: number): RequestOutcome {
  const { reason, detail, message } = requestFailure(error, status);
  return { outcome: 'failed', reason, ...(detail === undefined ? {} : { detail }), message, durationMs };
}
