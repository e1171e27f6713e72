import * as z from 'zod';
import { asciiLowerCase } from '../comparison-form.ts';
import {
  dataSchemaOf,
  type EventType,
  events,
  eventTypes,
  filtersOfEvent,
  isUpdate,
  watchableFields,
} from '../events.ts';
import { describe } from '../field.ts';
import { apiVersion, basePath } from '../limits.ts';
import { oauthPaths } from '../oauth-paths.ts';
import { bodyTypesOf, type OperationDeclaration, permissionsOf } from '../operation.ts';
import { operations } from '../operations.ts';
import { Envelope } from '../resources/webhooks.ts';
import { resources } from '../resources.ts';
import { oauthScopes, scopePermissions } from '../role-permissions.ts';
import { exampleChanges, sampleData, sampleEnvelope } from '../sample.ts';
import { scopes } from '../scopes.ts';
import { text } from '../text.ts';
import { exampleOrganization, requestExample } from './examples.ts';
import { parametersOf } from './parameters.ts';
import { errorSchema, responseHeaders } from './parts.ts';
import { responsesOf } from './responses.ts';
import { type JsonSchema, SchemaWriter } from './schema.ts';

/** How a caller shows who they are: a key, or a token of a connection that a user allowed. */
const securitySchemes = (origin: string): JsonSchema => ({
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: `Authorization: Bearer dk_live_…`.',
    'x-sk-description': 'API kľúč: `Authorization: Bearer dk_live_…`.',
  },
  oauth2: {
    type: 'oauth2',
    description:
      'An access token of an application that a person connected to their account (authorization code with PKCE, S256), sent like a key. Besides the scope, the role of the person must permit the operation for all records.',
    'x-sk-description':
      'Prístupový token aplikácie, ktorú si človek pripojil k účtu (autorizačný kód s PKCE, S256), posiela sa ako kľúč. Okrem oprávnenia musí operáciu pre všetky záznamy povoľovať aj rola človeka.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${origin}${oauthPaths.authorize}`,
        tokenUrl: `${origin}${oauthPaths.token}`,
        refreshUrl: `${origin}${oauthPaths.token}`,
        scopes: Object.fromEntries(oauthScopes.map((scope) => [scope, scopes[scope].en])),
      },
    },
  },
});

/** What an operation is called with: a key, or a token, unless its scope is out of reach for every token. */
function securityOf({ scope, alsoScope }: OperationDeclaration): JsonSchema[] {
  const byKey = { apiKey: [] };
  if (scope === null) return [byKey, { oauth2: [] }];
  return scopePermissions[scope] ? [byKey, { oauth2: [scope, ...(alsoScope ? [alsoScope] : [])] }] : [byKey];
}

/** The OpenAPI 3.1 description of the whole API. `origin` is the public address, without a trailing slash. */
export function openapiDocument(origin: string): JsonSchema {
  const writer = new SchemaWriter();
  const paths: Record<string, JsonSchema> = {};
  for (const declaration of Object.values<OperationDeclaration>(operations)) {
    paths[declaration.path] = {
      ...paths[declaration.path],
      [asciiLowerCase(declaration.method)]: operationObject(declaration, writer),
    };
  }
  const webhooks = Object.fromEntries(eventTypes.map((type) => [type, webhookObject(type, writer)]));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Dealkeep API',
      version: apiVersion,
      summary:
        'Customers, sales, tasks, invoices, bookings and orders of a business, and signed events about them.',
      description:
        'A JSON API over HTTPS. The organization follows from the credential. Lists are paged by cursor; events are delivered to REST hooks, signed per Standard Webhooks.',
      'x-sk-summary':
        'Zákazníci, predaj, úlohy, faktúry, rezervácie a objednávky firmy a podpísané udalosti o nich.',
      'x-sk-description':
        'JSON API cez HTTPS. Organizácia vyplýva z prístupu. Zoznamy sa stránkujú kurzorom; udalosti sa doručujú na REST hooky, podpísané podľa Standard Webhooks.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Dealkeep', url: origin },
    },
    servers: [
      {
        url: `${origin}${basePath}`,
        description: 'This installation',
        'x-sk-description': 'Táto inštalácia',
      },
    ],
    tags: usedTags(),
    paths,
    webhooks,
    components: {
      securitySchemes: securitySchemes(origin),
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
  const permissions = permissionsOf(declaration);
  return {
    operationId: declaration.id,
    tags: [declaration.resource],
    summary: declaration.title.en,
    description: declaration.about.en,
    'x-sk-summary': declaration.title.sk,
    'x-sk-description': declaration.about.sk,
    ...(declaration.scope ? { 'x-required-scope': declaration.scope } : {}),
    ...(permissions.length > 0 ? { 'x-required-permissions': permissions } : {}),
    ...(declaration.emits ? { 'x-emits': declaration.emits } : {}),
    security: securityOf(declaration),
    parameters: parametersOf(declaration, writer),
    ...(declaration.body ? { requestBody: requestBody(declaration, declaration.body, writer) } : {}),
    responses: responsesOf(declaration, writer),
  };
}

function requestBody(declaration: OperationDeclaration, body: z.ZodObject, writer: SchemaWriter): JsonSchema {
  const required = Object.values(body.shape).some((field) => !field.safeParse(undefined).success);
  const content = { schema: writer.write(body, 'input'), example: requestExample(declaration) };
  return {
    required,
    content: Object.fromEntries(bodyTypesOf(declaration.method).map((type) => [type, content])),
  };
}

/** Open, so that a field that a later version adds breaks no client; which there are is said beside. */
function changedFieldsOf(type: EventType): z.ZodType {
  const names = watchableFields(type);
  return describe(z.array(z.string()), {
    label: text('Changed Fields', 'Zmenené polia'),
    help: text(
      `The fields of data that differ from before: ${names.join(', ')}.`,
      `Polia v data, ktoré sa zmenili: ${names.join(', ')}.`,
    ),
    example: exampleChanges(sampleData(type)),
  });
}

function webhookObject(type: EventType, writer: SchemaWriter): JsonSchema {
  const event = events[type];
  const filters = Object.keys(filtersOfEvent(type));
  const changed = isUpdate(type) ? { changed_fields: changedFieldsOf(type) } : {};
  const envelope = describe(Envelope.extend({ data: dataSchemaOf(type), ...changed }), {
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
      ...(isUpdate(type) ? { 'x-watchable': watchableFields(type) } : {}),
      ...(filters.length > 0 ? { 'x-filters': filters } : {}),
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
        '2XX': {
          description: 'Received. Any other answer is tried again.',
          'x-sk-description': 'Prijaté. Pri každej inej odpovedi sa doručenie zopakuje.',
        },
        '4XX': {
          description: 'Refused; tried again. 410 ends the subscription.',
          'x-sk-description': 'Odmietnuté; doručenie sa zopakuje. 410 odber ukončí.',
        },
      },
    },
  };
}
