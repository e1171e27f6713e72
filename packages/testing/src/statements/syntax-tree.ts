// What of a statement's tree is looked at. libpg_query has each node in an object whose only key says what it is,
// and leaves out what is empty.

/** A node, or anything within one. */
export type Part = Readonly<Record<string, unknown>>;

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null;

/** A node of this kind, as `{ RangeVar: {…} }`; undefined where it is another. */
export function nodeOf(kind: string, value: unknown): Part | undefined {
  const inner = isPart(value) && !Array.isArray(value) ? value[kind] : undefined;
  return isPart(inner) ? inner : undefined;
}

export const partOf = (part: Part | undefined, name: string): Part | undefined => {
  const value = part?.[name];
  return isPart(value) && !Array.isArray(value) ? value : undefined;
};

export const listOf = (part: Part | undefined, name: string): readonly unknown[] => {
  const value = part?.[name];
  return Array.isArray(value) ? value : [];
};

export const textOf = (part: Part | undefined, name: string): string | undefined => {
  const value = part?.[name];
  return typeof value === 'string' ? value : undefined;
};

/** The words of a name: `["webhooks", "id"]`; a star is "*". */
export const wordsOf = (fields: readonly unknown[]): string[] =>
  fields.map((each) => textOf(nodeOf('String', each), 'sval') ?? '*');

/** The words of a reference to a column; undefined where it is none. */
export const columnOf = (value: unknown): string[] | undefined => {
  const column = nodeOf('ColumnRef', value);
  return column && wordsOf(listOf(column, 'fields'));
};

/** A parameter or a constant, also with a type behind it. */
export function isGiven(value: unknown): boolean {
  const cast = nodeOf('TypeCast', value);
  if (cast) return isGiven(cast['arg']);
  return nodeOf('ParamRef', value) !== undefined || nodeOf('A_Const', value) !== undefined;
}

const statements = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'] as const;
export type StatementKind = (typeof statements)[number];

export function statementOf(value: unknown): { kind: StatementKind; part: Part } | undefined {
  for (const kind of statements) {
    const part = nodeOf(kind, value);
    if (part) return { kind, part };
  }
  return undefined;
}

/** Everything below a value, itself included, but not what is within statements of their own. */
export function* withinStatement(value: unknown): Generator<Part> {
  if (Array.isArray(value)) for (const each of value) yield* withinStatement(each);
  else if (isPart(value)) {
    yield value;
    if (statementOf(value)) return;
    for (const each of Object.values(value)) yield* withinStatement(each);
  }
}
