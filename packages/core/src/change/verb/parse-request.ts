import {
  anyUuid,
  bareSchema,
  checkValue,
  type FieldProblem,
  limits,
  type OperationDeclaration,
  takesSeveral,
} from '@dealkeep/contract';
import * as z from 'zod';
import { invalidFields, invalidParameter, notFound, Problem } from '../../foundations/problem.ts';

/** A request as an application took it apart, not yet checked. */
export interface RawRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Receives the body; raises BAD_REQUEST when it is too large. Called after authorization. */
  receive(): Promise<RawBody>;
}

export interface RawBody {
  readonly bytes: Uint8Array;
  /** The body as a value; raises BAD_REQUEST when it is no JSON. Not called for an empty body. */
  parse(): unknown;
}

export interface ParsedRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

/** What is wrong with a body that the contract refuses: what it was refused for, and what is found besides. */
export type FindBesides = (
  schema: z.ZodObject,
  value: unknown,
  refused: readonly FieldProblem[],
) => Promise<FieldProblem[]>;

/** Checks a request by the contract: path (NOT_FOUND), query (400), body (400, 422). */
export async function parseRequest(
  declaration: OperationDeclaration,
  raw: RawRequest,
  body: RawBody | undefined,
  findBesides: FindBesides,
): Promise<ParsedRequest> {
  const path = parsePath(declaration, raw);
  const query = parseQuery(declaration, raw);
  return { path, query, body: await parseBody(declaration, body, findBesides) };
}

/** The values of a path; ids in lower case. Raises NOT_FOUND. */
export function parsePath(
  { resource }: OperationDeclaration,
  { path }: Pick<RawRequest, 'path'>,
): Readonly<Record<string, string>> {
  const parsed = Object.entries(path).map(([name, value]) => {
    const namesRecord = (name === 'id' || name === 'uuid') && resource !== 'event';
    if (!namesRecord) return [name, value];
    const id = anyUuid.safeParse(value);
    if (!id.success) throw notFound();
    return [name, id.data];
  });
  return Object.fromEntries(parsed);
}

function parseQuery(declaration: OperationDeclaration, raw: RawRequest): unknown {
  const shape = declaration.query?.shape ?? {};
  const values: Record<string, unknown> = {};
  const several: Record<string, readonly unknown[]> = {};
  const sent = new Map<string, string[]>();
  for (const [name, value] of raw.query) {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const entry = field ? undefined : dictionaryEntry(shape, name);
    if (entry) {
      const entries = Object(values[entry.dictionary] ?? {});
      if (Object.hasOwn(entries, entry.key)) throw invalidParameter({ path: name, key: 'field.sent_twice' });
      const all = Object.entries({ ...entries, [entry.key]: value });
      // In an order of its own, so that a cursor is good for the same filters in any order.
      values[entry.dictionary] = Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
      continue;
    }
    if (!field || isDictionary(field))
      throw new Problem('parameter.unsupported', { parameter: name }, { detail: { parameter: name } });
    sent.set(name, [...(sent.get(name) ?? []), value]);
  }
  for (const [name, given] of sent) {
    const field = shape[name];
    if (!field) continue;
    // Sent once for each value, as many clients send lists, or once with commas: both are the same (rule lists 17).
    const each = takesSeveral(declaration, name) ? given.flatMap((value) => value.split(',')) : given;
    const [value = ''] = each;
    if (each.length === 1) values[name] = typedValue(field, value);
    else if (takesSeveral(declaration, name)) several[name] = severalOf(name, field, each);
    else throw invalidParameter({ path: name, key: 'field.sent_twice' });
  }
  if (!declaration.query) return values;
  const checked = checkValue(declaration.query, values);
  if (!checked.problems) return { ...checked.data, ...several };
  const [problem] = checked.problems;
  if (!problem) throw new Error('Unreachable: what is refused has a problem');
  const lostPlus = problem.key === 'field.invalid_date_time' && endsInOffset(values[problem.path]);
  if (lostPlus) throw invalidParameter({ path: problem.path, key: 'parameter.plus_is_space' });
  throw invalidParameter({ ...problem, path: sentAs(shape, raw, problem.path) });
}

/**
 * How a parameter was called in the request: `custom_field[Segment]`, which is checked as `custom_field.Segment`.
 */
function sentAs(shape: Readonly<Record<string, z.core.$ZodType>>, raw: RawRequest, path: string): string {
  for (const [name] of raw.query) {
    const entry = dictionaryEntry(shape, name);
    if (entry && `${entry.dictionary}.${entry.key}` === path) return name;
  }
  return path;
}

/** Each of the values of a filter, once. */
function severalOf(name: string, field: z.core.$ZodType, each: readonly string[]): readonly unknown[] {
  if (each.length > limits.filterValues) {
    throw invalidParameter({ path: name, key: 'field.too_many', values: { max: limits.filterValues } });
  }
  const one = z.object({ [name]: field });
  const read = each.map((part) => {
    const { data, problems: [problem] = [] } = checkedOne(one, { [name]: part });
    if (problem) throw invalidParameter(problem);
    return data?.[name];
  });
  return [...new Set(read)];
}

const checkedOne = (
  schema: z.ZodObject,
  value: object,
): { data?: Record<string, unknown>; problems?: readonly FieldProblem[] } => checkValue(schema, value);

/** A date and time whose + before the offset was read as a space, which is what it means in an address. */
const endsInOffset = (value: unknown): boolean =>
  typeof value === 'string' && /:\d\d(\.\d+)? \d\d:?\d\d$/.test(value);

const isDictionary = (field: z.core.$ZodType): boolean => bareSchema(field).bare instanceof z.ZodRecord;

/** `custom_field[Segment]`: one entry of a parameter that takes any names. */
function dictionaryEntry(
  shape: Readonly<Record<string, z.core.$ZodType>>,
  name: string,
): { dictionary: string; key: string } | undefined {
  const [, dictionary = '', key = ''] = /^(\w+)\[(.+)\]$/s.exec(name) ?? [];
  const field = Object.hasOwn(shape, dictionary) ? shape[dictionary] : undefined;
  return field && isDictionary(field) ? { dictionary, key } : undefined;
}

/** Query values are texts; numbers and booleans are recognised by what the schema wants. */
function typedValue(field: z.core.$ZodType, value: string): unknown {
  const { bare } = bareSchema(field);
  if (bare instanceof z.ZodNumber) return /^-?\d{1,15}(\.\d+)?$/.test(value) ? Number(value) : value;
  if (bare instanceof z.ZodBoolean) return value === 'true' ? true : value === 'false' ? false : value;
  return value;
}

/** The body of a POST that takes none: none at all, or an object without fields. */
const noFields = z.strictObject({});

async function parseBody(
  { method, body: declared }: OperationDeclaration,
  body: RawBody | undefined,
  findBesides: FindBesides,
): Promise<unknown> {
  const schema = declared ?? (method === 'POST' ? noFields : undefined);
  if (!schema) return undefined;
  const empty = !body || body.bytes.length === 0;
  // Where nothing is required, no body at all equals {}.
  const value = empty ? {} : body.parse();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Problem('request.not_an_object');
  }
  const checked = checkValue(schema, value);
  if (!checked.problems) return checked.data;
  if (empty) throw new Problem('request.not_an_object');
  throw invalidFields(await findBesides(schema, value, checked.problems));
}

const named = z.object({ id: z.string() });

/**
 * Checks an item of a batch as the request of the operation that it is for: the body, in which the id of the record
 * stands as well where the operation's path names one.
 */
export async function parseItem(
  declaration: OperationDeclaration,
  item: unknown,
  findBesides: (path: ParsedRequest['path'], ...refused: Parameters<FindBesides>) => Promise<FieldProblem[]>,
): Promise<ParsedRequest> {
  const schema = declaration.body ?? noFields;
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    throw new Problem('request.not_an_object');
  }
  if (!declaration.path.includes('{id}')) {
    const checked = checkValue(schema, item);
    if (!checked.problems) return { path: {}, query: {}, body: checked.data };
    throw invalidFields(await findBesides({}, schema, item, checked.problems));
  }
  const { id: _, ...rest } = { id: undefined, ...item };
  const checked = checkValue(schema, rest);
  const record = checkValue(named, item);
  if (record.problems) throw invalidFields([...record.problems, ...(checked.problems ?? [])]);
  const path = parsePath(declaration, { path: record.data });
  if (!checked.problems) return { path, query: {}, body: checked.data };
  throw invalidFields(await findBesides(path, schema, rest, checked.problems));
}
