import { type FieldFacts, fieldsOf, type RecordReference, type SearchedKind } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { momentOfJson } from '../../foundations/database/values.ts';
import { notFound } from '../../foundations/problem.ts';
import type { ReferenceData } from '../../identity/reference-data/reference-data.ts';
import type { Services } from '../services.ts';
import { type Changing, isChanging, type ReadContext, type Refusal } from '../verb/verb.ts';

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

/** Values for some columns, as they are stored and shown; undefined says nothing of one. */
export type Changes<Own extends Columns> = { readonly [Name in keyof Own]?: RowOf<Own>[Name] | undefined };

type CanBeNull<Own extends Columns> = {
  [Name in keyof Own]: null extends RowOf<Own>[Name] ? Name : never;
}[keyof Own];

/** Values for all columns, as they are stored and shown; what is absent is null. */
type Whole<Own extends Columns> = Omit<RowOf<Own>, CanBeNull<Own>> & Pick<Changes<Own>, CanBeNull<Own>>;

/** What goes with a write that is not read again. */
interface WrittenWith<Joined extends Columns> {
  /** What other tables show of what the record refers to by now. */
  readonly joined?: Partial<RowOf<Joined>>;
  /** Further parts of the statement. */
  readonly parts?: readonly Fragment[];
  readonly refused?: Refusal;
}

/** Fields of a record that are columns of the same name and type: they are shown as they are stored. */
type SameNamed<Shown, Row> = {
  [Name in keyof Shown & keyof Row]: Row[Name] extends Shown[Name] ? Name : never;
}[keyof Shown & keyof Row];

/** What the fields of a record are made of besides its row. */
export interface ShownWith {
  readonly referenceData: ReferenceData;
  readonly core: Services;
}

/**
 * How records are found by what somebody types (rules lists 4 and 18, search). The indexes of its texts, of its
 * title and of what identifies it (migrations 0039 and 0041) name the same columns in the same order.
 */
export interface Searched<Name extends string = string> {
  /** Where a text is looked for anywhere; the first is what the record is called. */
  readonly texts: readonly [Name, ...Name[]];
  /** What is found as a whole, whatever its case and spaces: numbers, codes, e-mail addresses. */
  readonly identifiers?: readonly Name[];
  /** What is found by its last nine digits. */
  readonly phones?: readonly Name[];
  /** SQL of what results are called; the first of `texts` when absent. */
  readonly title?: string;
  /** SQL of what tells results of one name apart. */
  readonly subtitle: string;
  /** A record that this one is also found by: of what kind, and the column that refers to it. */
  readonly through?: { readonly kind: SearchedKind; readonly column: Name };
}

/** A table of records that a record refers to. */
export interface Join {
  readonly kind: RecordReference;
  readonly table: string;
  readonly on: string;
  /** The record cannot be without it. */
  readonly always?: true;
}

const joinText = (alias: string, { table, on, always }: Join): string =>
  `${always ? '' : 'left '}join ${table} ${alias} on ${on}`;

/**
 * Stands in an expression for the organization of the row: a value, since of records that stand on several servers
 * no statement finds its server by another row.
 */
export const itsOrganization = '{organization}';

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
  /** The tables that `joined` reads from, by their aliases. */
  readonly joins?: Readonly<Record<string, Join>>;
  /** Absent where nobody searches for such records. */
  readonly searched?: Searched<keyof Own & string>;
  /** Makes the fields that are not simply a column of the same name. */
  shown(
    row: RowOf<Own & Joined>,
    from: ShownWith,
  ): Omit<z.output<Schema>, SameNamed<z.output<Schema>, RowOf<Own & Joined>>> & Partial<z.output<Schema>>;
}

/** A row, and the version of the organization's reference data that goes with it. */
type Read<Own extends Columns, Joined extends Columns> = RowOf<Own & Joined> & {
  readonly id: string;
  readonly directory_version: number;
};

/**
 * A record, declared once: its columns, what is joined to them, and how a row becomes what the API shows. Reading,
 * listing, inserting and changing it follow. A row travels as one JSON array: many values are read three times as
 * fast as one text than one by one.
 */
export class RecordTable<Schema extends z.ZodObject, Own extends Columns, Joined extends Columns> {
  readonly alias: string;
  readonly #declared: Declaration<Schema, Own, Joined>;
  readonly #columns: readonly string[];
  /** Whether the column of this place is a moment. */
  readonly #isMoment: readonly boolean[];
  /** How often a statement that reads rows names the organization before its condition. */
  readonly #organizations: number;
  /** The same of one that reads what it has just written. */
  readonly #organizationsOfWritten: number;
  readonly #blankRow: Readonly<Record<string, null>>;
  readonly #fields: readonly string[];
  /** Every column, null. */
  readonly #nothing: Readonly<Record<string, null>>;
  readonly #statements: Readonly<
    Record<
      'expression' | 'packed' | 'from' | 'where' | 'byId' | 'written' | 'inserting',
      TemplateStringsArray
    >
  >;
  /** By their columns. */
  readonly #inserts = new Map<string, TemplateStringsArray>();
  #blankRecord: Readonly<Record<string, null>> | undefined;

  constructor(declared: Declaration<Schema, Own, Joined>) {
    const { schema, columns, joined = {}, table, alias } = declared;
    this.#declared = declared;
    const joins = this.#joins.map(([name, join]) => joinText(name, join)).join('\n    ');
    this.alias = alias;
    this.#fields = Object.keys(schema.shape);
    this.#nothing = blank(Object.keys(columns));
    const all: Columns = { ...columns, ...joined };
    this.#columns = Object.keys(all);
    this.#isMoment = Object.values(all).map(({ kind }) => kind === 'moment');
    this.#blankRow = blank([...this.#columns, 'directory_version']);
    const expressions = Object.entries(all).map(([name, { expression }]) => expression ?? `${alias}.${name}`);
    const packed = `json_build_array(${expressions.join(', ')})`;
    const from = `${table} ${alias} ${joins}`;
    // Not by the row's organization: PostgreSQL then reads it once, and not for every row.
    const version = [
      '(select directory_version from organizations where id = ',
      ') as directory_version',
    ] as const;
    const stored = ['organization_id', ...Object.keys(columns)].join(', ');
    // The organization is given at each of these places.
    const select = `${packed}::text as packed, ${version[0]}`.split(itsOrganization);
    const [begin = '', ...more] = select;
    const selected = [`select ${begin}`, ...more];
    this.#organizations = select.length;
    // What is joined to rows that were just written has the organization by its value, too: on several servers
    // nothing else is known of them.
    const ofWritten = joins.replaceAll(`${alias}.organization_id`, itsOrganization);
    const selectedOfWritten =
      ` select ${packed}::text as packed, ${version[0]}${itsOrganization}${version[1]} from written as ${alias} ${ofWritten}`.split(
        itsOrganization,
      );
    this.#organizationsOfWritten = selectedOfWritten.length - 1;
    this.#statements = {
      expression: prepared(packed),
      packed: prepared(...select, version[1]),
      from: prepared(from),
      where: prepared(...selected, `${version[1]} from ${from} where `, ''),
      byId: prepared(
        ...selected,
        `${version[1]} from ${from} where ${alias}.organization_id = `,
        ` and ${alias}.id = `,
        '',
      ),
      // As one text: PostgreSQL and postgres.js take that faster than as many parameters as there are columns.
      inserting: prepared(
        `insert into "${table}" (${stored}) select ${stored} from json_populate_recordset(null::${table}, `,
        '::text::json)',
      ),
      written: prepared('with ', ...selectedOfWritten),
    };
  }

  get table(): string {
    return this.#declared.table;
  }

  /** How it is searched for; a record that is not cannot be asked. */
  get searched(): Searched {
    const { searched, table } = this.#declared;
    if (!searched) throw new Error(`Nobody declared how ${table} are searched`);
    return searched;
  }

  /** The columns in which a text is looked for, as conditions name them. */
  get searchedTexts(): readonly string[] {
    return this.searched.texts.map((name) => `${this.alias}.${name}`);
  }

  /** Whether a column holds several values. */
  holdsSeveral(name: string): boolean {
    return this.#declared.columns[name] === texts || this.#declared.columns[name] === uuids;
  }

  /** Where the rows come from: the table with what is joined to it. */
  from(sql: Statements): Fragment {
    return sql(this.#statements.from);
  }

  /** The same; of records that the rows may be without, those are joined alone that are seen. */
  fromSeen(sql: Statements, isSeen: (kind: RecordReference, alias: string) => Fragment): Fragment {
    const { table, alias } = this.#declared;
    return this.#joins.reduce(
      (before, [name, join]) =>
        sql`${before} ${sql.unsafe(joinText(name, join))} ${join.always ? sql`` : sql`and ${isSeen(join.kind, name)}`}`,
      sql`${sql.unsafe(`${table} ${alias}`)}`,
    );
  }

  get #joins(): readonly [alias: string, join: Join][] {
    return Object.entries(this.#declared.joins ?? {});
  }

  /** The JSON array of a row's values, as plain SQL, for a record that holds such records. */
  get expression(): string {
    return this.#statements.expression.join('');
  }

  /** What rows are read from, to stand in a `select`: the columns of `Packed`. */
  packed({ sql, organization }: Place): Fragment {
    return sql(this.#statements.packed, ...this.#given(organization));
  }

  /** The row of what `packed` read. */
  unpack({ packed, directory_version }: Packed): Read<Own, Joined> {
    return this.unpackValues(JSON.parse(packed), directory_version);
  }

  /** The row of what `expression` read, as PostgreSQL's JSON. */
  unpackValues(values: readonly unknown[], directory_version: number): Read<Own, Joined> {
    const row: Record<string, unknown> = { ...this.#blankRow, directory_version };
    for (const [index, name] of this.#columns.entries()) {
      const value = values[index];
      row[name] = this.#isMoment[index] && typeof value === 'string' ? momentOfJson(value) : value;
    }
    // The columns were declared with the types of their values.
    return row as Read<Own, Joined>;
  }

  /** The rows of a condition, which may be followed by an order and a limit. */
  async rows({ sql, organization }: Place, rest: Fragment): Promise<Read<Own, Joined>[]> {
    return this.#unpackAll(await sql<Packed[]>(this.#statements.where, ...this.#given(organization), rest));
  }

  async find({ sql, organization }: Place, id: string): Promise<Read<Own, Joined> | undefined> {
    const given = this.#given(organization);
    const [row] = this.#unpackAll(await sql<Packed[]>(this.#statements.byId, ...given, organization, id));
    return row;
  }

  #given(organization: string): string[] {
    return Array<string>(this.#organizations).fill(organization);
  }

  /**
   * The row that an operation is about: locked until the end of its transaction, and only read where a check is
   * asked outside of one. Raises NOT_FOUND.
   */
  async ofChange(context: ReadContext, id: string): Promise<Read<Own, Joined>> {
    const row = await (isChanging(context) ? this.tryLock(context, id) : this.find(context, id));
    if (!row) throw notFound();
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
   */
  async tryLock({ sql, organization }: Place, id: string): Promise<Read<Own, Joined> | undefined> {
    const { table, alias } = this.#declared;
    const is = this.#is(sql, organization, id);
    const [found] = await sql<(Packed & { waited: boolean })[]>`
      select ${this.packed({ sql, organization })}, ${sql.unsafe(alias)}.xmin is distinct from (
               select xmin from ${sql(table)} as before where before.organization_id = ${organization} and before.id = ${id}
             ) as waited
      from ${this.from(sql)} where ${is} for no key update of ${sql.unsafe(alias)}`;
    return found?.waited ? this.find({ sql, organization }, id) : found && this.#unpackAll([found])[0];
  }

  /** What the contract says of the fields that are stored as they are shown. */
  get storedFields(): readonly FieldFacts[] {
    const { schema, columns } = this.#declared;
    return fieldsOf(schema).filter(({ name }) => Object.hasOwn(columns, name));
  }

  /** The rows of a condition, locked until the transaction ends, in the order of their ids. */
  async lockAll(place: Place, condition: Fragment): Promise<Read<Own, Joined>[]> {
    const { sql, organization } = place;
    const { table, alias } = this.#declared;
    const own = sql`${sql.unsafe(alias)}.organization_id = ${organization}`;
    const id = sql`${sql.unsafe(alias)}.id`;
    const locked = await sql<{ id: string }[]>`
      select ${id} from ${sql.unsafe(`${table} ${alias}`)} where ${own} and ${condition} order by ${id} for no key update`;
    const ids = locked.map((row) => row.id);
    return ids.length === 0
      ? []
      : this.rows(place, sql`${own} and ${id} = any(${ids}::uuid[]) order by ${id}`);
  }

  /**
   * Changes columns of a locked row, with the end of the transaction. Answers the row as it will be: nobody else
   * changes it meanwhile, and the values are such as the columns keep them.
   */
  async update(
    context: Changing,
    row: Read<Own, Joined>,
    changes: Changes<Own>,
    also: WrittenWith<Joined> = {},
  ): Promise<Read<Own, Joined>> {
    const { sql } = context;
    const { parts = [], refused } = also;
    const put = sql`written as (${this.updating(context, row.id, changes)} returning id)`;
    await context.write(together(sql, [put, ...parts]), refused);
    return this.changed(row, changes, also.joined);
  }

  /** A row as changes make it. */
  changed(
    row: Read<Own, Joined>,
    changes: Changes<Own>,
    joined: Partial<RowOf<Joined>> = {},
  ): Read<Own, Joined> {
    return Object.assign({ ...row }, this.valuesOf(changes), joined);
  }

  /** Inserts a row of which everything is known, with the end of the transaction. Answers it. */
  async insertWhole(
    context: Changing,
    values: Whole<Own>,
    also: WrittenWith<Joined> & { readonly joined: RowOf<Joined>; readonly unless?: Fragment },
  ): Promise<Read<Own, Joined>> {
    const { sql } = context;
    const { joined, parts, refused, unless } = also;
    const row = { ...this.#nothing, ...this.valuesOf(values) };
    const stored = { organization_id: context.organization, ...row };
    const { version } = await context.referenceData();
    if (parts || refused || unless) {
      const put = sql`written as (${this.insertingAll(sql, [stored])} ${unless ?? sql``} returning id)`;
      await context.write(together(sql, [put, ...(parts ?? [])]), refused);
    } else await context.insert(this, stored);
    const whole: Record<string, unknown> = { ...row, ...joined, directory_version: version };
    // What has no value in `values` can be null, which is what its type says.
    return whole as Read<Own, Joined>;
  }

  /** The begin of an `insert` of whole rows, each with its organization. */
  insertingAll(sql: Statements, rows: readonly object[]): Fragment {
    return sql(this.#statements.inserting, JSON.stringify(rows));
  }

  /** The begin of an `insert`; a `from` may follow, whose rows say whether anything is inserted. */
  inserting({ sql, organization }: Place, values: Values<Own>): Fragment {
    const row = this.#stored(sql, { organization_id: organization, ...values });
    return sql(this.#insert(Object.keys(row)), ...Object.values(row));
  }

  /** The text of an insert of these columns; a fragment for each value costs more than all else about an insert. */
  #insert(names: readonly string[]): TemplateStringsArray {
    const list = names.map((name) => `"${name}"`).join();
    const known = this.#inserts.get(list);
    if (known) return known;
    const between = names.slice(1).map(() => ', ');
    const made = prepared(`insert into "${this.#declared.table}" (${list}) select `, ...between, '');
    this.#inserts.set(list, made);
    return made;
  }

  /** The begin of an `update`; further conditions may follow. */
  updating({ sql, organization }: Place, id: string, values: Changes<Own>): Fragment {
    return sql`
      update ${sql(this.#declared.table)} set ${sql(this.#stored(sql, values))}
      where organization_id = ${organization} and id = ${id}`;
  }

  /** The rows of this table that a statement's part `written` has, as they are after it. */
  async written({ sql, organization }: Place, parts: Fragment): Promise<Read<Own, Joined>[]> {
    return this.#unpackAll(
      await sql<Packed[]>(
        this.#statements.written,
        parts,
        ...Array<string>(this.#organizationsOfWritten).fill(organization),
      ),
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
    const stored: Readonly<Record<string, unknown>> = row;
    const shown: Readonly<Record<string, unknown>> = this.#declared.shown(row, from);
    const fieldOf = (name: string): unknown => (name in shown ? shown[name] : stored[name]);
    // As long as they have the same optional fields as the first one, all are copies of one blank.
    this.#blankRecord ??= blank(this.#fields.filter((name) => fieldOf(name) !== undefined));
    const record: Record<string, unknown> = { ...this.#blankRecord };
    for (const name of this.#fields) {
      const value = fieldOf(name);
      if (value !== undefined && name in record) record[name] = value;
      else if (value !== undefined || name in record) return this.#inOrder(fieldOf);
    }
    // `shown` has what the row has not, which is what its type says.
    return record as z.output<Schema>;
  }

  #inOrder(fieldOf: (name: string) => unknown): z.output<Schema> {
    const there = this.#fields.filter((name) => fieldOf(name) !== undefined);
    return Object.fromEntries(there.map((name) => [name, fieldOf(name)])) as z.output<Schema>;
  }

  /** The records of rows that were read just now. */
  async records(
    { core, referenceDataAt }: ReadContext,
    rows: readonly Read<Own, Joined>[],
  ): Promise<z.output<Schema>[]> {
    if (rows.length === 0) return [];
    const version = Math.max(...rows.map((row) => row.directory_version));
    const referenceData = await referenceDataAt(version);
    return rows.map((row) => this.record(row, { referenceData, core }));
  }

  /** The record of one row. */
  async recordOf(scope: ReadContext, row: Read<Own, Joined>): Promise<z.output<Schema>> {
    const referenceData = await scope.referenceDataAt(row.directory_version);
    return this.record(row, { referenceData, core: scope.core });
  }

  /** The record as GET answers it. Raises NOT_FOUND. */
  async get(scope: ReadContext, id: string): Promise<z.output<Schema>> {
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
      // A promise is SQL that gives the value.
      const isJson = columns[name]?.kind === 'json' && value !== null && !(value instanceof Promise);
      return [[name, isJson ? sql.json(value as never) : value]];
    });
    // postgres.js takes any value that a column can have; its types know fewer.
    return Object.fromEntries(stored) as Record<string, never>;
  }

  #unpackAll(rows: readonly Packed[]): Read<Own, Joined>[] {
    return rows.map((row) => this.unpack(row));
  }
}

/** A row as it is read. */
export interface Packed {
  /** Its values, as a JSON array. */
  packed: string;
  directory_version: number;
}

const together = (sql: Statements, parts: readonly Fragment[]): Fragment =>
  parts.reduce((before, each) => sql`${before}, ${each}`);

/** A statement, or a part of one, whose texts never change: made once, whatever values stand between them. */
const prepared = (...texts: string[]): TemplateStringsArray => Object.assign(texts, { raw: texts });

/**
 * What is copied and filled, so that all of them have one shape. V8 gives that to what is read from JSON; an object
 * that is given many properties by name becomes a dictionary, which everything is slow with.
 */
const blank = (names: readonly string[]): Readonly<Record<string, null>> =>
  JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))));

type Place = Pick<Changing, 'sql' | 'organization'> | Pick<ReadContext, 'sql' | 'organization'>;

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
