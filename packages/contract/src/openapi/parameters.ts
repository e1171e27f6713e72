import * as z from 'zod';
import { bareSchema, descriptionOf } from '../field.ts';
import { limits } from '../limits.ts';
import { takesSeveral } from '../list-query.ts';
import { type OperationDeclaration, takesIfMatch, takesIfNoneMatch } from '../operation.ts';
import { pathParameters } from '../path-parameters.ts';
import { type Text, text } from '../text.ts';
import type { JsonSchema, SchemaWriter } from './schema.ts';

/** The parameters of an operation: path, query, headers. */
export const parametersOf = (declaration: OperationDeclaration, writer: SchemaWriter): JsonSchema[] => [
  ...fieldParameters(pathParameters(declaration), 'path', writer),
  ...(declaration.query ? fieldParameters(declaration.query, 'query', writer).map(several(declaration)) : []),
  languageHeader,
  ...(declaration.method === 'POST' ? [idempotencyHeader] : []),
  ...(takesIfNoneMatch(declaration) ? [ifNoneMatchHeader] : []),
  ...(takesIfMatch(declaration) ? [ifMatchHeader] : []),
];

const parameter = (name: string, place: 'path' | 'query' | 'header', about: Text, schema: JsonSchema) => ({
  name,
  in: place,
  required: place === 'path',
  description: about.en,
  'x-sk-description': about.sk,
  schema,
});

function fieldParameters(schema: z.ZodObject, place: 'path' | 'query', writer: SchemaWriter) {
  return Object.entries(schema.shape).map(([name, field]) => {
    const description = descriptionOf(field);
    const about = description?.help ?? description?.label ?? text(name, name);
    const written = parameter(name, place, about, writer.write(field, 'input'));
    // `custom_field[Segment]=Retail`
    const isDictionary = bareSchema(field).bare instanceof z.ZodRecord;
    return isDictionary ? { ...written, style: 'deepObject', explode: true } : written;
  });
}

/** A filter that takes several values, too: separated by commas. */
const several =
  (declaration: OperationDeclaration) =>
  (one: ReturnType<typeof parameter>): JsonSchema => {
    if (!takesSeveral(declaration, one.name)) return one;
    return {
      ...one,
      description: `${one.description} Several, separated by commas or sent one by one, list what has any of them.`,
      'x-sk-description': `${one['x-sk-description']} Viaceré, oddelené čiarkami alebo poslané po jednej, vypíšu to, čo má niektorú z nich.`,
      style: 'form',
      explode: false,
      schema: {
        anyOf: [one.schema, { type: 'array', items: one.schema, minItems: 1, maxItems: limits.filterValues }],
      },
    };
  };

const languageHeader = parameter(
  'Accept-Language',
  'header',
  text(
    'Language of error messages: sk and cs give Slovak, anything else English.',
    'Jazyk chybových správ: sk a cs dajú slovenčinu, čokoľvek iné angličtinu.',
  ),
  { type: 'string', examples: ['sk', 'en-GB, en;q=0.8'] },
);

const exampleTag = '"5mIqVSsmwKyBhmFOYdnnjT"';

const ifNoneMatchHeader = parameter(
  'If-None-Match',
  'header',
  text(
    'ETag of the record that you have; when it is still the same, the answer is 304 without a body.',
    'ETag záznamu, ktorý máte; ak je stále rovnaký, odpoveďou je 304 bez tela.',
  ),
  { type: 'string', examples: [exampleTag] },
);

const ifMatchHeader = parameter(
  'If-Match',
  'header',
  text(
    'ETag of the record that you have seen; when it changed since, nothing is done and the answer is 412.',
    'ETag záznamu, ktorý ste videli; ak sa odvtedy zmenil, nič sa nevykoná a odpoveďou je 412.',
  ),
  { type: 'string', examples: [exampleTag] },
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
