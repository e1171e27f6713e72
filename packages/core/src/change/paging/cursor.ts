import { timingSafeEqual } from 'node:crypto';
import { limits } from '@dealkeep/contract';
import type { Fragment, Nested, Statements } from '../../foundations/database/connect.ts';
import { Problem } from '../../foundations/problem.ts';
import type { Secrets } from '../../foundations/secrets.ts';

/** Where a page ended: the sort field's value there and the record's id. */
export interface Position {
  readonly value: string | number | null;
  readonly id: string;
}

/** An opaque cursor: the position, bound by a signature to the list's filters and sort. */
export function encodeCursor(secrets: Secrets, fingerprint: string, position: Position): string {
  const text = JSON.stringify([position.value, position.id]);
  const [signature] = secrets.signatures(`${fingerprint}\n${text}`);
  return Buffer.concat([signature ?? Buffer.alloc(0), Buffer.from(text)]).toString('base64url');
}

const signatureBytes = 16;

/** Raises INVALID_CURSOR for anything that `encodeCursor` did not make for this very list. */
export function decodeCursor(secrets: Secrets, fingerprint: string, cursor: string): Position {
  const bytes = Buffer.from(cursor, 'base64url');
  const signature = bytes.subarray(0, signatureBytes);
  const text = bytes.subarray(signatureBytes).toString();
  const genuine =
    signature.length === signatureBytes &&
    // Buffer.from skips what is no base64url: only the canonical text counts.
    bytes.toString('base64url') === cursor &&
    secrets.signatures(`${fingerprint}\n${text}`).some((each) => timingSafeEqual(each, signature));
  if (!genuine) throw new Problem('parameter.cursor', {}, { detail: { parameter: 'cursor' } });
  const [value, id]: [string | number | null, string] = JSON.parse(text);
  return { value, id };
}

/** What `fittingRows` adds to each row of a statement: what its texts take. */
export interface Weighed {
  readonly weight: number;
  /** Rows that the page would have had. */
  readonly found: number;
}

/**
 * Only the first rows of a statement (with a column `weight`, in their order) that fit on a page: the rest never
 * leaves the database. Window functions read their rows in the order of the statement within.
 */
export const fittingRows = (sql: Statements, rows: Nested): Fragment => sql`
  select * from (
    select page.*, sum(page.weight) over (rows unbounded preceding) as weight_so_far, count(*) over ()::integer as found
    from (${rows}) page) page
  where weight_so_far - weight < ${limits.pageBytes}`;

/** How many of a page's records fit on it, as JSON; one at least. Light pages are not measured. */
export function fittingCount(records: readonly unknown[], weight: number): number {
  if (weight <= limits.pageBytes / 2) return records.length;
  let bytes = 0;
  for (const [index, record] of records.entries()) {
    bytes += Buffer.byteLength(JSON.stringify(record));
    if (bytes > limits.pageBytes) return Math.max(1, index);
  }
  return records.length;
}
