import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import * as z from 'zod';
import { type OperationDeclaration, openapiDocument, operations } from '../src/index.ts';

export const origin = 'https://api.dealkeep.example';
export const document = openapiDocument(origin);

export const object = z.record(z.string(), z.unknown());
/** The value at a path of the document. */
export const at = (...path: string[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    document,
  );
export const objectAt = (...path: string[]): Record<string, unknown> => {
  const found = at(...path);
  if (!isObject(found)) throw new Error(`No object stands at ${path.join('/')}`);
  return found;
};

export const ajv = new Ajv2020({ strict: false, allErrors: true });
ajvFormats.default(ajv);
ajv.addSchema(document, 'openapi');
const pointer = (path: readonly string[]) =>
  path.map((key) => `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

/** Of the schema that stands at a path of the document; each is compiled once, in however many places it stands. */
export function validatorAt(path: readonly string[]): ValidateFunction {
  const schema = JSON.stringify(at(...path));
  const validate = validators.get(schema) ?? ajv.compile({ $ref: `openapi#${pointer(path)}` });
  validators.set(schema, validate);
  return validate;
}
const validators = new Map<string, ValidateFunction>();

/** What JSON Schema says against a value, by the schema that stands at a path of the document. */
export function problems(path: readonly string[], value: unknown): readonly unknown[] {
  const validate = validatorAt(path);
  return validate(value) ? [] : (validate.errors ?? []);
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every schema of the document with the place where it stands. */
function* schemasIn(value: unknown, path: string[]): Generator<string[]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* schemasIn(item, [...path, String(index)]);
    return;
  }
  if (!isObject(value)) return;
  const isSchema =
    path.at(-1) === 'schema' ||
    path.at(-2) === 'schemas' ||
    path.at(-2) === 'properties' ||
    path.at(-1) === 'items';
  if (isSchema) yield path;
  for (const [key, inner] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples') yield* schemasIn(inner, [...path, key]);
  }
}
export const everySchema = [...schemasIn(document, [])];

export const declarations = Object.values<OperationDeclaration>(operations);
export const placeOf = ({ path, method }: OperationDeclaration) => ['paths', path, method.toLowerCase()];
