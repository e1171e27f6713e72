import type { SearchedKind } from '@dealkeep/contract';
import { searchedText } from '../../change/paging/search.ts';
import type { AnyRecordTable } from '../../change/record-tables/define-record.ts';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import type { Placement } from '../../foundations/database/placement.ts';
import { assignmentFilter } from '../../identity/credentials/reach.ts';

// Records of one kind that are looked at, at most: what a search takes has an end, however many there are.

/** Those whose title begins with the term, in the order of titles. */
const mostBeginning = 50;
/** Those that were changed last. */
const mostChanged = 200;
/** A term that so many of those have is common: they are enough. */
const commonFrom = 30;
/** Those that have the term anywhere, where it is not common. */
const mostContaining = 200;

/** How long titles are in their indexes (migration 0039). */
const titleLength = 60;
/** Of a longer term only so many signs are looked for along the index. */
const longestIndexed = 20;

/** What is asked of one kind. */
export interface Asked {
  readonly sql: Statements;
  /** As conditions name it. */
  readonly organization: Fragment;
  /** Whether only the records of the user are looked at that `asked` has. */
  readonly ownOnly?: boolean;
}

/** What is asked of all kinds. */
export interface AskedOfAll {
  readonly organization: string;
  readonly placement: Placement;
  readonly term: string;
  /** Whether the term can be a phone number. */
  readonly isPhone: boolean;
  readonly user?: string | undefined;
}

/** A part of a `with`. */
export interface Part {
  readonly name: string;
  readonly rows: Fragment;
}

/** What stands between words, and as many spaces, because words are compared with a space before them. */
const betweenWords = String.raw`E'\n\t-./,;:@_()[]+&"#'`;
const spaces = `'${' '.repeat(17)}'`;

/**
 * The part that everything else reads: the organization, the user, the term as texts are compared, how its words
 * are, its keys and its parts. They are a part of the statement and no constants, so that no plan is better for some
 * than for others, and PostgreSQL plans the statement once, and not for each search anew: that takes longer than the
 * search.
 */
export const askedPart = (
  sql: Statements,
  { organization, term, isPhone, user }: Omit<AskedOfAll, 'placement'>,
): Part => ({
  name: 'asked',
  rows: sql`
    select ${organization}::uuid as organization, ${user ?? null}::uuid as own_user,
           term, ' ' || translate(term, ${sql.unsafe(betweenWords)}, ${sql.unsafe(spaces)}) as words,
           search_keys(array[term], case when ${isPhone} then array[term] else '{}' end) as keys,
           search_parts(left(term, ${sql.unsafe(String(longestIndexed))})) as parts,
           left(term, ${sql.unsafe(String(titleLength))}) as beginning,
           left(term, ${sql.unsafe(String(titleLength))}) || U&'\\+10FFFF' as beyond
    from (select searched_text(${term}) as term) folded`,
});

/** One value of `asked`. */
export const askedFor = (
  sql: Statements,
  name: 'own_user' | 'term' | 'words' | 'keys' | 'parts' | 'beginning' | 'beyond',
): Fragment => sql`(select ${sql.unsafe(name)} from asked)`;

/**
 * What can be among the best of a kind: what begins with the term, along the index of titles; what has it as a
 * number, an address or a phone number, along the index of keys; of what was changed last, what has it anywhere; and
 * where that is not much, what has it anywhere, along the index of searched texts. The part `name` has rows of `id`,
 * `updated_at`, the `text` by which `rankOf` judges, null for what was found as a whole, and by how much it comes
 * `behind`.
 */
export function candidatesOf(
  asked: Asked,
  kind: SearchedKind,
  record: AnyRecordTable,
  name: string,
): [changed: Part, found: Part] {
  const { sql, organization } = asked;
  const { alias, table, searched } = record;
  const column = (of: string): Fragment => sql.unsafe(`${alias}.${of}`);
  const text = searchedText(sql, record.searchedTexts);
  const row = sql`${column('id')}, ${column('updated_at')}`;
  const from = sql`from ${sql.unsafe(`${table} ${alias}`)}
    where ${column('organization_id')} = ${organization} ${assignedTo(asked, kind, record)}`;
  const title = sql`left(searched_text(${column(searched.texts[0])}), ${sql.unsafe(String(titleLength))}) collate "C"`;
  const limit = (most: number): Fragment => sql`limit ${sql.unsafe(String(most))}`;
  const changed: Part = {
    name: `${name}_changed`,
    rows: sql`
      select ${row}, ${text} as text ${from}
      order by ${column('updated_at')} desc, ${column('id')} desc ${limit(mostChanged)}`,
  };
  const keyed = searched.identifiers
    ? sql`union all
      (select ${row}, null::text as text, 0 as behind ${from} and ${keysOf(record, sql)} && ${askedFor(sql, 'keys')} ${limit(mostContaining)})`
    : sql``;
  const rows = sql`
    select id, updated_at, text, 0 as behind from (
      (select ${row}, ${text} as text ${from}
         and ${title} >= ${askedFor(sql, 'beginning')} and ${title} < ${askedFor(sql, 'beyond')}
       order by ${title}, ${column('updated_at')} desc ${limit(mostBeginning)})
      union all
      select id, updated_at, text from ${sql.unsafe(changed.name)} where ${hasTerm(sql)}
      union all
      (select id, updated_at, text from (
         select ${row}, ${text} as text ${from} and array[${column('organization_id')}] @> array[${organization}]
           and searched_parts(${text}) @> ${askedFor(sql, 'parts')} offset 0
       ) containing where not ${isCommon(sql, name)} and ${hasTerm(sql)} ${limit(mostContaining)})) found
    ${keyed}`;
  return [changed, { name, rows }];
}

/**
 * What is found by what it refers to, such as clients by the name of their company: what refers to what was found
 * there, and where the term is common there, what was changed last. Half a rank behind, because another record has
 * the name.
 *
 * @param found the part that has what was found of the other kind
 */
export function foundThrough(
  asked: Asked,
  kind: SearchedKind,
  {
    record,
    other,
    found,
  }: { readonly record: AnyRecordTable; readonly other: AnyRecordTable; readonly found: string },
): Fragment {
  const { sql, organization } = asked;
  const { alias, table, searched } = record;
  const column = (of: string): Fragment => sql.unsafe(`${alias}.${of}`);
  const refers = column(searched.through?.column ?? 'id');
  const own = sql`${column('organization_id')} = ${organization} ${assignedTo(asked, kind, record)}`;
  const from = sql.unsafe(`${table} ${alias}`);
  const otherColumn = (of: string): Fragment => sql.unsafe(`${other.alias}.${of}`);
  return sql`
    select ${column('id')}, ${column('updated_at')}, found.text, 0.5 as behind
    from ${sql.unsafe(found)} found join ${from} on ${own} and ${refers} = found.id
    union all
    select id, updated_at, text, 0.5 from (
      select changed.id, changed.updated_at, ${searchedText(sql, other.searchedTexts)} as text from (
        select ${column('id')}, ${column('updated_at')}, ${refers} as refers from ${from} where ${own}
        order by ${column('updated_at')} desc, ${column('id')} desc limit ${sql.unsafe(String(mostChanged))}) changed
      join ${sql.unsafe(`${other.table} ${other.alias}`)}
        on ${otherColumn('organization_id')} = ${organization} and ${otherColumn('id')} = changed.refers) changed
    where ${isCommon(sql, found)} and ${hasTerm(sql)}`;
}

const hasTerm = (sql: Statements): Fragment => sql`strpos(text, ${askedFor(sql, 'term')}) > 0`;

/** That many of what was changed last have the term. */
const isCommon = (sql: Statements, name: string): Fragment => sql`
  (select count(*) >= ${sql.unsafe(String(commonFrom))} from ${sql.unsafe(`${name}_changed`)} where ${hasTerm(sql)})`;

/**
 * How good `text` is: 0 where the title is the term or something was found as a whole, 1 where it begins so, 2 where
 * a word does, 3 otherwise; the title is the first line.
 */
export const rankOf = (sql: Statements): Fragment => sql`case
  when text is null or text = ${askedFor(sql, 'term')} or starts_with(text, ${askedFor(sql, 'term')} || E'\\n') then 0
  when starts_with(text, ${askedFor(sql, 'term')}) then 1
  when strpos(' ' || translate(text, ${sql.unsafe(betweenWords)}, ${sql.unsafe(spaces)}), ${askedFor(sql, 'words')}) > 0 then 2
  else 3 end`;

/** As the index of keys has them (migration 0039). */
export function keysOf(record: AnyRecordTable, sql: Statements): Fragment {
  const { identifiers = [], phones = [] } = record.searched;
  const arrayOf = (names: readonly string[]): string => {
    const own = (several: boolean): string[] =>
      names.filter((name) => record.holdsSeveral(name) === several).map((name) => `${record.alias}.${name}`);
    return names.length === 0 ? `'{}'` : [`array[${own(false).join(', ')}]`, ...own(true)].join(' || ');
  };
  return sql.unsafe(`search_keys(${arrayOf(identifiers)}, ${arrayOf(phones)})`);
}

/** That a record is the user's own, where only those are looked at. */
const assignedTo = ({ sql, ownOnly }: Asked, kind: SearchedKind, record: AnyRecordTable): Fragment =>
  ownOnly ? isOwn(sql, kind, record, askedFor(sql, 'own_user')) : sql``;

/** `and …`: that a record is a user's own, by the filter of the list that says whose it is. */
export function isOwn(sql: Statements, kind: SearchedKind, record: AnyRecordTable, user: Fragment): Fragment {
  const filter = assignmentFilter(kind);
  const column = (of: string): Fragment => sql.unsafe(`${record.alias}.${of}`);
  if (filter === undefined) return sql`and false`;
  return filter === 'assignee_id' && record.holdsSeveral('assignee_ids')
    ? sql`and ${column('assignee_ids')} @> array[${user}]`
    : sql`and ${column(filter)} = ${user}`;
}
