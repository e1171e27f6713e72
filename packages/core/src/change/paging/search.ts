import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import type { Placement } from '../../foundations/database/placement.ts';
import { onOneServer } from '../../identity/tenancy/due-organizations.ts';

/**
 * That a text stands in one of these columns, whatever its case, diacritics and Unicode form. Written as the indexes
 * of searched texts are (migration 0041), which name the columns in the same order.
 */
export function contains(sql: Statements, term: string, ...columns: readonly string[]): Fragment {
  const plain = withoutMarks(term);
  if (plain === '') return sql`true`;
  const searched = searchedText(sql, columns);
  if (hasTrigrams(plain)) {
    // PostgreSQL knows a hundred texts of a table. Where one of those has the term by chance, it takes one of a
    // hundred to have it, and would read 90,000 in the list's order to find the few that do. Each of these is always
    // true of what has the term and taken to be true of a third: what less than some two of a hundred have is read
    // along the index.
    const text = allOf(sql, columns);
    return sql`(${searched} like search_pattern(${term})
      and octet_length(${text}) > 0 and bit_length(${text}) > 0 and length(${text}) > 0)`;
  }
  const parts = sql`searched_parts(${searched}) @> search_parts(${term})`;
  // Parts say all of such a term. Its signs and that there is a text at all say nothing more, but PostgreSQL then
  // expects fewer rows, and reads those of a pair from the index: it would otherwise make the parts of many rows in
  // the list's order.
  if (isPart(plain)) {
    const signs = sql`string_to_array(searched_text(${term}), null)`;
    return sql`(searched_parts(${searched}) @> (search_parts(${term}) || ${signs}) and octet_length(${allOf(sql, columns)}) > 0)`;
  }
  // The text itself is looked at first, because parts are dear to make of each row of a list that is read in its
  // order. Not by `like`: PostgreSQL takes an index to be read whole as soon as a pattern without trigrams is asked
  // of it.
  return sql`(${parts} and strpos(${searched}, searched_text(${term})) > 0)`;
}

/**
 * That a record of a list has this e-mail, by its form to compare (rule bodies 28).
 *
 * The indexes of these forms leave out what has no e-mail, and PostgreSQL keeps no statistics of such an index: it
 * takes one row of two hundred to have the e-mail, and would read a list of a million in its order to find none.
 * Those who have the e-mail are therefore found first, and PostgreSQL takes a list of ids to be short.
 */
export const hasEmail = (
  { sql, organization }: Pick<Searching, 'sql' | 'organization'>,
  { table, alias }: { readonly table: string; readonly alias: string },
  column: string,
  email: string,
): Fragment => sql`
  ${sql.unsafe(alias)}.id = any(array(
    select having_it.id from ${sql.unsafe(table)} having_it
    where having_it.organization_id = ${organization}
      and comparison_form(having_it.${sql.unsafe(column)}) = comparison_form(${email})))`;

/** How the rows of a list are searched for a term. The term stands in the part `sought` of the statement. */
export interface Sought {
  /** That a row has the term. */
  readonly has: Fragment;
  /** The same, to be found along an index. */
  readonly found: Fragment;
}

/** That a row has the term in one of these columns. */
export function soughtIn(sql: Statements, term: string, columns: readonly string[]): Sought {
  const searched = searchedText(sql, columns);
  const plain = withoutMarks(term);
  const has = sql`strpos(${searched}, (select folded from sought)) > 0`;
  if (hasTrigrams(plain)) return { has, found: sql`${searched} like (select pattern from sought)` };
  const parts = sql`searched_parts(${searched}) @> (select parts from sought)`;
  return { has, found: isPart(plain) ? parts : sql`(${parts} and ${has})` };
}

/** A statement that searches the records of an organization. */
interface Searching {
  readonly sql: Statements;
  readonly organization: string;
  readonly placement: Placement;
}

/**
 * The organization in a statement that searches: a value of the part of this name, which hides it from PostgreSQL,
 * so that the statement is planned once for all, where it can be.
 */
export const hiddenOrganization = (
  { sql, organization, placement }: Searching,
  part: 'sought' | 'asked',
): Fragment =>
  placement.organization(
    sql,
    organization,
    sql`(select ${onOneServer(sql)} organization from ${sql.unsafe(part)})`,
  );

/** The part `sought`: an organization and a term, as texts and the index of a kind of terms are asked for it. */
export const soughtPart = (sql: Statements, organization: string, term: string): Fragment => sql`
  select ${organization}::uuid as organization, searched_text(${term}) as folded,
         ${hasTrigrams(withoutMarks(term)) ? sql`search_pattern(${term}) as pattern` : sql`search_parts(${term}) as parts`}`;

/** What of these columns is searched: all in one text, so that one index has it. */
export function searchedText(sql: Statements, columns: readonly string[]): Fragment {
  return sql`searched_text(${allOf(sql, columns)})`;
}

function allOf(sql: Statements, columns: readonly string[]): Fragment {
  const [only] = columns;
  const whole =
    columns.length === 1 ? only : columns.map((column) => `coalesce(${column}, '')`).join(` || E'\\n' || `);
  return sql.unsafe(String(whole));
}

/** Decides by which index is searched, never what is found: that is folded by the database alone. */
export const withoutMarks = (term: string): string =>
  term.normalize('NFKD').replaceAll(/[\u0300-\u036f]/g, '');

/**
 * Whether trigrams find the term. Letters other than these have some only where the database's locale calls them
 * letters, so they are searched for by their pairs.
 */
const hasTrigrams = (plain: string): boolean => /[a-z0-9]{3}/i.test(plain);

/** Whether the term is a sign or a pair of them, which fold to as many. */
const isPart = (plain: string): boolean => /^[\x20-\x7e]{1,2}$/.test(plain);
