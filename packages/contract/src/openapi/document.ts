import type * as z from 'zod';
import { type ErrorCode, errorStatus } from '../errors.ts';
import { dataSchemaOf, events, eventTypes } from '../events.ts';
import { describe, descriptionOf } from '../field.ts';
import { apiVersion, basePath, limits } from '../limits.ts';
import { message, messages } from '../messages.ts';
import { errorsOf, type OperationDeclaration } from '../operation.ts';
import { operations } from '../operations.ts';
import { pathParameters } from '../path-parameters.ts';
import { Envelope } from '../resources/webhooks.ts';
import { resources } from '../resources.ts';
import { sampleEnvelope } from '../sample.ts';
import { scopes } from '../scopes.ts';
import { answerExample, exampleOrganization, requestExample } from './examples.ts';
import { errorSchema, responseHeaders } from './parts.ts';
import { type JsonSchema, SchemaWriter } from './schema.ts';

/** The OpenAPI 3.1 description of the whole API. `origin` is the public address, without a trailing slash. */
export function openapiDocument(origin: string): JsonSchema {
  const writer = new SchemaWriter();
  const paths: Record<string, JsonSchema> = {};
  for (const declaration of Object.values<OperationDeclaration>(operations)) {
    paths[declaration.path] = {
      ...paths[declaration.path],
      [declaration.method.toLowerCase()]: operationObject(declaration, writer),
    };
  }
  const webhooks = Object.fromEntries(eventTypes.map((type) => [type, webhookObject(type, writer)]));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Dealkeep API',
      version: apiVersion,
      summary: 'Companies, contacts and leads of a business, and signed events about them.',
      description:
        'A JSON API over HTTPS. The organization follows from the credential. Lists are paged by cursor; events are delivered to REST hooks, signed per Standard Webhooks.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Dealkeep', url: origin },
    },
    servers: [{ url: `${origin}${basePath}`, description: 'This installation' }],
    security: [{ apiKey: [] }],
    tags: usedTags(),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `Authorization: Bearer dk_live_…`.',
        },
      },
      headers: responseHeaders,
      schemas: { ...writer.components, Error: errorSchema },
    },
    'x-scopes': Object.fromEntries(
      Object.entries(scopes).map(([scope, text]) => [
        scope,
        { description: text.en, 'x-sk-description': text.sk },
      ]),
    ),
  };
}

function usedTags(): JsonSchema[] {
  const used = new Set(Object.values<OperationDeclaration>(operations).map((each) => each.resource));
  return Object.entries(resources)
    .filter(([name]) => used.has(name))
    .map(([name, { plural }]) => ({
      name,
      description: plural.en,
      'x-displayName': plural.en,
      'x-sk-description': plural.sk,
    }));
}

function operationObject(declaration: OperationDeclaration, writer: SchemaWriter): JsonSchema {
  return {
    operationId: declaration.id,
    tags: [declaration.resource],
    summary: declaration.title.en,
    description: declaration.about.en,
    'x-sk-summary': declaration.title.sk,
    'x-sk-description': declaration.about.sk,
    ...(declaration.scope ? { 'x-required-scope': declaration.scope } : {}),
    ...(declaration.emits ? { 'x-emits': declaration.emits } : {}),
    parameters: [
      ...parameters(pathParameters(declaration), 'path', writer),
      ...(declaration.query ? parameters(declaration.query, 'query', writer) : []),
      ...headers(declaration),
    ],
    ...(declaration.body ? { requestBody: requestBody(declaration, declaration.body, writer) } : {}),
    responses: { ...successes(declaration, writer), ...failures(declaration) },
  };
}

function parameters(schema: z.ZodObject, place: 'path' | 'query', writer: SchemaWriter): JsonSchema[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const description = descriptionOf(field);
    return {
      name,
      in: place,
      required: place === 'path',
      description: description?.help?.en ?? description?.label.en ?? name,
      'x-sk-description': description?.help?.sk ?? description?.label.sk ?? name,
      schema: writer.write(field, 'input'),
    };
  });
}

function headers(declaration: OperationDeclaration): JsonSchema[] {
  const language = {
    name: 'Accept-Language',
    in: 'header',
    required: false,
    description: 'Language of error messages: sk and cs give Slovak, anything else English.',
    schema: { type: 'string', examples: ['en'] },
  };
  if (declaration.method !== 'POST') return [language];
  return [
    language,
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Makes a repeat of the same request answer what the first one answered.',
      schema: {
        type: 'string',
        minLength: 1,
        maxLength: limits.idempotencyKeyLength,
        examples: ['b6f0c1d2-1'],
      },
    },
  ];
}

function requestBody(declaration: OperationDeclaration, body: z.ZodObject, writer: SchemaWriter): JsonSchema {
  const required = Object.values(body.shape).some((field) => !field.safeParse(undefined).success);
  return {
    required,
    content: {
      'application/json': { schema: writer.write(body, 'input'), example: requestExample(declaration) },
    },
  };
}

function successes(declaration: OperationDeclaration, writer: SchemaWriter): JsonSchema {
  return Object.fromEntries(
    declaration.statuses.map((status) => {
      const description = status === 201 ? 'Created' : status === 204 ? 'Deleted' : 'Success';
      const { answer } = declaration;
      if (!answer) return [status, { description, headers: headerReferences() }];
      const content = {
        schema: answerSchema(declaration.shape, writer.write(answer, 'output')),
        example: answerExample(declaration),
      };
      return [status, { description, headers: headerReferences(), content: { 'application/json': content } }];
    }),
  );
}

function answerSchema(shape: OperationDeclaration['shape'], written: JsonSchema): JsonSchema {
  if (shape === 'list') return listSchema(written);
  if (shape === 'record') return { type: 'object', properties: { data: written }, required: ['data'] };
  return written;
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

const headerReferences = (): JsonSchema =>
  Object.fromEntries(
    Object.keys(responseHeaders)
      .filter((name) => name !== 'Retry-After')
      .map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );

/** The codes of an operation gathered by their status. */
function failures(declaration: OperationDeclaration): JsonSchema {
  const byStatus = Map.groupBy(errorsOf(declaration), (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.join(', '),
        headers: {
          ...headerReferences(),
          ...(status === 429 || status === 503
            ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }
            : {}),
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            example: errorExample(codes),
          },
        },
      },
    ]),
  );
}

function errorExample(codes: readonly ErrorCode[]): JsonSchema {
  const [code] = codes;
  const key = Object.entries(messages).find(([, entry]) => entry.code === code)?.[0];
  const known = Object.keys(messages).find((each): each is keyof typeof messages => each === key);
  const text = known
    ? message(known, 'en', {
        parameter: 'limit',
        reason: '1 to 100',
        seconds: 12,
        scope: 'leads:write',
        max: 50,
      })
    : 'The role of the person behind this connection lacks a permission.';
  return { error: { code, message: text } };
}

function webhookObject(type: (typeof eventTypes)[number], writer: SchemaWriter): JsonSchema {
  const event = events[type];
  const envelope = describe(Envelope.extend({ data: dataSchemaOf(type) }), {
    label: event.label,
    id: `${type
      .split(/[._]/)
      .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
      .join('')}Event`,
  });
  return {
    post: {
      operationId: `receive.${type}`,
      tags: [event.entity],
      summary: event.label.en,
      description: event.description.en,
      'x-sk-summary': event.label.sk,
      'x-sk-description': event.description.sk,
      'x-required-scope': event.scope,
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: writer.write(envelope, 'output'),
            example: sampleEnvelope(type, exampleOrganization),
          },
        },
      },
      responses: {
        '2XX': { description: 'Received. Any other answer is tried again.' },
        '4XX': { description: 'Refused; tried again. 410 ends the subscription.' },
      },
    },
  };
}
