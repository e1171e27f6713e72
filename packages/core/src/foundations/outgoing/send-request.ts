import type { Dispatcher } from 'undici';
import { keptAnswerBytes, readAnswerBytes } from '../operating-limits.ts';
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
  /**
   * Milliseconds for everything together: resolving, connecting, TLS, head and body of the answer. Default 10,000.
   */
  readonly timeoutMs?: number;
  /** Ends the request early. */
  readonly signal?: AbortSignal;
  /**
   * Like `signal`, for thousands of requests: each puts the function that ends it here while it runs, which costs
   * less than a listener.
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
 * takes longer or never ends (rules deliveries 7 and 8); at most 64 KiB of the body are read, and a
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

const wholeTexts = new TextDecoder();
/** Interim answers (1xx) before the answer, at most: they are rare, and endless ones are an attack. */
const maximumInformational = 10;

/** Reads one answer as far as it is wanted, and tells once how it ended: with an error, or without. */
class AnswerReader implements Dispatcher.DispatchHandler {
  /** The status of the answer, once its head has arrived. */
  status: number | undefined;
  retryAfter: string | undefined;
  /** Of a redirect: where to. */
  location: string | undefined;
  readonly #onEnd: (error?: Error) => void;
  #kept: Buffer | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #received = 0;
  #informational = 0;
  #ended = false;

  constructor(onEnd: (error?: Error) => void) {
    this.#onEnd = onEnd;
  }

  /** Ends the reading from outside; a request that has no connection yet ends when it would get one. */
  stop(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#controller?.abort(new RequestFailure('stopped'));
  }

  /** The first 1 KiB of the body as text that any log can hold: without NUL and invalid UTF-8. */
  start(): string {
    if (!this.#kept) return '';
    // The last character of a body that was cut may be incomplete; it is left out.
    const isCut = this.#received > keptAnswerBytes;
    const text = isCut
      ? new TextDecoder().decode(this.#kept, { stream: true })
      : wholeTexts.decode(this.#kept);
    return text.replaceAll('\0', '\ufffd');
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(new RequestFailure('stopped'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) {
      this.#informational += 1;
      if (this.#informational > maximumInformational) {
        this.#giveUp(new RequestFailure('invalid_response', { detail: 'endless informational answers' }));
      }
      return;
    }
    this.status = status;
    this.retryAfter = firstOf(headers['retry-after']);
    if (status >= 300 && status < 400) this.location = firstOf(headers['location']);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // Copied, because a piece of one byte would hold on to all that arrived with it.
    if (this.#received < keptAnswerBytes) {
      const more = chunk.subarray(0, keptAnswerBytes - this.#received);
      this.#kept = this.#kept ? Buffer.concat([this.#kept, more]) : Buffer.from(more);
    }
    this.#received += chunk.length;
    if (this.#received >= readAnswerBytes) this.#giveUp();
  }

  onResponseEnd(): void {
    // Told in a later turn, because undici frees the connection only then; a request that follows at once would open
    // another one.
    queueMicrotask(() => setImmediate(() => this.#end()));
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#end(error);
  }

  #giveUp(error?: Error): void {
    this.#end(error);
    this.#controller?.abort(new RequestFailure('stopped'));
  }

  #end(error?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onEnd(error);
  }
}

const firstOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;
