import { setTimeout as sleep } from 'node:timers/promises';
import { passing } from './load.ts';

/** How a reader asks. */
interface Manner {
  name: string;
  limit: number;
  /** Seconds. */
  wait: number;
  /** Between two pages, at most. */
  pauseMs: number;
  /** `GET /events?types=`; all when absent. */
  types?: string;
  /** One page of so many is asked for from a cursor of before. */
  goesBackEach?: number;
}

const manners: readonly Manner[] = [
  { name: 'one who waits', limit: 100, wait: 20, pauseMs: 100 },
  { name: 'one with small pages', limit: 7, wait: 1, pauseMs: 50 },
  { name: 'one who comes seldom', limit: 100, wait: 0, pauseMs: 3000 },
  { name: 'one who goes back', limit: 30, wait: 2, pauseMs: 300, goesBackEach: 3 },
  { name: 'one who waits for changes', limit: 50, wait: 20, pauseMs: 200, types: 'lead.updated' },
];

/** An event as a reader got it. */
export interface SeenEvent {
  id: string;
  type: string;
  data: { id?: string; value?: number };
}

interface Page {
  data: SeenEvent[];
  next_cursor: string;
  has_more: boolean;
}

/** A cursor, and how many events stand in front of it. */
interface Mark {
  cursor: string;
  passed: number;
  at: number;
}

const mostMarks = 2000;

export interface FeedOfReader {
  name: string;
  types: string | undefined;
  seen: { id: string; type: string }[];
  /** From old cursors it was answered so many pages. */
  wentBack: number;
  /** What came from an old cursor otherwise than before. */
  otherwise: string[];
  /** When the cursor that stands behind so many events was given, in milliseconds since 1970. */
  passedAt(count: number): number | undefined;
}

export interface FeedReaders {
  /** Ends by itself only when something is answered that must not be. */
  readonly reading: Promise<void>;
  /** Everybody reads to the end; answers what each has got, and what one gets who begins now. */
  finish(): Promise<{ readers: FeedOfReader[]; all: SeenEvent[] }>;
}

/** Several who follow the feed, each in its manner, at any of the programs. */
export function startFeedReaders(anyBaseUrl: () => string, token: string): FeedReaders {
  const end = new AbortController();
  const readers = manners.map((manner) => new FeedReader(manner, anyBaseUrl, token));
  const reading = Promise.all(readers.map((reader) => reader.follow(end.signal))).then(() => {});
  return {
    reading,
    async finish() {
      end.abort();
      await reading;
      for (const reader of readers) await reader.readToEnd();
      const late = new FeedReader({ name: '', limit: 100, wait: 0, pauseMs: 0 }, anyBaseUrl, token);
      const all: SeenEvent[] = [];
      await late.readToEnd((event) => all.push(event));
      return { readers, all };
    },
  };
}

class FeedReader implements FeedOfReader {
  readonly seen: { id: string; type: string }[] = [];
  readonly otherwise: string[] = [];
  wentBack = 0;
  readonly #manner: Manner;
  readonly #anyBaseUrl: () => string;
  readonly #token: string;
  #cursor: string | undefined;
  readonly #marks: Mark[] = [];

  constructor(manner: Manner, anyBaseUrl: () => string, token: string) {
    this.#manner = manner;
    this.#anyBaseUrl = anyBaseUrl;
    this.#token = token;
  }

  get name(): string {
    return this.#manner.name;
  }

  get types(): string | undefined {
    return this.#manner.types;
  }

  passedAt(count: number): number | undefined {
    return this.#marks.find(({ passed }) => passed >= count)?.at;
  }

  async follow(end: AbortSignal): Promise<void> {
    const { limit, wait, pauseMs, goesBackEach } = this.#manner;
    for (let pages = 1; !end.aborted; pages += 1) {
      await this.#read(limit, wait);
      if (goesBackEach !== undefined && pages % goesBackEach === 0) await this.#goBack();
      await sleep(Math.random() * pauseMs);
    }
  }

  async readToEnd(take: (event: SeenEvent) => void = () => {}): Promise<void> {
    for (;;) {
      const { data, has_more } = await this.#read(100, 0);
      for (const event of data) take(event);
      if (!has_more && data.length === 0) return;
    }
  }

  async #read(limit: number, wait: number): Promise<Page> {
    const page = await this.#ask(this.#cursor, limit, wait);
    for (const { id, type } of page.data) this.seen.push({ id, type });
    this.#cursor = page.next_cursor;
    this.#marks.push({ cursor: page.next_cursor, passed: this.seen.length, at: Date.now() });
    // Those that are left stand the farther apart the older they are.
    if (this.#marks.length > mostMarks) this.#marks.splice(Math.floor(Math.random() * mostMarks), 1);
    return page;
  }

  /** Behind an old cursor comes what came before, and nothing else. */
  async #goBack(): Promise<void> {
    const mark = this.#marks[Math.floor(Math.random() * this.#marks.length)];
    if (!mark) return;
    const { data } = await this.#ask(mark.cursor, 1 + Math.floor(Math.random() * 100), 0);
    this.wentBack += 1;
    for (const [at, { id }] of data.entries()) {
      const before = this.seen[mark.passed + at];
      if (before === undefined || before.id === id) continue;
      const given = new Date(mark.at).toISOString();
      this.otherwise.push(
        `behind a cursor of ${given} came ${id} as number ${at + 1}, where ${before.id} was read`,
      );
      return;
    }
  }

  /** Asks until it is answered, at whichever program runs. */
  async #ask(cursor: string | undefined, limit: number, wait: number): Promise<Page> {
    const { types } = this.#manner;
    const query = new URLSearchParams({
      limit: String(limit),
      wait: String(wait),
      ...(types === undefined ? {} : { types }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (; ; await sleep(50)) {
      const baseUrl = this.#anyBaseUrl();
      if (baseUrl === '') continue;
      try {
        const answer = await fetch(`${baseUrl}/events?${query}`, {
          headers: { authorization: `Bearer ${this.#token}` },
        });
        const body = await answer.text();
        if (answer.status === 200) return JSON.parse(body);
        if (!passing.includes(answer.status))
          throw new Error(`GET /events?${query} answered ${answer.status}: ${body}`);
      } catch (error) {
        // The program was killed in the middle of it.
        if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error;
      }
    }
  }
}
