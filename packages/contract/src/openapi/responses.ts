import { type ErrorCode, errorStatus } from '../errors.ts';
import { type MessageKey, message, messages } from '../messages.ts';
import { errorsOf, type OperationDeclaration } from '../operation.ts';
import { exampleOf, sampleEnvelope } from '../sample.ts';
import { exampleOrganization } from './examples.ts';
import type { responseHeaders } from './parts.ts';
import type { JsonSchema, SchemaWriter } from './schema.ts';

type HeaderName = keyof typeof responseHeaders;

/** Every answer of an operation: its successes, and its errors gathered by their status. */
export const responsesOf = (declaration: OperationDeclaration, writer: SchemaWriter): JsonSchema => ({
  ...successes(declaration, writer),
  ...failures(declaration),
});

const everywhere: readonly HeaderName[] = [
  'X-Service-Api-Version',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

const headers = (...names: readonly HeaderName[]): JsonSchema =>
  Object.fromEntries(
    [...everywhere, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );

function successes(declaration: OperationDeclaration, writer: SchemaWriter): JsonSchema {
  const own: HeaderName[] = [];
  if (declaration.method === 'POST') own.push('Idempotent-Replayed');
  if (declaration.noStore) own.push('Cache-Control');
  return Object.fromEntries(
    declaration.statuses.map((status, index) => {
      const description = status === 201 ? 'Created' : status === 204 ? 'Deleted' : 'Success';
      const content = successContent(declaration, writer, index > 0);
      return [status, { description, headers: headers(...own), ...(content ? { content } : {}) }];
    }),
  );
}

/** @param existing the answer to a creation that found an existing record */
function successContent(
  { answer, shape, existingFlag }: OperationDeclaration,
  writer: SchemaWriter,
  existing: boolean,
): JsonSchema | undefined {
  if (!answer) return undefined;
  const schema = writer.write(answer, 'output');
  const record = exampleOf(answer);
  if (shape === 'bare') {
    const example = [sampleEnvelope('lead.created', exampleOrganization)];
    return { 'application/json': { schema, example } };
  }
  if (shape === 'list') {
    const example = { data: [record], next_cursor: null, has_more: false };
    return { 'application/json': { schema: listSchema(schema), example } };
  }
  const data = existing && existingFlag ? { ...Object(record), [existingFlag]: true } : record;
  const wrapped = { type: 'object', properties: { data: schema }, required: ['data'] };
  return { 'application/json': { schema: wrapped, example: { data } } };
}

const listSchema = (item: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    data: { type: 'array', items: item },
    next_cursor: { type: ['string', 'null'], description: 'cursor of the next page; null on the last one' },
    has_more: { type: 'boolean' },
  },
  required: ['data', 'next_cursor', 'has_more'],
});

/** Headers that errors of a status carry besides. */
const ofStatus: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function failures(declaration: OperationDeclaration): JsonSchema {
  const byStatus = Map.groupBy(errorsOf(declaration), (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.join(', '),
        headers: headers(...(ofStatus[status] ?? [])),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }])),
          },
        },
      },
    ]),
  );
}

const messageKeys = Object.keys(messages).filter((key): key is MessageKey => key in messages);

/** What an error of this code looks like, by the first message that has it. */
function errorExample(code: ErrorCode): JsonSchema {
  const key = messageKeys.find((each) => messages[each].code === code);
  if (!key) throw new Error(`No message has the code ${code}`);
  const detail = details[code];
  const values = {
    parameter: 'limit',
    reason: message('field.too_small', 'en', { min: 1 }),
    ...exampleValues,
  };
  return { error: { code, message: message(key, 'en', values), ...(detail ? { detail } : {}) } };
}

const exampleValues = {
  seconds: 12,
  scope: 'leads:write',
  permission: 'leads.edit',
  max: 50,
  fields: 'value',
  event: 'lead.exploded',
};

const details: Partial<Record<ErrorCode, JsonSchema>> = {
  INVALID_PARAMETER: { parameter: 'limit' },
  UNSUPPORTED_FILTER: { parameter: 'limit' },
  INVALID_CURSOR: { parameter: 'cursor' },
  VALIDATION_ERROR: {
    fields: [{ path: 'value', code: 'too_small', message: message('field.too_small', 'en', { min: 0 }) }],
  },
  UNKNOWN_EVENT: { event: 'lead.exploded' },
  WEBHOOK_URL_INVALID: { field: 'target_url' },
  WEBHOOK_URL_BLOCKED: { field: 'target_url' },
};
