import type { TablesByPlace } from '@dealkeep/core/foundations';
import {
  columnOf,
  isGiven,
  listOf,
  nodeOf,
  type Part,
  partOf,
  statementOf,
  textOf,
  withinStatement,
  wordsOf,
} from './syntax-tree.ts';

/** Why a database of several servers cannot run a statement, and what to write instead. */
export const rules = {
  'several organizations':
    'Citus asks all servers. Give the organization of the table by a value, `organization_id = $1`; a read that is meant for all says `ofAllOrganizations`.',
  'another table’s organization':
    'Citus chooses the server before it reads. Compare with the value itself, not with the column of a table around the query.',
  'control table beside records':
    'Its rows are on the first server only. Read it in a query of its own, which needs nothing of the records: it is run first.',
  'values by a query': 'An insert of records may not ask. Write `insert … select` instead of `values`.',
  'writes on two servers': 'Records and control tables are written by two statements of one transaction.',
  'query without columns':
    'What it finds cannot go to another server. Name a column: `exists (select 1 from …)`.',
  'lock or job of the first server': 'It would be taken on the server of the records. Ask by itself.',
} as const satisfies Readonly<Record<string, string>>;
export type Refusal = keyof typeof rules;

/**
 * The comment of the one statement that is sent as two where records stand on other servers: the last of a change.
 */
export const forOneServer = '/* on one server */';

/** A refusal, and of what: a table or a function. */
export type Finding = readonly [why: Refusal, what: string];

/** The comment of a read that is meant for all organizations: `ofAllOrganizations` of core. */
const forAll = '/* of all organizations */';

/** A table in a FROM, or what a statement writes. */
interface Source {
  readonly name: string;
  readonly kind: 'tenant' | 'control' | 'derived';
}

/** Where a query stands. */
interface Around {
  /** Names of queries that may be used as tables. */
  readonly queries: ReadonlySet<string>;
  /** The sources of the query around it, which it may name. */
  readonly sources: ReadonlyMap<string, Source>;
}

const nowhere: Around = { queries: new Set(), sources: new Map() };

/**
 * What Citus refuses, or would carry out on several servers, of a statement with tenant tables. Each of them is to
 * be told its organization by a value of the statement's own, or by one beside it that is: Citus chooses the server
 * by that before it runs anything. A query of control tables may stand within one of records if it needs nothing of
 * them: it is run first, and what it found goes along.
 */
export class StatementJudge {
  readonly #places: TablesByPlace;
  readonly #findings = new Map<string, Finding>();
  readonly #tenant = new Set<string>();
  readonly #written = { tenant: new Set<string>(), control: new Set<string>(), derived: new Set<string>() };
  readonly #first = new Set<string>();

  constructor(places: TablesByPlace) {
    this.#places = places;
  }

  /** @param tree of `statement`, by the parser */
  judge(statement: string, tree: Part): Finding[] {
    if (statement.includes(forOneServer)) return [];
    for (const each of listOf(tree, 'stmts')) this.#query(partOf({ each }, 'each')?.['stmt'], nowhere);
    if (this.#tenant.size === 0) return [];
    const { tenant, control } = this.#written;
    if (tenant.size > 0) for (const each of control) this.#find('writes on two servers', each);
    for (const each of this.#first) this.#find('lock or job of the first server', each);
    const isForAll = statement.includes(forAll) && tenant.size === 0 && control.size === 0;
    return [...this.#findings.values()].filter(([why]) => !isForAll || why !== 'several organizations');
  }

  #find(why: Refusal, what: string): void {
    this.#findings.set(`${why} ${what}`, [why, what]);
  }

  #query(node: unknown, around: Around): void {
    const found = statementOf(node);
    if (!found) return;
    const { kind, part } = found;
    const queries = new Set(around.queries);
    const withClause = partOf(part, 'withClause');
    for (const each of listOf(withClause, 'ctes')) {
      const cte = nodeOf('CommonTableExpr', each);
      const name = textOf(cte, 'ctename') ?? '';
      if (withClause?.['recursive'] === true) queries.add(name);
      this.#query(cte?.['ctequery'], { queries, sources: new Map() });
      queries.add(name);
    }
    if (part['larg'] !== undefined) {
      for (const side of ['larg', 'rarg']) this.#query({ SelectStmt: part[side] }, { ...around, queries });
      return;
    }
    const sources = new Map<string, Source>();
    const conditions: unknown[] = [part['whereClause']];
    const tenantBefore = this.#tenant.size;
    const into = partOf(part, 'relation');
    if (kind !== 'SelectStmt') {
      this.#range({ RangeVar: into }, { sources, conditions, queries });
      const [written] = sources.values();
      if (written) this.#written[written.kind].add(written.name);
    }
    for (const from of ['fromClause', 'usingClause'])
      for (const each of listOf(part, from)) this.#range(each, { sources, conditions, queries });
    const bound = boundOf(sources, conditions);
    if (kind === 'InsertStmt') this.#insert(part, bound, queries);
    for (const [alias, source] of sources) this.#requireBound(alias, source, { bound, conditions });
    const { withClause: _, selectStmt: __, ...own } = part;
    this.#within(own, { queries, sources });
    this.#together(sources, this.#tenant.size > tenantBefore);
    if (isOf('control', sources)) this.#requireAlone(own, sources, around.sources);
    if (kind === 'SelectStmt' && part['targetList'] === undefined)
      this.#requireColumns(sources, around.sources);
  }

  /** Queries and functions within expressions. */
  #within(value: unknown, around: Around): void {
    for (const each of withinStatement(value)) {
      const link = nodeOf('SubLink', each);
      if (link) this.#query(link['subselect'], around);
      const words = wordsOf(listOf(nodeOf('FuncCall', each), 'funcname'));
      const name = words.join('.');
      if (words[0] === 'graphile_worker' || /advisory/.test(name)) this.#first.add(name);
    }
  }

  #range(
    node: unknown,
    level: { sources: Map<string, Source>; conditions: unknown[]; queries: ReadonlySet<string> },
  ): void {
    const { sources, conditions, queries } = level;
    const join = nodeOf('JoinExpr', node);
    if (join) {
      conditions.push(join['quals']);
      this.#range(join['larg'], level);
      this.#range(join['rarg'], level);
      return;
    }
    const table = nodeOf('RangeVar', node);
    if (table) {
      const name = textOf(table, 'relname') ?? '';
      const schema = textOf(table, 'schemaname');
      const kind = schema === undefined && queries.has(name) ? 'derived' : this.#kindOf(schema, name);
      if (kind === 'tenant') this.#tenant.add(name);
      sources.set(aliasOf(table) ?? name, { name, kind });
      return;
    }
    const select = nodeOf('RangeSubselect', node);
    if (select) this.#query(select['subquery'], { queries, sources });
    const derived = select ?? nodeOf('RangeFunction', node);
    sources.set(aliasOf(derived) ?? `(${sources.size})`, { name: '', kind: 'derived' });
  }

  #kindOf(schema: string | undefined, name: string): Source['kind'] {
    if (schema === 'graphile_worker') return 'control';
    if (schema !== undefined && schema !== 'public') return 'derived';
    if (this.#places.tenant.includes(name)) return 'tenant';
    return this.#places.control.includes(name) ? 'control' : 'derived';
  }

  /** The organization of what goes in is a value, or that of rows whose own is given. */
  #insert(part: Part, bound: Set<string>, queries: ReadonlySet<string>): void {
    const select = nodeOf('SelectStmt', part['selectStmt']);
    const columns = listOf(part, 'cols').map((each) => textOf(nodeOf('ResTarget', each), 'name'));
    const at = columns.indexOf('organization_id');
    const into = partOf(part, 'relation');
    const given = listOf(select, 'valuesLists').map((row) => listOf(nodeOf('List', row), 'items'));
    const name = textOf(into, 'relname') ?? '';
    const asks = [...withinStatement(given)].some((each) => nodeOf('SubLink', each) !== undefined);
    if (asks && this.#places.tenant.includes(name)) this.#find('values by a query', name);
    const rows = given.map((row) => row[at]);
    const values = rows.length > 0 ? rows : [nodeOf('ResTarget', listOf(select, 'targetList')[at])?.['val']];
    const names = new Set(queries);
    for (const each of listOf(partOf(select, 'withClause'), 'ctes'))
      names.add(textOf(nodeOf('CommonTableExpr', each), 'ctename') ?? '');
    const sources = new Map<string, Source>();
    const conditions: unknown[] = [select?.['whereClause']];
    for (const each of listOf(select, 'fromClause'))
      this.#range(each, { sources, conditions, queries: names });
    const copied = boundOf(sources, conditions);
    const isCopied = (value: unknown): boolean => copied.has(sourceOf(value, sources) ?? '');
    if (at >= 0 && values.every((value) => isGiven(value) || isCopied(value) || isWhole(part)))
      bound.add(aliasOf(into) ?? name);
    this.#query(part['selectStmt'], { queries, sources: new Map() });
  }

  #requireBound(
    alias: string,
    { name, kind }: Source,
    { bound, conditions }: { bound: ReadonlySet<string>; conditions: readonly unknown[] },
  ): void {
    if (kind !== 'tenant' || bound.has(alias)) return;
    const isCompared = conditions
      .flatMap(equalities)
      .some((sides) => sides.every((side) => columnOf(side)?.at(-1) === 'organization_id'));
    this.#find(isCompared ? 'another table’s organization' : 'several organizations', name);
  }

  /** Beside control tables nothing of records stands, neither in the same FROM nor within. */
  #together(sources: ReadonlyMap<string, Source>, hasTenant: boolean): void {
    if (!hasTenant && !isOf('tenant', sources)) return;
    for (const { name, kind } of sources.values())
      if (kind === 'control') this.#find('control table beside records', name);
  }

  /**
   * What a query on another server finds goes along as rows, and those have columns. So do those of the server of
   * the records, where only a part of the statement is run there.
   */
  #requireColumns(sources: ReadonlyMap<string, Source>, outer: ReadonlyMap<string, Source>): void {
    const other = isOf('tenant', outer) ? 'control' : isOf('control', outer) ? 'tenant' : undefined;
    for (const { name, kind } of sources.values())
      if (kind === other) this.#find('query without columns', name);
  }

  /** A query of control tables names nothing of the records around it. */
  #requireAlone(own: Part, sources: ReadonlyMap<string, Source>, outer: ReadonlyMap<string, Source>): void {
    if (!isOf('tenant', outer)) return;
    const isOutside = (words: readonly string[]): boolean =>
      words.length > 1 && !sources.has(words[0] ?? '') && outer.has(words[0] ?? '');
    if (columnsIn(own).some(isOutside))
      for (const { name, kind } of sources.values())
        if (kind === 'control') this.#find('control table beside records', name);
  }
}

const isOf = (kind: Source['kind'], sources: ReadonlyMap<string, Source>): boolean =>
  [...sources.values()].some((source) => source.kind === kind);

const aliasOf = (part: Part | undefined): string | undefined => textOf(partOf(part, 'alias'), 'aliasname');

const columnsIn = (value: unknown): string[][] =>
  [...withinStatement(value)].flatMap((each) => {
    const words = columnOf(each);
    return words ? [words] : [];
  });

/** Whole rows that the program has made, each with the organization that it is for. */
const isWhole = (part: Part): boolean =>
  [...withinStatement(part['selectStmt'])]
    .flatMap((each) => listOf(nodeOf('SelectStmt', each), 'fromClause'))
    .flatMap((each) => [...withinStatement(each)])
    .some((each) =>
      ['json_populate_recordset', 'unnest'].includes(
        wordsOf(listOf(nodeOf('FuncCall', each), 'funcname')).join(),
      ),
    );

/** The sources whose organization is given: by a value, or by being that of one that is. */
function boundOf(sources: ReadonlyMap<string, Source>, conditions: readonly unknown[]): Set<string> {
  const bound = new Set<string>();
  const pairs: (readonly [string, string])[] = [];
  for (const [left, right] of conditions.flatMap(equalities)) {
    const [one, other] = [sourceOf(left, sources), sourceOf(right, sources)];
    if (one !== undefined && isGiven(right)) bound.add(one);
    if (other !== undefined && isGiven(left)) bound.add(other);
    if (one !== undefined && other !== undefined) pairs.push([one, other]);
  }
  for (let before = -1; before < bound.size; ) {
    before = bound.size;
    for (const pair of pairs)
      if (pair.some((each) => bound.has(each))) pair.forEach((each) => void bound.add(each));
  }
  return bound;
}

/** The equalities that a condition demands: those joined by AND. */
function equalities(condition: unknown): (readonly [unknown, unknown])[] {
  const all = nodeOf('BoolExpr', condition);
  if (all && textOf(all, 'boolop') === 'AND_EXPR') return listOf(all, 'args').flatMap(equalities);
  const compared = nodeOf('A_Expr', condition);
  const isEqual = wordsOf(listOf(compared, 'name')).join() === '=' && textOf(compared, 'kind') === 'AEXPR_OP';
  return compared && isEqual ? [[compared['lexpr'], compared['rexpr']]] : [];
}

/**
 * Which source a column of an organization belongs to; undefined where it is another column, or of a query around
 * it.
 */
function sourceOf(value: unknown, sources: ReadonlyMap<string, Source>): string | undefined {
  const words = columnOf(value);
  if (words?.at(-1) !== 'organization_id') return undefined;
  if (words.length > 1) return sources.has(words[0] ?? '') ? words[0] : undefined;
  // Unqualified, only one of them can have it.
  const [[alias, source] = [], ...others] = [...sources].filter(([, { kind }]) => kind !== 'derived');
  return source && others.length === 0 ? alias : undefined;
}
