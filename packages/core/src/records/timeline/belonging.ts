import {
  everyOperation,
  fieldsOf,
  type OperationDeclaration,
  type SearchedKind,
  searchedKindNames,
} from '@dealkeep/contract';
import type { Reading } from '../../change/verb/verb.ts';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { Problem } from '../../foundations/problem.ts';
import { isOwn } from '../search/candidates.ts';
import { judgeReading } from '../search/search.ts';
import { type Readable, searchedRecords } from '../search/statement.ts';

const lists = Object.values<OperationDeclaration>(everyOperation).filter(({ kind }) => kind === 'list');

/** The kinds whose records can belong to one of a kind: their lists can be filtered by it. */
const belonging: ReadonlyMap<SearchedKind, readonly SearchedKind[]> = new Map(
  searchedKindNames.map((kind) => [
    kind,
    searchedKindNames.filter((other) =>
      lists.some(
        ({ resource, query }) =>
          resource === other && query && fieldsOf(query).some(({ reference }) => reference === kind),
      ),
    ),
  ]),
);

/** Of the kinds whose records can belong to one of a kind, those that whoever asks may see. */
export const readableBelonging = ({ actor }: Pick<Reading, 'actor'>, kind: SearchedKind): Readable[] =>
  (belonging.get(kind) ?? [])
    .map((other) => judgeReading(actor, other))
    .filter((each): each is Readable => !(each instanceof Problem));

/** `from … where …`: the records of a kind that belong to a record of another one. */
export function recordsOf(
  sql: Statements,
  { kind, user }: Readable,
  to: { readonly organization: string; readonly kind: SearchedKind; readonly id: string },
): Fragment {
  const record = searchedRecords[kind];
  const column = (name: string): Fragment => sql.unsafe(`${record.alias}.${name}`);
  const own = user === undefined ? sql`` : isOwn(sql, kind, record, sql`${user}::uuid`);
  return sql`
    from ${sql.unsafe(`${record.table} ${record.alias}`)}
    where ${column('organization_id')} = ${to.organization} and ${column(`${to.kind}_id`)} = ${to.id} ${own}`;
}

/** Rows of one statement after those of another. */
export const unionAll = (sql: Statements, statements: readonly Fragment[]): Fragment =>
  statements.reduce((all, each) => sql`${all} union all ${each}`);
