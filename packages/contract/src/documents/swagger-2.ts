import { descriptionOf } from '../field.ts';
import { basePath } from '../limits.ts';
import type { JsonSchema } from '../openapi/schema.ts';
import { CreateRestHook, Envelope } from '../resources/webhooks.ts';
import { listOf, mapMembers, nameIn, objectOf, referredTo, textOf } from './json.ts';
import { openapi30Document } from './openapi-3-0.ts';

/**
 * The description of the API as Swagger 2.0, for custom connectors of Power Platform: with their words for texts
 * (`x-ms-summary`) and for the trigger that a REST hook makes. Where an object can be of several forms it has the
 * fields of all; parameters that are dictionaries, for which 2.0 has no word, are left out.
 */
export function swagger2Document(origin: string): JsonSchema {
  const document = openapi30Document(origin);
  const { schemas, headers, securitySchemes } = objectOf(document['components']);
  const { host, protocol } = new URL(origin);
  const writer = new SwaggerWriter(objectOf(schemas), objectOf(headers));
  const paths = mapMembers(document['paths'], (operations) =>
    mapMembers(operations, (operation) => writer.operation(objectOf(operation))),
  );
  const { title, version, description, contact, license } = objectOf(document['info']);
  const trigger = withTrigger(paths);
  return {
    swagger: '2.0',
    info: { title, version, description, contact, license },
    host,
    basePath,
    schemes: [protocol.replace(':', '')],
    consumes: ['application/json'],
    produces: ['application/json'],
    securityDefinitions: securityDefinitions(objectOf(securitySchemes)),
    tags: listOf(document['tags']).map(({ name, description: about }) => ({ name, description: about })),
    paths: trigger,
    definitions: referredTo(trigger, withNotificationUrl(writer.definitions())),
  };
}

/** What Swagger 2.0 knows of the words of a schema. */
const schemaWords = new Set([
  'type',
  'format',
  'title',
  'description',
  'default',
  'enum',
  'example',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxProperties',
  'minProperties',
  'required',
]);

/** Those of them that a parameter or a header has, too. */
const isOfParameters = (word: string): boolean =>
  schemaWords.has(word) &&
  !['title', 'description', 'example', 'required', 'maxProperties', 'minProperties'].includes(word);

class SwaggerWriter {
  readonly #schemas: JsonSchema;
  readonly #headers: JsonSchema;

  constructor(schemas: JsonSchema, headers: JsonSchema) {
    this.#schemas = schemas;
    this.#headers = headers;
  }

  definitions(): JsonSchema {
    return mapMembers(this.#schemas, (schema) => this.#schema(objectOf(schema)));
  }

  operation(operation: JsonSchema): JsonSchema {
    const { operationId, tags, summary, description, security, parameters, requestBody, responses } =
      operation;
    return {
      operationId: identifierOf(textOf(operationId)),
      tags,
      summary,
      description,
      security,
      ...this.#kinds(requestBody, responses),
      parameters: [
        ...listOf(parameters).flatMap((each) => this.#parameter(each)),
        ...(requestBody === undefined ? [] : [this.#body(objectOf(requestBody))]),
      ],
      responses: mapMembers(responses, (response, status) => this.#response(status, objectOf(response))),
    };
  }

  /** What an operation takes and answers besides JSON. */
  #kinds(requestBody: unknown, responses: unknown): JsonSchema {
    const consumes = Object.keys(objectOf(objectOf(requestBody)['content']));
    const answered = Object.values(objectOf(responses)).flatMap((each) =>
      Object.keys(objectOf(objectOf(each)['content'])),
    );
    const produces = [...new Set(answered)];
    return {
      ...(isJsonAlone(consumes) ? {} : { consumes }),
      ...(isJsonAlone(produces) ? {} : { produces }),
    };
  }

  #parameter(parameter: JsonSchema): JsonSchema[] {
    const { name, in: place, required, description, schema } = parameter;
    const resolved = this.#resolved(objectOf(schema));
    if (resolved['type'] === 'object') return [];
    const { title } = resolved;
    return [
      {
        name,
        in: place,
        required,
        description,
        ...this.#simple(resolved),
        ...(resolved['type'] === 'array' ? { collectionFormat: 'multi' } : {}),
        ...(title === undefined ? {} : { 'x-ms-summary': title }),
        ...(place === 'path' ? { 'x-ms-url-encoding': 'single' } : {}),
        ...(place === 'header' ? { 'x-ms-visibility': 'advanced' } : {}),
      },
    ];
  }

  /** A parameter's or a header's value: never an object, and without references. */
  #simple(resolved: JsonSchema): JsonSchema {
    const { items } = resolved;
    const words = Object.fromEntries(Object.entries(resolved).filter(([word]) => isOfParameters(word)));
    return {
      type: 'string',
      ...words,
      ...(items === undefined ? {} : { items: this.#simple(this.#resolved(objectOf(items))) }),
    };
  }

  /** A schema with what it refers to, in place; null is no value of a parameter. */
  #resolved(schema: JsonSchema): JsonSchema {
    const { $ref, allOf, enum: values, ...own } = schema;
    const parts = $ref === undefined ? listOf(allOf) : [{ $ref }];
    const referred = parts.map((part) =>
      this.#resolved(objectOf(this.#schemas[nameIn(textOf(part['$ref']))])),
    );
    const choices = Array.isArray(values) ? { enum: values.filter((each) => each !== null) } : {};
    return Object.assign({}, ...referred, own, choices);
  }

  #body({ required, content }: JsonSchema): JsonSchema {
    const [media] = Object.values(objectOf(content)).map(objectOf);
    return {
      name: 'body',
      in: 'body',
      required: required ?? false,
      schema: this.#schema(objectOf(media?.['schema'])),
    };
  }

  /** Errors without their headers, which would be almost half of a document that may not be large. */
  #response(status: string, { description, headers, content }: JsonSchema): JsonSchema {
    const [kind = '', media] = Object.entries(objectOf(content))[0] ?? [];
    const { schema, example } = objectOf(media);
    return {
      description,
      ...(schema === undefined ? {} : { schema: this.#schema(objectOf(schema)) }),
      ...(headers === undefined || Number(status) >= 400
        ? {}
        : { headers: mapMembers(headers, (each) => this.#header(objectOf(each))) }),
      ...(example === undefined ? {} : { examples: { [kind]: example } }),
    };
  }

  #header(header: JsonSchema): JsonSchema {
    const { $ref } = header;
    const { description, schema } =
      $ref === undefined ? header : objectOf(this.#headers[nameIn(textOf($ref))]);
    return { description, ...this.#simple(this.#resolved(objectOf(schema))) };
  }

  #schema(schema: JsonSchema): JsonSchema {
    const { $ref, allOf, nullable, title, properties, items, additionalProperties } = schema;
    if ($ref !== undefined) return { $ref: `#/definitions/${nameIn(textOf($ref))}` };
    const variants = listOf(schema['anyOf'] ?? schema['oneOf']);
    // The reduced form of a record takes the whole one as well: 2.0 cannot say what a value is not.
    const reduced = variants.find((each) => each['x-without-scope'] !== undefined);
    if (reduced) return this.#schema(reduced);
    if (variants.length > 0) return this.#schema({ ...this.#together(variants), ...aboutOf(schema) });
    return {
      ...Object.fromEntries(Object.entries(schema).filter(([word]) => schemaWords.has(word))),
      ...(title === undefined ? {} : { 'x-ms-summary': title }),
      ...(nullable === true ? { 'x-nullable': true } : {}),
      ...(allOf === undefined ? {} : { allOf: listOf(allOf).map((each) => this.#schema(each)) }),
      ...(properties === undefined
        ? {}
        : { properties: mapMembers(properties, (each) => this.#schema(objectOf(each))) }),
      ...(items === undefined ? {} : { items: this.#schema(objectOf(items)) }),
      ...(additionalProperties === undefined
        ? {}
        : {
            additionalProperties:
              typeof additionalProperties === 'boolean'
                ? additionalProperties
                : this.#schema(objectOf(additionalProperties)),
          }),
    };
  }

  /**
   * One schema for several forms: the fields of all, required those that all require. Of no common type, any value.
   */
  #together(variants: readonly JsonSchema[]): JsonSchema {
    const forms = variants.map((each) => this.#resolved(each));
    const types = new Set(forms.map(({ type }) => type));
    if (types.size !== 1) return {};
    if (!types.has('object')) return { type: forms[0]?.['type'] };
    const required = forms
      .map((form) => (Array.isArray(form['required']) ? form['required'] : []))
      .reduce((shared, each) => shared.filter((name) => each.includes(name)));
    return {
      type: 'object',
      properties: Object.assign({}, ...forms.map((form) => objectOf(form['properties']))),
      ...(required.length > 0 ? { required } : {}),
      ...(forms.every((form) => form['additionalProperties'] === false)
        ? { additionalProperties: false }
        : {}),
    };
  }
}

const aboutOf = ({ title, description, example, nullable }: JsonSchema): JsonSchema => ({
  ...(title === undefined ? {} : { title }),
  ...(description === undefined ? {} : { description }),
  ...(example === undefined ? {} : { example }),
  ...(nullable === undefined ? {} : { nullable }),
});

const isJsonAlone = (kinds: readonly string[]): boolean => kinds.every((kind) => kind === 'application/json');

/** Power Platform takes letters and digits: `lead-origins.list` is `LeadOriginsList`. */
const identifierOf = (operationId: string): string =>
  operationId.replaceAll(/(?:^|[^A-Za-z0-9]+)(.)/g, (_, letter: string) => letter.toUpperCase());

/** Version 2.0 knows no bearer tokens: a key is a header there, with the word in front of it. */
function securityDefinitions({ apiKey, oauth2 }: JsonSchema): JsonSchema {
  const { description, flows } = objectOf(oauth2);
  const { authorizationUrl, tokenUrl, scopes } = objectOf(objectOf(flows)['authorizationCode']);
  return {
    apiKey: {
      type: 'apiKey',
      name: 'Authorization',
      in: 'header',
      description: objectOf(apiKey)['description'],
    },
    oauth2: { type: 'oauth2', flow: 'accessCode', description, authorizationUrl, tokenUrl, scopes },
  };
}

/** Subscribing to events is a trigger there: the platform gives the address and reads what comes to it. */
function withTrigger(paths: JsonSchema): JsonSchema {
  const hooks = objectOf(paths['/webhooks']);
  const { post, ...others } = hooks;
  const subscribe = objectOf(post);
  return {
    ...paths,
    '/webhooks': {
      ...others,
      'x-ms-notification-content': {
        description: 'The envelope of an event.',
        schema: { $ref: `#/definitions/${descriptionOf(Envelope)?.id ?? ''}` },
      },
      post: { ...subscribe, 'x-ms-trigger': 'single' },
    },
  };
}

/** The platform fills it in, so nobody is asked for it. */
function withNotificationUrl(definitions: JsonSchema): JsonSchema {
  const name = descriptionOf(CreateRestHook)?.id ?? '';
  const body = objectOf(definitions[name]);
  const properties = objectOf(body['properties']);
  const target = {
    ...objectOf(properties['target_url']),
    'x-ms-notification-url': true,
    'x-ms-visibility': 'internal',
  };
  return { ...definitions, [name]: { ...body, properties: { ...properties, target_url: target } } };
}
