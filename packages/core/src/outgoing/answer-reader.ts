import type { Dispatcher } from 'undici';
import { RequestFailure } from './request-failure.ts';

/** How much of an answer's body is read, and how much of that is kept, in bytes. Source: decisions.md §9. */
const readLimit = 64 * 1024;
const keptLength = 1024;
const wholeTexts = new TextDecoder();
/** Answers before the answer (1xx) are rare; endless ones are an attack. */
const maximumInformational = 10;

/** Reads one answer as far as it is wanted, and tells once how it ended: with an error, or without. */
export class AnswerReader implements Dispatcher.DispatchHandler {
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
    // Of a body that was cut, the last character may be half; it is left out.
    const isCut = this.#received > keptLength;
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
    if (this.#received < keptLength) {
      const more = chunk.subarray(0, keptLength - this.#received);
      this.#kept = this.#kept ? Buffer.concat([this.#kept, more]) : Buffer.from(more);
    }
    this.#received += chunk.length;
    if (this.#received >= readLimit) this.#giveUp();
  }

  onResponseEnd(): void {
    // undici frees the connection in the next turn of the event loop; who sends before opens another one.
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
