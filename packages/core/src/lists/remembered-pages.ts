import type { Answer } from '../idempotency/answer-once.ts';

/** A page as it is sent. */
export interface PageAnswer extends Omit<Answer, 'body'> {
  readonly body: Uint8Array<ArrayBuffer>;
}

interface Entry {
  /** Undefined: the page was asked for once. */
  readonly page?: { readonly version: string; readonly answer: PageAnswer };
}

const mostBytes = 8_000_000;
/** What an entry takes besides its texts. */
const entryBytes = 200;

/**
 * Pages that are asked for again and again, as whoever polls does, kept as they were sent. Never stale: each time, the
 * database says what version the page has now. A page that is asked for the first time is read at once, so a walk
 * through a list costs nothing more.
 */
export class RememberedPages {
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  /**
   * @param key what the page is of: organization, list and query
   * @param version a text that differs whenever the page does
   * @param read the page; begun after the version was read, so that it is never older than that
   */
  async answer(
    key: string,
    version: () => Promise<string>,
    read: () => Promise<Answer>,
  ): Promise<Answer | PageAnswer> {
    const known = this.#entries.get(key);
    if (!known) {
      const answer = await read();
      this.#set(key, {});
      return answer;
    }
    const current = await version();
    if (known.page?.version === current) {
      this.#set(key, known);
      return known.page.answer;
    }
    const { body, ...rest } = await read();
    const answer = { ...rest, body: new Uint8Array(Buffer.from(body)) };
    this.#set(key, { page: { version: current, answer } });
    return answer;
  }

  /** Versions are those of one server; another one may use them again. */
  forget(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  /** As the newest; the oldest go when there is no room. */
  #set(key: string, entry: Entry): void {
    this.#remove(key);
    this.#entries.set(key, entry);
    this.#bytes += sizeOf(key, entry);
    while (this.#bytes > mostBytes) {
      const [oldest] = this.#entries.keys();
      if (oldest === undefined) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#bytes -= sizeOf(key, entry);
  }
}

const sizeOf = (key: string, { page }: Entry): number =>
  entryBytes + key.length + (page ? page.version.length + page.answer.body.byteLength : 0);
