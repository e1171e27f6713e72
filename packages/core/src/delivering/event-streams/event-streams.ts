import type { EventType } from '@dealkeep/contract';
import type { Clock } from '../../foundations/clock.ts';
import type { Database } from '../../foundations/database/connect.ts';
import { isTemporaryFailure } from '../../foundations/database/failures.ts';
import type { Placement } from '../../foundations/database/placement.ts';
import type { Log } from '../../foundations/log.ts';
import { streamsPerKey } from '../../foundations/operating-limits.ts';
import { Problem } from '../../foundations/problem.ts';
import type { Secrets } from '../../foundations/secrets.ts';
import type { Credential } from '../../identity/credentials/credential.ts';
import type { Caller, CredentialCache } from '../../identity/credentials/credential-cache.ts';
import { EventStream } from './event-stream.ts';
import { NewsWatch } from './news-watch.ts';
import { chooseEvents, currentPlace, type Place, placeOf, readPage, streamCursor } from './read-page.ts';
import { type Slot, StreamSlots } from './stream-slots.ts';

/** Milliseconds. */
export interface StreamTiming {
  /** How often all that is listened to is looked at for new events. */
  newsEvery: number;
  /** How often something is sent at least; proxies end what is silent for a minute or less. */
  aliveEvery: number;
  /** How often each key is checked again. */
  checkEvery: number;
  /**
   * After how long a stream is to be taken up anew. A listener whose network is gone without a word is noticed then,
   * and its slot is free.
   */
  longest: number;
  /** How long a listener has to take the last item. */
  farewell: number;
}

const usualTiming: StreamTiming = {
  newsEvery: 250,
  aliveEvery: 15_000,
  checkEvery: 2000,
  longest: 300_000,
  farewell: 5000,
};

export interface EventStreamsOptions {
  sql: Database;
  placement: Placement;
  databaseUrl: string;
  clock: Clock;
  log: Log;
  secrets: Secrets;
  credentials: CredentialCache;
  streamTiming?: Partial<StreamTiming>;
}

/** Who listens, and to what. */
export interface StreamRequest {
  credential: Credential;
  /** What the credential was found by. */
  caller: Caller;
  /** All that the credential may read when absent. */
  events: readonly string[] | undefined;
  /** Of an earlier stream. */
  cursor: string | undefined;
}

interface Open {
  readonly stream: EventStream;
  readonly request: StreamRequest;
  readonly slot: Slot;
}

/** The streams of events that one process has open. */
export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #timing: StreamTiming;
  readonly #news: NewsWatch;
  readonly #slots: StreamSlots;
  readonly #open = new Set<Open>();
  #check: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: EventStreamsOptions) {
    this.#options = options;
    this.#timing = { ...usualTiming, ...options.streamTiming };
    this.#news = new NewsWatch({ ...options, everyMs: this.#timing.newsEvery });
    this.#slots = new StreamSlots(options);
  }

  /**
   * What a stream for this request would carry, and where it would go on, without opening one. Raises what forbids
   * it (as for a REST hook), INVALID_CURSOR, and SERVICE_UNAVAILABLE when this process is about to end.
   */
  check(request: StreamRequest): { events: readonly EventType[]; resumed: Place | undefined } {
    const within = { ...this.#options, organization: request.credential.organization.id };
    const events = chooseEvents(request.credential, request.events);
    const resumed = request.cursor === undefined ? undefined : placeOf(within, request.cursor);
    if (this.#stopped) throw new Problem('service.unavailable');
    return { events, resumed };
  }

  /**
   * Opens a stream behind the cursor, or at this moment. Raises what `check` raises, and LIMIT_EXCEEDED when the key
   * has three already.
   */
  async open(request: StreamRequest): Promise<EventStream> {
    const { sql, placement, clock, log } = this.#options;
    const source = { sql, placement };
    const organization = request.credential.organization.id;
    const within = { ...this.#options, organization };
    const { events, resumed } = this.check(request);
    const slot = await this.#slots.take(request.credential.id);
    if (!slot) throw new Problem('listen.limit', { max: streamsPerKey });
    const watched = this.#news.watch(organization);
    const release = async (): Promise<void> => {
      watched.release();
      await slot.release();
    };
    try {
      const now = await currentPlace(source);
      // A snapshot of an era before may be one of another server, which this organization has come from.
      const isGood = resumed?.era === now.era;
      const place = resumed && isGood ? resumed : now;
      const stream: EventStream = new EventStream({
        place,
        organization: request.credential.organization.slug,
        missed: request.cursor !== undefined && !isGood,
        events,
        watched,
        aliveEveryMs: this.#timing.aliveEvery,
        farewellMs: this.#timing.farewell,
        read: (from, types) => readPage(source, { organization, types, now: clock.now(), place: from }),
        failed: (error) => {
          if (isTemporaryFailure(error)) log.debug({ error }, 'A stream of events cannot be read just now');
          else log.error({ error }, 'A stream of events could not be read');
        },
        cursor: (at) => streamCursor(within, at),
        release: async () => {
          this.#open.delete(open);
          await release();
        },
      });
      const open: Open = { stream, request, slot };
      this.#open.add(open);
      if (this.#stopped) stream.end();
      this.#check ??= this.#checkLater();
      return stream;
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** Tells all listeners to come again, which leads them to another process, and waits until they have gone. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#check);
    const gone = [...this.#open].map(({ stream }) => {
      stream.end();
      return stream.gone;
    });
    await Promise.all(gone);
    await this.#slots.close();
  }

  #checkLater(): NodeJS.Timeout {
    return setTimeout(async () => {
      await this.#checkAll();
      this.#check = this.#open.size > 0 && !this.#stopped ? this.#checkLater() : undefined;
    }, this.#timing.checkEvery);
  }

  /** Checks the keys one after the other, so that a thousand of them never keep more than one connection busy. */
  async #checkAll(): Promise<void> {
    try {
      await this.#slots.check();
    } catch (error) {
      this.#options.log.debug({ error }, 'The slots of streams cannot be checked just now');
    }
    for (const { stream, request, slot } of this.#open) {
      if (!slot.held() || performance.now() - stream.openedAt > this.#timing.longest) stream.end();
      else await this.#checkKey(stream, request);
    }
  }

  async #checkKey(stream: EventStream, { caller, events }: StreamRequest): Promise<void> {
    try {
      stream.events = chooseEvents(await this.#options.credentials.find(caller, 'api'), events);
    } catch (error) {
      if (error instanceof Problem) stream.end(error);
      else if (!isTemporaryFailure(error))
        this.#options.log.error({ error }, 'A stream could not be checked');
    }
  }
}
