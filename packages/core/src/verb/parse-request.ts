import { bareSchema, checkValue, type FieldProblem, type OperationDeclaration } from '@dealkeep/contract';
import * as z from 'zod';
import { invalidFields, invalidParameter, notFound, Problem } from '../problem.ts';

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

/** Checks a request by the contract: path (NOT_FOUND), query (400), body (422). */
export async function parseRequest(
  declaration: OperationDeclaration,
  raw: RawRequest,
  body: RawBody | undefined,
  findBesides: FindBesides,
): Promise<ParsedRequest> {
  const path = parsePath(raw);
  const query = parseQuery(declaration, raw);
  return { path, query, body: await parseBody(declaration, body, findBesides) };
}

const recordId = z.uuid().toLowerCase();

function parsePath({ path }: RawRequest): Readonly<Record<string, string>> {
  const parsed = Object.entries(path).map(([name, value]) => {
    if (name !== 'id' && name !== 'uuid') return [name, value];
    const id = recordId.safeParse(value);
    if (!id.success) throw notFound();
    return [name, id.data];
  });
  return Object.fromEntries(parsed);
}

function parseQuery(declaration: OperationDeclaration, raw: RawRequest): unknown {
  const shape = declaration.query?.shape ?? {};
  const values: Record<string, unknown> = {};
  for (const [name, value] of raw.query) {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (!field)
      throw new Problem('parameter.unsupported', { parameter: name }, { detail: { parameter: name } });
    if (Object.hasOwn(values, name)) throw invalidParameter({ path: name, key: 'field.duplicate' });
    values[name] = typedValue(field, value);
  }
  if (!declaration.query) return values;
  const checked = checkValue(declaration.query, values);
  if (!checked.problems) return checked.data;
  const [problem] = checked.problems;
  throw problem ? invalidParameter(problem) : new Error('Unreachable: what is refused has a problem');
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
