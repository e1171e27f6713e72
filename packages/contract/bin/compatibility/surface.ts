import * as z from 'zod';

/**
 * What clients rely on in the contract, without its texts and examples: kept beside the code for the contract that
 * was released last.
 */
const schema = z.record(z.string(), z.unknown());
export type Schema = z.output<typeof schema>;

const Operation = z.object({
  id: z.string(),
  scope: z.string().nullable(),
  permissions: z.array(z.string()),
  /** By place and name: `query limit`. */
  parameters: z.record(z.string(), z.object({ required: z.boolean(), schema })),
  body: z.object({ required: z.boolean(), types: z.array(z.string()), schema }).nullable(),
  /** By the status of a success. Null where it has no body. */
  answers: z.record(z.string(), z.object({ headers: z.array(z.string()), schema: schema.nullable() })),
  /** By its code, the status of an error. */
  errors: z.record(z.string(), z.string()),
  emits: z.array(z.string()),
});
export type Operation = z.output<typeof Operation>;

const Event = z.object({ scope: z.string(), watchable: z.array(z.string()), schema });
export type Event = z.output<typeof Event>;

export const Surface = z.object({
  version: z.string(),
  /** By method and path: `PATCH /leads/{id}`. */
  operations: z.record(z.string(), Operation),
  events: z.record(z.string(), Event),
  scopes: z.array(z.string()),
  schemas: z.record(z.string(), schema),
});
export type Surface = z.output<typeof Surface>;

/** The words of a schema by which a value is taken or not; `x-open`: more values can come. */
const words = new Set([
  '$ref',
  'type',
  'format',
  'pattern',
  'enum',
  'const',
  'default',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
  'x-open',
]);

const object = z.record(z.string(), z.unknown());
const objectOf = (value: unknown): Record<string, unknown> => object.safeParse(value).data ?? {};
const textsOf = (value: unknown): string[] => z.array(z.string()).safeParse(value).data ?? [];
const mapped = <Value>(
  value: unknown,
  change: (member: Record<string, unknown>, key: string) => Value,
): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(objectOf(value)).map(([key, each]) => [key, change(objectOf(each), key)]),
  );

/** The surface of an API by its OpenAPI 3.1 description. */
export function surfaceOf(document: Readonly<Record<string, unknown>>): Surface {
  const operations = Object.entries(objectOf(document['paths'])).flatMap(([path, methods]) =>
    Object.entries(objectOf(methods)).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operationSurface(objectOf(operation)),
    ]),
  );
  return {
    version: String(objectOf(document['info'])['version']),
    operations: Object.fromEntries(operations),
    events: mapped(document['webhooks'], ({ post }) => eventSurface(objectOf(post))),
    scopes: Object.keys(objectOf(document['x-scopes'])),
    schemas: mapped(objectOf(document['components'])['schemas'], plain),
  };
}

function operationSurface(operation: Record<string, unknown>): Operation {
  const { operationId, parameters, requestBody, responses, ...more } = operation;
  const named = z.array(object).parse(parameters ?? []);
  const all = Object.entries(objectOf(responses)).map(
    ([status, response]) => [status, objectOf(response)] as const,
  );
  const content = objectOf(objectOf(requestBody)['content']);
  const scope = more['x-required-scope'];
  return {
    id: String(operationId),
    scope: scope === undefined ? null : String(scope),
    permissions: textsOf(more['x-required-permissions']),
    parameters: Object.fromEntries(
      named.map(({ in: place, name, required, schema: written }) => [
        `${place} ${name}`,
        { required: required === true, schema: plain(objectOf(written)) },
      ]),
    ),
    body:
      requestBody === undefined
        ? null
        : {
            required: objectOf(requestBody)['required'] === true,
            types: Object.keys(content),
            schema: schemaOfContent(content) ?? {},
          },
    answers: Object.fromEntries(
      all
        .filter(([status]) => Number(status) < 400)
        .map(([status, { headers, content: answered }]) => [
          status,
          { headers: Object.keys(objectOf(headers)), schema: schemaOfContent(objectOf(answered)) },
        ]),
    ),
    errors: Object.fromEntries(
      all
        .filter(([status]) => Number(status) >= 400)
        .flatMap(([status, { content: answered }]) =>
          codesOf(objectOf(answered)).map((code) => [code, status]),
        ),
    ),
    emits: textsOf(more['x-emits']),
  };
}

function eventSurface(post: Record<string, unknown>): Event {
  return {
    scope: String(post['x-required-scope']),
    watchable: textsOf(post['x-watchable']),
    schema: schemaOfContent(objectOf(objectOf(post['requestBody'])['content'])) ?? {},
  };
}

function schemaOfContent(content: Record<string, unknown>): Schema | null {
  const [media] = Object.values(content);
  return media === undefined ? null : plain(objectOf(objectOf(media)['schema']));
}

/** Each code of a status is shown by an example. */
const codesOf = (content: Record<string, unknown>): string[] =>
  Object.values(content).flatMap((media) => Object.keys(objectOf(objectOf(media)['examples'])));

/** A schema without its texts. */
function plain(written: Record<string, unknown>): Schema {
  const own = Object.fromEntries(Object.entries(written).filter(([word]) => words.has(word)));
  const { properties, items, additionalProperties, anyOf, oneOf } = written;
  const all = z.array(object).safeParse(anyOf ?? oneOf).data;
  const variants = all?.filter((each) => !isReduced(each));
  const reduced = all?.find(isReduced);
  return {
    ...own,
    ...(properties === undefined ? {} : { properties: mapped(properties, plain) }),
    ...(items === undefined ? {} : { items: plain(objectOf(items)) }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'boolean'
              ? additionalProperties
              : plain(objectOf(additionalProperties)),
        }),
    ...(variants === undefined ? {} : { anyOf: variants.map(plain) }),
    ...(reduced === undefined ? {} : { reduced: plain(reduced) }),
  };
}

/**
 * Whether only a credential receives it that may not read the record: it is compared with its like, not with the
 * record.
 */
const isReduced = (variant: Record<string, unknown>): boolean => variant['x-without-scope'] !== undefined;
