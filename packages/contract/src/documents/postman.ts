import type * as z from 'zod';
import { exampleMoments } from '../example-moments.ts';
import { bareSchema, descriptionOf } from '../field.ts';
import { apiVersion, basePath } from '../limits.ts';
import { requestExample } from '../openapi/examples.ts';
import type { JsonSchema } from '../openapi/schema.ts';
import type { OperationDeclaration } from '../operation.ts';
import { RestHook } from '../resources/webhooks.ts';
import { resources } from '../resources.ts';
import { exampleOf } from '../sample.ts';
import { runOrder } from './postman-order.ts';
import { given, needed, variablesOfExamples } from './postman-variables.ts';

/** An address that takes a hook everywhere: it exists, and is nobody's. */
const harmlessTarget = 'https://example.com/dealkeep';

/** Deliveries are kept for some days, so a moment that is written down soon lies too far back. */
const anHourAgo = 'new Date(Date.now() - 3_600_000).toISOString()';

/**
 * Every operation as a collection of Postman (2.1) that runs from top to bottom: what a request needs was made or
 * found by one before it, and stands in a variable. Whoever uses it sets `key`.
 */
export function postmanCollection(origin: string): JsonSchema {
  return {
    info: {
      name: 'Dealkeep API',
      description: `Every operation of the Dealkeep API, version ${apiVersion}. Set the variable key to an API key, then send any request, or run the collection from top to bottom in an organization for trying things: it makes records, changes them and puts some away.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: `${origin}${basePath}` },
      { key: 'key', value: '', description: 'An API key: dk_live_…' },
      { key: 'targetUrl', value: harmlessTarget, description: 'Where hooks that are made send events.' },
      { key: 'anHourAgo', value: '', description: 'Filled before each request.' },
    ],
    event: scriptOf('prerequest', [`pm.collectionVariables.set('anHourAgo', ${anHourAgo});`]),
    item: runOrder().map(({ resource, operations }) => ({
      name: resource === undefined ? 'At the end: what is put away' : resources[resource].plural.en,
      item: operations.map(itemOf),
    })),
  };
}

function itemOf(declaration: OperationDeclaration): JsonSchema {
  const { id, title, about, scope, method } = declaration;
  const body = requestExample(declaration);
  return {
    name: title.en,
    event: [
      ...scriptOf('prerequest', skipping(needed(declaration))),
      ...scriptOf('test', [expectation(declaration), ...given(declaration).map(({ script }) => script)]),
    ],
    request: {
      method,
      description: `${about.en}${scope === null ? '' : ` Scope: ${scope}.`} (${id})`,
      header: [
        ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        ...(method === 'POST' ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
      ],
      ...(body === undefined
        ? {}
        : { body: { mode: 'raw', raw: withVariables(body), options: { raw: { language: 'json' } } } }),
      url: urlOf(declaration),
    },
    response: [],
  };
}

const scriptOf = (listen: string, lines: readonly string[]): JsonSchema[] =>
  lines.length === 0
    ? []
    : [{ listen, script: { type: 'text/javascript', exec: lines.flatMap((each) => each.split('\n')) } }];

/** A request that needs what nothing before it has found is left out of a run: an organization can lack it. */
const skipping = (variables: readonly string[]): string[] =>
  variables.map((name) => `if (!pm.variables.get('${name}')) pm.execution.skipRequest();`);

const expectation = ({ statuses }: OperationDeclaration): string =>
  `pm.test('is answered', () => pm.expect(pm.response.code, pm.response.text()).to.be.oneOf([${statuses.join(', ')}]));`;

function urlOf(declaration: OperationDeclaration): JsonSchema {
  const path = declaration.path.replaceAll(/\{(\w+)\}/g, ':$1');
  const parameters = [...declaration.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const values = needed(declaration);
  const query = Object.entries(declaration.query?.shape ?? {}).map(([name, field]) => queryOf(name, field));
  return {
    raw: `{{baseUrl}}${path}`,
    host: ['{{baseUrl}}'],
    path: path.split('/').slice(1),
    ...(parameters.length > 0
      ? { variable: parameters.map((key, index) => ({ key, value: `{{${values[index]}}}` })) }
      : {}),
    ...(query.length > 0 ? { query } : {}),
  };
}

/** Only what must be given is sent; the rest is there to be switched on. */
function queryOf(name: string, field: z.core.$ZodType): JsonSchema {
  const { optional, bare } = bareSchema(field);
  const description = descriptionOf(field);
  const isDictionary = bare._zod.def.type === 'record';
  return {
    key: isDictionary ? `${name}[${Object.keys(Object(exampleOf(field)))[0] ?? 'NAME'}]` : name,
    value: withVariables(isDictionary ? Object.values(Object(exampleOf(field)))[0] : exampleOf(field)),
    description: (description?.help ?? description?.label)?.en,
    ...(optional ? { disabled: true } : {}),
  };
}

/** An example as it is sent, with variables in place of the ids of its records and of what depends on the day. */
function withVariables(example: unknown): string {
  const told = typeof example === 'object' ? JSON.stringify(example, null, 2) : String(example ?? '');
  const target = String(Object(exampleOf(RestHook))['target_url']);
  return Object.entries(variablesOfExamples)
    .reduce((text, [id, variable]) => text.replaceAll(id, `{{${variable}}}`), told)
    .replaceAll(target, '{{targetUrl}}')
    .replaceAll(exampleMoments.yesterday, '{{anHourAgo}}')
    .replaceAll(exampleMoments.today, '{{$isoTimestamp}}');
}
