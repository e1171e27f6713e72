import type { ErrorCode, FieldError } from '@dealkeep/contract';

/**
 * What the API answered; checked against the contract before a test sees it, so the parts are what their types say.
 */
export class Answer<Data> {
  readonly #request: string;
  readonly status: number;
  readonly headers: Headers;
  /** The body exactly as it came. */
  readonly text: string;

  constructor(request: string, status: number, headers: Headers, text: string) {
    this.#request = request;
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  get json(): unknown {
    return JSON.parse(this.text);
  }

  /** The record of a success. */
  get data(): Data {
    return this.#success<{ data: Data }>().data;
  }

  /** The page of a list. */
  get page(): { data: Data[]; next_cursor: string | null; has_more: boolean } {
    return this.#success();
  }

  /** What the request was refused for; which request that was, and where to read on, is looked at in each answer. */
  get error(): { code: ErrorCode; message: string; detail?: Record<string, unknown> } {
    if (this.status < 400) throw this.#unexpected('an error');
    const { request_id: _, doc_url: __, ...error } = JSON.parse(this.text).error;
    return error;
  }

  /** `422 VALIDATION_ERROR`: short to compare. */
  get outcome(): string {
    return this.status < 400 ? String(this.status) : `${this.status} ${this.error.code}`;
  }

  /** The failing fields of a VALIDATION_ERROR: codes by path. */
  get fields(): Record<string, string> {
    if (this.error.code !== 'VALIDATION_ERROR') throw this.#unexpected('a VALIDATION_ERROR');
    const { detail }: { detail?: { fields: FieldError[] } } = JSON.parse(this.text).error;
    return Object.fromEntries(detail?.fields.map(({ path, code }) => [path, code]) ?? []);
  }

  #success<Body>(): Body {
    if (this.status < 200 || this.status >= 300) throw this.#unexpected('a success');
    return JSON.parse(this.text);
  }

  #unexpected(wanted: string): Error {
    return new Error(`${this.#request} answered ${this.status} instead of ${wanted}: ${this.text}`);
  }
}
