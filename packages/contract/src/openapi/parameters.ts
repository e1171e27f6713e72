import type * as z from 'zod';
import { descriptionOf } from '../field.ts';
import { limits } from '../limits.ts';
import type { OperationDeclaration } from '../operation.ts';
import { pathParameters } from '../path-parameters.ts';
import { type Text, text } from '../text.ts';
import type { JsonSchema, SchemaWriter } from './schema.ts';

/** The parameters of an operation: path, query, headers. */
export const parametersOf = (declaration: OperationDeclaration, writer: SchemaWriter): JsonSchema[] => [
  ...fieldParameters(pathParameters(declaration), 'path', writer),
  ...(declaration.query ? fieldParameters(declaration.query, 'query', writer) : []),
  languageHeader,
  ...(declaration.method === 'POST' ? [idempotencyHeader] : []),
];

const parameter = (name: string, place: 'path' | 'query' | 'header', about: Text, schema: JsonSchema) => ({
  name,
  in: place,
  required: place === 'path',
  description: about.en,
  'x-sk-description': about.sk,
  schema,
});

function fieldParameters(schema: z.ZodObject, place: 'path' | 'query', writer: SchemaWriter): JsonSchema[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const description = descriptionOf(field);
    const about = description?.help ?? description?.label ?? text(name, name);
    return parameter(name, place, about, writer.write(field, 'input'));
  });
}

const languageHeader = parameter(
  'Accept-Language',
  'header',
  text(
    'Language of error messages: sk and cs give Slovak, anything else English.',
    'Jazyk chybových správ: sk a cs dajú slovenčinu, čokoľvek iné angličtinu.',
  ),
  { type: 'string', examples: ['sk', 'en-GB, en;q=0.8'] },
);

const idempotencyHeader = parameter(
  'Idempotency-Key',
  'header',
  text(
    'Makes a repeat of the same request answer what the first one answered.',
    'Opakovaná rovnaká požiadavka dostane odpoveď tej prvej.',
  ),
  { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyLength },
);
