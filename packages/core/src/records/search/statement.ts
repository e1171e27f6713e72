import { limits, type RecordReference, type SearchedKind } from '@dealkeep/contract';
import { hiddenOrganization } from '../../change/paging/search.ts';
import type { AnyRecordTable } from '../../change/record-tables/define-record.ts';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { recordKinds } from '../record-kinds.ts';
import {
  type Asked,
  type AskedOfAll,
  askedPart,
  candidatesOf,
  foundThrough,
  type Part,
  rankOf,
} from './candidates.ts';

/** The records of each kind, which say how they are searched. */
export const searchedRecords = Object.fromEntries(
  [...recordKinds].map(([name, { table }]) => [name, table]),
) as Readonly<Record<SearchedKind, AnyRecordTable>>;

/** That the row of an alias is of a record that is seen. */
type IsSeen = (kind: RecordReference, alias: string) => Fragment;

/** A kind that may be searched; with a user, only what is assigned to them. */
export interface Readable {
  readonly kind: SearchedKind;
  readonly user?: string;
}

/**
 * What is asked, of the kinds that may be read: the best, with what results are called. One statement, which
 * PostgreSQL plans once for a connection, whatever is asked.
 *
 * @param isSeen which records results are called after; absent where all are seen
 */
export function searchStatement(
  sql: Statements,
  asked: Omit<AskedOfAll, 'user'>,
  readable: readonly Readable[],
  isSeen?: IsSeen,
): Fragment {
  const organization = hiddenOrganization({ sql, ...asked }, 'asked');
  const user = readable.find((each) => each.user !== undefined)?.user;
  const parts = [askedPart(sql, { ...asked, user }), ...partsOf({ sql, organization }, readable)]
    .map(({ name, rows }): Fragment => sql`${sql.unsafe(name)} as materialized (${rows})`)
    .reduce((all, each) => sql`${all}, ${each}`);
  const found = readable
    .map(
      ({ kind }): Fragment =>
        sql`select ${sql.unsafe(`'${kind}'`)} as type, * from ${sql.unsafe(partOf(kind))}`,
    )
    .reduce((all, each) => sql`${all} union all ${each}`);
  const shown = readable
    .map(({ kind }) => shownOf({ sql, organization }, kind, isSeen))
    .reduce((all, each) => sql`${all} union all ${each}`);
  return sql`
    with ${parts},
    best as (
      select type, id, min(behind + ${rankOf(sql)}) as rank, max(updated_at) as updated_at from (${found}) found
      group by type, id order by rank, updated_at desc, id desc limit ${sql.unsafe(String(limits.searchResults))})
    select best.type, best.id, shown.title, nullif(shown.subtitle, '') as subtitle
    from best join lateral (${shown}) shown on true
    order by best.rank, best.updated_at desc, best.id desc`;
}

const partOf = (kind: SearchedKind): string => `found_${kind}`;

/** What was found of each kind; before it what it needs. */
function partsOf({ sql, organization }: Asked, readable: readonly Readable[]): Part[] {
  const parts: Part[] = [];
  const whole = new Set(readable.filter(({ user }) => user === undefined).map(({ kind }) => kind));
  for (const { kind, user } of readable) {
    const asked = { sql, organization, ownOnly: user !== undefined };
    const record = searchedRecords[kind];
    const [changed, own] = candidatesOf(asked, kind, record, partOf(kind));
    const { through } = record.searched;
    if (!through) {
      parts.push(changed, own);
      continue;
    }
    const other = searchedRecords[through.kind];
    // By all of the other kind, whoever may see those.
    const found = whole.has(through.kind) ? partOf(through.kind) : `any_${through.kind}`;
    if (!whole.has(through.kind))
      parts.push(...candidatesOf({ sql, organization }, through.kind, other, found));
    const further = foundThrough(asked, kind, { record, other, found });
    parts.push(changed, { ...own, rows: sql`${own.rows} union all ${further}` });
  }
  return parts;
}

/** What a result is called, by no record that is not seen. */
function shownOf({ sql, organization }: Asked, kind: SearchedKind, isSeen: IsSeen | undefined): Fragment {
  const record = searchedRecords[kind];
  const { alias, searched } = record;
  const { title = `${alias}.${searched.texts[0]}`, subtitle } = searched;
  return sql`
    select ${sql.unsafe(title)} as title, ${sql.unsafe(subtitle)} as subtitle from ${isSeen ? record.fromSeen(sql, isSeen) : record.from(sql)}
    where best.type = ${sql.unsafe(`'${kind}'`)} and ${sql.unsafe(alias)}.organization_id = ${organization}
      and ${sql.unsafe(alias)}.id = best.id`;
}
