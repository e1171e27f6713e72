import type { EventType } from '@dealkeep/contract';
import type { Problem } from '../../foundations/problem.ts';
import type { Watched } from './news-watch.ts';
import type { EventPage, Place } from './read-page.ts';

/** What a stream carries, in the order in which it comes. */
export type StreamItem =
  /**
   * First of all. `organization` is its slug; `missed`: the cursor was too old, and events since then are left out.
   */
  | {
      kind: 'ready';
      organization: string;
      events: readonly EventType[];
      missed: boolean;
      cursor: string;
    }
  /** Exactly as they are delivered. */
  | { kind: 'events'; envelopes: readonly string[] }
  /**
   * The place behind everything sent so far; comes at least every few seconds, so that no proxy takes the connection
   * for dead.
   */
  | { kind: 'cursor'; cursor: string }
  /** Last of all: why. Without a problem, the stream is to be taken up again at once. */
  | { kind: 'end'; problem: Problem | undefined };

export interface StreamOptions {
  place: Place;
  missed: boolean;
  /** Slug. */
  organization: string;
  /** What the stream may carry; may change while it is open. */
  events: readonly EventType[];
  watched: Watched;
  aliveEveryMs: number;
  farewellMs: number;
  read(place: Place, events: readonly EventType[]): Promise<EventPage>;
  /** Called when reading fails, which ends the stream. */
  failed(error: unknown): void;
  cursor(place: Place): string;
  /** Gives everything back that the stream holds; once. */
  release(): Promise<void>;
}

/**
 * The events of an organization as they happen, for one listener. Nothing is read before the listener has taken what
 * was read last, so a slow one costs one page of memory.
 */
export class EventStream {
  readonly openedAt = performance.now();
  events: readonly EventType[];
  readonly #options: StreamOptions;
  readonly #ending = Promise.withResolvers<void>();
  #end: { problem: Problem | undefined } | undefined;
  readonly #overdue = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<void>();
  #closed = false;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.events = options.events;
  }

  /** Fulfilled when the listener has not taken the last item in time, so that its connection is to be cut. */
  get overdue(): Promise<void> {
    return this.#overdue.promise;
  }

  /** Ends the stream with a last item that says why; only the first reason counts. */
  end(problem?: Problem): void {
    if (this.#end) return;
    this.#end = { problem };
    this.#ending.resolve();
    const timer = setTimeout(() => {
      this.#overdue.resolve();
      this.close();
    }, this.#options.farewellMs);
    void this.gone.then(() => clearTimeout(timer));
  }

  /** Fulfilled when everything is given back that the stream held. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  /** The listener is gone. */
  close(): void {
    this.end();
    if (!this.#closed) this.#gone.resolve(this.#options.release());
    this.#closed = true;
  }

  async *items(): AsyncGenerator<StreamItem, void, undefined> {
    const { organization, missed, watched, failed } = this.#options;
    let { place } = this.#options;
    try {
      const cursor = this.#options.cursor(place);
      yield { kind: 'ready', organization, events: this.events, missed, cursor };
      while (!this.#end) {
        const { news } = watched;
        const page = await this.#options.read(place, this.events).catch(failed);
        if (!page || this.#end) break;
        place = page.next;
        if (page.envelopes.length > 0) yield { kind: 'events', envelopes: page.envelopes };
        else {
          yield { kind: 'cursor', cursor: this.#options.cursor(place) };
          await this.#sleep(news);
        }
      }
      yield { kind: 'end', problem: this.#end?.problem };
    } finally {
      this.close();
    }
  }

  async #sleep(news: Promise<void>): Promise<void> {
    const { promise: alive, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#options.aliveEveryMs);
    await Promise.race([news, alive, this.#ending.promise]);
    clearTimeout(timer);
  }
}
