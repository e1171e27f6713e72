/** A page as the API answers it. */
export interface PageAnswer<Item = unknown> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

/** One page of a list, as the API answers it; and, as an async iterator, all records from this page on. */
export class Page<Item> implements AsyncIterable<Item> {
  readonly data: readonly Item[];
  /**
   * Where the next page begins; null on the last one. Of events it is always there, to be asked with again later.
   */
  readonly next_cursor: string | null;
  readonly has_more: boolean;
  readonly #load: (cursor: string) => Promise<Page<Item>>;

  constructor(answer: PageAnswer<Item>, load: (cursor: string) => Promise<Page<Item>>) {
    this.data = answer.data;
    this.next_cursor = answer.next_cursor;
    this.has_more = answer.has_more;
    this.#load = load;
  }

  /** The page after this one; undefined after the last. */
  async nextPage(): Promise<Page<Item> | undefined> {
    return this.has_more && this.next_cursor !== null ? this.#load(this.next_cursor) : undefined;
  }

  /** This page and all that follow, each loaded when it is asked for. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    yield this;
    for (let page = await this.nextPage(); page; page = await page.nextPage()) yield page;
  }

  /** All records from this page on. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }
}

/**
 * A list that was asked for: a promise of its first page, and an async iterator over all records of all pages. The
 * first request is sent when it is awaited or iterated, once.
 */
export class ListRequest<Item> implements Promise<Page<Item>>, AsyncIterable<Item> {
  readonly [Symbol.toStringTag] = 'ListRequest';
  readonly #load: () => Promise<Page<Item>>;
  #first: Promise<Page<Item>> | undefined;

  constructor(load: () => Promise<Page<Item>>) {
    this.#load = load;
  }

  get #firstPage(): Promise<Page<Item>> {
    this.#first ??= this.#load();
    return this.#first;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise, of the first page.
  then<Fulfilled = Page<Item>, Rejected = never>(
    onFulfilled?: ((page: Page<Item>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#firstPage.then(onFulfilled, onRejected);
  }

  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Page<Item> | Rejected> {
    return this.#firstPage.catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Page<Item>> {
    return this.#firstPage.finally(onFinally);
  }

  /** All pages, each loaded when it is asked for. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    yield* (await this.#firstPage).pages();
  }

  /** All records of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    yield* await this.#firstPage;
  }
}
