import { expect } from 'vitest';

/** What differs from one installation to the next: the reader's is another one than the page's. */
const kinds: readonly RegExp[] = [
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  /^evt_[0-9a-f]{32}$/,
  /^"[\w-]{22}"$/,
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
];

/**
 * Compares answers with those that a page shows, in part: all that is shown must be there, lists whole. An id, tag
 * or moment of the page stands for the one that was answered, the same wherever it comes again, also in later
 * commands.
 */
export class ShownAnswers {
  readonly #meant = new Map<string, string>();

  /** A command of the page with what was answered in place of what is shown. */
  filledIn(command: string): string {
    return [...this.#meant].reduce((text, [shown, answered]) => text.replaceAll(shown, answered), command);
  }

  /** Fails where the answer is not what is shown. */
  compare(shown: unknown, answered: unknown): void {
    expect(this.#partOf(shown, answered)).toEqual(this.#meantBy(shown));
  }

  /** The shown with what was answered in its place; learns what stands there for the first time. */
  #meantBy(shown: unknown): unknown {
    return mapped(shown, (text) => this.#meant.get(text) ?? text);
  }

  /** As much of an answer as is shown. */
  #partOf(shown: unknown, answered: unknown): unknown {
    if (typeof shown === 'string' && typeof answered === 'string') return this.#textOf(shown, answered);
    if (Array.isArray(shown) && Array.isArray(answered)) {
      return answered.map((each, at) => (at < shown.length ? this.#partOf(shown[at], each) : each));
    }
    if (!isRecord(shown) || !isRecord(answered)) return answered;
    const names = Object.keys(shown).filter((name) => name in answered);
    return Object.fromEntries(names.map((name) => [name, this.#partOf(shown[name], answered[name])]));
  }

  #textOf(shown: string, answered: string): string {
    // A secret, of which only the beginning is shown.
    if (shown.endsWith('…') && answered.startsWith(shown.slice(0, -1))) return shown;
    const isNew = !this.#meant.has(shown) && kinds.some((kind) => kind.test(shown) && kind.test(answered));
    if (isNew) this.#meant.set(shown, answered);
    return answered;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapped(each, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapped(each, change)]));
}
