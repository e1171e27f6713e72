import type { Fragment, Statements } from './connect.ts';

/** A part of a statement: its name, its columns with their types, and the query of its one row. */
export interface Part {
  readonly name: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly row: Fragment;
}

/** Two ways to the same: where records stand beside everything else, and where they stand apart. */
export interface Ways<Way> {
  readonly together: Way;
  readonly apart: Way;
}

/**
 * Where rows stand. Records, their events and the attempts at them may stand apart, on other servers, those of each
 * organization together on one. All else stands on the first server: organizations, users, keys, webhooks, and what
 * is on its way. A process finds out once, at its start (`findPlacement`).
 */
export interface Placement {
  /** Whether one statement can write records and what is on its way. */
  readonly writesTogether: boolean;
  /** What a change sends behind its `begin`. */
  readonly ofChanges: string;
  /** Settings of the connections that work on the queue. */
  readonly ofQueue: Readonly<Record<string, string>>;
  /**
   * The organization in a statement that searches.
   *
   * @param known a query for it within the statement, which hides the value from PostgreSQL, so that the statement
   *   is planned once for all organizations
   */
  organization(sql: Statements, id: string, known: Fragment): Fragment;
  /** Which transactions are open, as a `pg_snapshot`: nothing of them can be read yet. */
  openTransactions(sql: Statements): Fragment;
  /** A part of statements on records, of what stands on the first server. */
  partOfFirst(sql: Statements, part: Part): Promise<() => Fragment>;
  /** Bytes of the table whose `oid` this is. */
  bytesOf(sql: Statements, table: Fragment): Fragment;
  /** The rows of several organizations. */
  ofOrganizations<Row>(
    organizations: readonly string[],
    read: Ways<(organizations: readonly string[]) => PromiseLike<readonly Row[]>>,
  ): Promise<readonly Row[]>;
  /** For what is done in another way altogether. */
  choose<Way>(ways: Ways<Way>): Way;
}

/** One server has all: a statement reads what it needs, and PostgreSQL keeps its plans. */
export const oneServer: Placement = {
  writesTogether: true,
  ofChanges: '; set local plan_cache_mode = force_generic_plan',
  ofQueue: { plan_cache_mode: 'force_generic_plan' },
  organization: (_sql, _id, known) => known,
  openTransactions: (sql) => sql`pg_current_snapshot()`,
  partOfFirst:
    async (sql, { name, row }) =>
    () =>
      sql`${sql.unsafe(name)} as materialized (${row})`,
  bytesOf: (sql, table) => sql`pg_relation_size(${table})`,
  ofOrganizations: async (organizations, { together }) => together(organizations),
  choose: ({ together }) => together,
};
