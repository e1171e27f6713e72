import type * as z from 'zod';
import type { Core } from '../core.ts';
import type { Directory } from '../directory/directory.ts';
import { notFound } from '../problem.ts';
import type { Changing, Scope } from '../verb/verb.ts';
import type { Fragment, Statements } from './connect.ts';
import { momentOfJson } from './values.ts';

/** A column of a record: how it is read, and the type of its values. */
export interface Column<Value> {
  /** The expression that reads it; the table's column of its name when absent. */
  readonly expression?: string | undefined;
  readonly kind: 'plain' | 'moment' | 'json';
  readonly orNull: Column<Value | null>;
  /** Read by an expression of SQL, for what another table has, or what is shown otherwise than it is stored. */
  from(expression: string): Column<Value>;
  /** For types alone: never set. */
  readonly value?: Value;
}

type Columns = Readonly<Record<string, Column<unknown>>>;
export type RowOf<All extends Columns> = {
  -readonly [Name in keyof All]: All[Name] extends Column<infer Value> ? Value : never;
};

const column = <Value>(kind: Column<Value>['kind'], expression?: string): Column<Value> => ({
  kind,
  expression,
  get orNull() {
    return column<Value | null>(kind, expression);
  },
  from: (other) => column<Value>(kind, other),
});

export const text = column<string>('plain');
export const uuid = column<string>('plain');
export const uuids = column<string[]>('plain');
export const texts = column<string[]>('plain');
export const number = column<number>('plain');
export const boolean = column<boolean>('plain');
/** YYYY-MM-DD */
export const date = column<string>('plain');
/** RFC 3339 in UTC with milliseconds. */
export const moment = column<string>('moment');
/** One of some texts. */
export const oneOf = <Value extends string>(): Column<Value> => column<Value>('plain');
export const json = <Value>(): Column<Value> => column<Value>('json');

/** Values for some columns, or SQL that gives them; undefined says nothing of one. */
type Values<Own extends Columns> = { readonly [Name in keyof Own]?: RowOf<Own>[Name] | Fragment | undefined };

/** Fields of a record that are columns of the same name and type: they are shown as they are stored. */
type SameNamed<Shown, Row> = {
  [Name in keyof Shown & keyof Row]: Row[Name] extends Shown[Name] ? Name : never;
}[keyof Shown & keyof Row];

/** What the fields of a record are made of besides its row. */
export interface ShownWith {
  readonly directory: Directory;
  readonly core: Core;
}

interface Declaration<Schema extends z.ZodObject, Own extends Columns, Joined extends Columns> {
  /** The record as the API shows it; its fields come in this order. */
  readonly schema: Schema;
  readonly table: string;
  /** The alias by which `joins`, `joined` and conditions name the table. */
  readonly alias: string;
  /** The columns of the table, besides `organization_id`. */
  readonly columns: Own;
  /** Columns that are read from other tables. */
  readonly joined?: Joined;
  /** `left join … on …`: the tables that `joined` reads from. */
  readonly joins?: string;
  /** Makes the fields that are not simply a column of the same name. */
  shown(
    row: RowOf<Own & Joined>,
    from: ShownWith,
  ): Omit<z.output<Schema>, SameNamed<z.output<Schema>, RowOf<Own & Joined>>> & Partial<z.output<Schema>>;
}

/** A row, and the version of the organization's directory that goes with it. */
type Read<Own extends Columns, Joined extends Columns> = RowOf<Own & Joined> & {
  readonly id: string;
  readonly directory_version: number;
};

/**
 * A record, declared once: its columns, what is joined to them, and how a row becomes what the API shows. Reading,
 * listing, inserting and changing it follow. A row travels as one JSON array: many values are read three times as fast as
 * one text than one by one.
 */
export class RecordTable<Schema extends z.ZodObject, Own extends Columns, Joined extends Columns> {
  readonly alias: string;
  readonly #declared: Declaration<Schema, Own, Joined>;
  readonly #columns: readonly (readonly [name: string, column: Column<unknown>])[];
  readonly #fields: readonly string[];
  readonly #packed: string;
  readonly #from: string;

  constructor(declared: Declaration<Schema, Own, Joined>) {
    const { schema, columns, joined = {}, table, alias, joins = '' } = declared;
    this.#declared = declared;
    this.alias = alias;
    this.#fields = Object.keys(schema.shape);
    const version = number.from(
      `(select directory_version from organizations where id = ${alias}.organization_id)`,
    );
    this.#columns = Object.entries({ ...columns, ...joined, directory_version: version });
    const expressions = this.#columns.map(([name, { expression }]) => expression ?? `${alias}.${name}`);
    this.#packed = `json_build_array(${expressions.join(', ')})`;
    this.#from = `${table} ${alias} ${joins}`;
  }

  /** Where the rows come from: the table with what is joined to it. */
  from(sql: Statements): Fragment {
    return sql`${sql.unsafe(this.#from)}`;
  }

  /** What `packed` selects, as plain SQL, for a record that holds such records. */
  get expression(): string {
    return this.#packed;
  }

  /** What a row is read from, to stand in a `select`. */
  packed(sql: Statements): Fragment {
    return sql`${sql.unsafe(this.#packed)}`;
  }

  /** The row of what `packed` read, as PostgreSQL's JSON. */
  unpack(values: readonly unknown[]): Read<Own, Joined> {
    const row: Record<string, unknown> = {};
    for (const [index, [name, { kind }]] of this.#columns.entries()) {
      const value = values[index];
      row[name] = kind === 'moment' && typeof value === 'string' ? momentOfJson(value) : value;
    }
    // The columns were declared with the types of their values.
    return row as Read<Own, Joined>;
  }

  /** The rows of a condition, which may be followed by an order and a limit. */
  async rows(sql: Statements, rest: Fragment): Promise<Read<Own, Joined>[]> {
    return this.#unpackAll(
      await sql<Packed[]>`select ${this.packed(sql)}::text as packed from ${this.from(sql)} where ${rest}`,
    );
  }

  async find({ sql, organization }: Place, id: string): Promise<Read<Own, Joined> | undefined> {
    const [row] = await this.rows(sql, this.#is(sql, organization, id));
    return row;
  }

  /** The row, locked until the transaction ends. Raises NOT_FOUND. */
  async lock(place: Place, id: string): Promise<Read<Own, Joined>> {
    const row = await this.tryLock(place, id);
    if (!row) throw notFound();
    return row;
  }

  /**
   * The row, locked until the transaction ends. Where it had to be waited for, it is read again, because PostgreSQL
   * then refreshes only locked rows, not what is joined to them. Undefined where there is none.
   *
   * @param first aliases of joined tables whose rows are locked before it, in this order
   */
  async tryLock(
    { sql, organization }: Place,
    id: string,
    first: readonly string[] = [],
  ): Promise<Read<Own, Joined> | undefined> {
    const { table, alias } = this.#declared;
    const is = this.#is(sql, organization, id);
    const [found] = await sql<(Packed & { waited: boolean })[]>`
      select ${this.packed(sql)}::text as packed, ${sql.unsafe(alias)}.xmin is distinct from (
               select xmin from ${sql(table)} as before where before.organization_id = ${organization} and before.id = ${id}
             ) as waited
      from ${this.from(sql)} where ${is} for no key update of ${sql.unsafe([...first, alias].join(', '))}`;
    return found?.waited ? this.find({ sql, organization }, id) : found && this.#unpackAll([found])[0];
  }

  /** Inserts a row; what is absent has the table's default. */
  insert(place: Place, values: Values<Own>): Promise<Read<Own, Joined>> {
    const { sql } = place;
    return this.#writtenOne(sql, sql`written as (${this.inserting(place, values)} returning *)`);
  }

  /** Changes the columns named. */
  update(place: Place, id: string, values: Values<Own>): Promise<Read<Own, Joined>> {
    const { sql } = place;
    return this.#writtenOne(sql, sql`written as (${this.updating(place, id, values)} returning *)`);
  }

  /** The begin of `insert`; a `from` may follow, whose rows say whether anything is inserted. */
  inserting({ sql, organization }: Place, values: Values<Own>): Fragment {
    const row = this.#stored(sql, { organization_id: organization, ...values });
    const all = Object.values(row).map((value): Fragment => sql`${value}`);
    const listed = all.reduce((before, each) => sql`${before}, ${each}`);
    return sql`insert into ${sql(this.#declared.table)} (${sql(Object.keys(row))}) select ${listed}`;
  }

  /** The begin of `update`; further conditions may follow. */
  updating({ sql, organization }: Place, id: string, values: Values<Own>): Fragment {
    return sql`
      update ${sql(this.#declared.table)} set ${sql(this.#stored(sql, values))}
      where organization_id = ${organization} and id = ${id}`;
  }

  /** The rows of this table that a statement's part `written` has, as they are after it. */
  async written(sql: Statements, parts: Fragment): Promise<Read<Own, Joined>[]> {
    const { alias, joins = '' } = this.#declared;
    return this.#unpackAll(
      await sql<Packed[]>`
        with ${parts}
        select ${this.packed(sql)}::text as packed from written as ${sql.unsafe(`${alias} ${joins}`)}`,
    );
  }

  /** The columns of this record that a body names, with their values. */
  valuesOf<Body extends object>(body: Body): Pick<Body, keyof Body & keyof Own> {
    const { columns } = this.#declared;
    const named = Object.entries(body).filter(
      ([name, value]) => value !== undefined && Object.hasOwn(columns, name),
    );
    // What is left are fields of the body.
    return Object.fromEntries(named) as Pick<Body, keyof Body & keyof Own>;
  }

  /** The record of a row, as GET answers it and events carry it. */
  record(row: RowOf<Own & Joined>, from: ShownWith): z.output<Schema> {
    const shown: Record<string, unknown> = { ...row, ...this.#declared.shown(row, from) };
    const inOrder = this.#fields.flatMap((name) => (shown[name] === undefined ? [] : [[name, shown[name]]]));
    // `shown` has what the row has not, which is what its type says.
    return Object.fromEntries(inOrder) as z.output<Schema>;
  }

  /** The records of rows that were read just now. */
  async records(
    { core, sql, organization }: Scope,
    rows: readonly Read<Own, Joined>[],
  ): Promise<z.output<Schema>[]> {
    if (rows.length === 0) return [];
    const version = Math.max(...rows.map((row) => row.directory_version));
    const directory = await core.directories.at(sql, organization, version);
    return rows.map((row) => this.record(row, { directory, core }));
  }

  /** The record of one row. */
  async recordOf(scope: Scope, row: Read<Own, Joined>): Promise<z.output<Schema>> {
    const { core, sql, organization } = scope;
    const directory = await core.directories.at(sql, organization, row.directory_version);
    return this.record(row, { directory, core });
  }

  /** The record as GET answers it. Raises NOT_FOUND. */
  async get(scope: Scope, id: string): Promise<z.output<Schema>> {
    const row = await this.find(scope, id);
    if (!row) throw notFound();
    return this.recordOf(scope, row);
  }

  #is(sql: Statements, organization: string, id: string): Fragment {
    const own = (name: string): Fragment => sql`${sql.unsafe(`${this.alias}.${name}`)}`;
    return sql`${own('organization_id')} = ${organization} and ${own('id')} = ${id}`;
  }

  #stored(sql: Statements, values: Readonly<Record<string, unknown>>): Record<string, never> {
    const { columns } = this.#declared;
    const stored = Object.entries(values).flatMap(([name, value]) => {
      if (value === undefined) return [];
      return [[name, columns[name]?.kind === 'json' && value !== null ? sql.json(value as never) : value]];
    });
    // postgres.js takes any value that a column can have; its types know fewer.
    return Object.fromEntries(stored) as Record<string, never>;
  }

  async #writtenOne(sql: Statements, parts: Fragment): Promise<Read<Own, Joined>> {
    const [row] = await this.written(sql, parts);
    if (!row) throw new Error(`Nothing was written to ${this.#declared.table}`);
    return row;
  }

  #unpackAll(rows: readonly Packed[]): Read<Own, Joined>[] {
    return rows.map(({ packed }) => this.unpack(JSON.parse(packed)));
  }
}

interface Packed {
  packed: string;
}

type Place = Pick<Changing, 'sql' | 'organization'> | Pick<Scope, 'sql' | 'organization'>;

export const defineRecord = <
  Schema extends z.ZodObject,
  Own extends Columns,
  Joined extends Columns = Record<never, never>,
>(
  declared: Declaration<Schema, Own, Joined>,
): RecordTable<Schema, Own, Joined> => new RecordTable(declared);

// biome-ignore lint/suspicious/noExplicitAny: what is common to all tables, whose rows differ
export type AnyRecordTable = RecordTable<any, any, any>;

/** The type of a table's rows. */
export type RowIn<Table> =
  Table extends RecordTable<infer _Schema, infer Own, infer Joined> ? Read<Own, Joined> : never;
