import type { EventSource } from '../../change/events/feed-horizon.ts';
import { isTemporaryFailure } from '../../foundations/database/failures.ts';
import type { Log } from '../../foundations/log.ts';
import { currentPlace, lookForNews, type Place } from './read-page.ts';

/** One organization that somebody listens to. */
export interface Watched {
  /** Fulfilled at the next sign of an event. Taken before reading, so that nothing falls in between. */
  readonly news: Promise<void>;
  release(): void;
}

interface Entry {
  listeners: number;
  news: PromiseWithResolvers<void>;
}

/**
 * Looks for new events of all organizations that somebody of this process listens to, by two short statements
 * however many streams there are, and by none while there is no stream. It only gives a sign; each stream reads for
 * itself.
 */
export class NewsWatch {
  readonly #source: EventSource;
  readonly #log: Log;
  readonly #everyMs: number;
  readonly #entries = new Map<string, Entry>();
  #place: Place | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: EventSource & { log: Log; everyMs: number }) {
    this.#source = { sql: options.sql, placement: options.placement };
    this.#log = options.log;
    this.#everyMs = options.everyMs;
  }

  watch(organization: string): Watched {
    const entry = this.#entries.get(organization) ?? { listeners: 0, news: Promise.withResolvers<void>() };
    entry.listeners += 1;
    this.#entries.set(organization, entry);
    this.#timer ??= this.#later();
    return {
      get news() {
        return entry.news.promise;
      },
      release: () => {
        entry.listeners -= 1;
        if (entry.listeners === 0) this.#entries.delete(organization);
      },
    };
  }

  #later(): NodeJS.Timeout {
    return setTimeout(() => void this.#look(), this.#everyMs);
  }

  async #look(): Promise<void> {
    const looked = new Map(this.#entries);
    if (looked.size === 0) {
      this.#timer = undefined;
      this.#place = undefined;
      return;
    }
    try {
      const place = this.#place ?? (await currentPlace(this.#source));
      const { found, now } = await lookForNews(this.#source, [...looked.keys()], place);
      const first = this.#place === undefined;
      this.#place = now;
      const news = new Set(found);
      for (const [organization, entry] of this.#entries) {
        // An organization that somebody began to listen to during the query was not part of it, so it is told to
        // look as well.
        if (first || news.has(organization) || looked.get(organization) !== entry) this.#tell(entry);
      }
    } catch (error) {
      if (isTemporaryFailure(error)) this.#log.debug({ error }, 'New events cannot be looked for just now');
      else this.#log.error({ error }, 'New events could not be looked for');
    }
    this.#timer = this.#later();
  }

  #tell(entry: Entry): void {
    entry.news.resolve();
    entry.news = Promise.withResolvers();
  }
}
