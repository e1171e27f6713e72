import type { EventDeclaration } from '../event.ts';
import { type EventType, events, eventTypes, isUpdate, watchableFields } from '../events.ts';
import { apiVersion, attemptDelaysSeconds, basePath, limits } from '../limits.ts';
import { openapiDocument } from '../openapi/document.ts';
import { exampleOrganization } from '../openapi/examples.ts';
import type { JsonSchema } from '../openapi/schema.ts';
import { resources } from '../resources.ts';
import { sampleEnvelope } from '../sample.ts';
import { mapMembers, objectOf, referredTo } from './json.ts';

/**
 * Every event and the hooks that receive them, as AsyncAPI 3: Dealkeep sends, a hook is the channel. The schemas are
 * those of the OpenAPI description.
 */
export function asyncapiDocument(origin: string): JsonSchema {
  const { info, webhooks, components } = openapiDocument(origin);
  const { description, license, contact } = objectOf(info);
  const messages = Object.fromEntries(eventTypes.map((type) => [type, message(type, objectOf(webhooks))]));
  const { schemas } = objectOf(components);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Dealkeep events',
      version: apiVersion,
      description,
      license: { name: objectOf(license)['name'] },
      contact,
      tags: [...new Set(eventTypes.map((type) => events[type].entity))].map((name) => ({
        name,
        description: resources[name].plural.en,
      })),
      externalDocs: { url: `${origin}/docs#receiving-events`, description: 'How events are received' },
    },
    defaultContentType: 'application/json',
    servers: {
      receiver: {
        host: '{host}',
        protocol: 'https',
        description: 'Where a hook leads: the host of its target_url.',
        variables: { host: { description: 'Yours.', examples: ['hooks.example.com'] } },
      },
    },
    channels: { hook: hook(origin) },
    operations: Object.fromEntries(eventTypes.map((type) => [type, sending(type)])),
    components: {
      messages,
      schemas: { ...referredTo(messages, objectOf(schemas)), DeliveryHeaders: deliveryHeaders },
    },
  };
}

const hook = (origin: string): JsonSchema => ({
  address: '/{path}',
  title: 'A hook',
  description: `The target_url of a hook. Programs subscribe with POST ${origin}${basePath}/webhooks, with a key that has webhooks:manage and the read scope of each event; owners make webhooks by hand in the console. A hook gets the events that it names.`,
  servers: [{ $ref: '#/servers/receiver' }],
  parameters: { path: { description: 'The rest of the target_url.', examples: ['dealkeep/8f2c'] } },
  messages: Object.fromEntries(eventTypes.map((type) => [type, { $ref: `#/components/messages/${type}` }])),
});

function sending(type: EventType): JsonSchema {
  const { label, description, scope, entity }: EventDeclaration = events[type];
  return {
    action: 'send',
    channel: { $ref: '#/channels/hook' },
    title: label.en,
    summary: description.en,
    description: `Any 2xx within ${limits.deliveryTimeoutSeconds} seconds is taken as received; anything else is tried again, ${attemptDelaysSeconds.length} times in all. 410 ends the subscription.`,
    tags: [{ name: entity }],
    bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
    messages: [{ $ref: `#/channels/hook/messages/${type}` }],
    'x-required-scope': scope,
  };
}

/** The body of a webhook of the OpenAPI description. */
function message(type: EventType, webhooks: JsonSchema): JsonSchema {
  const { label, description, entity }: EventDeclaration = events[type];
  const { requestBody } = objectOf(objectOf(webhooks[type])['post']);
  const [media] = Object.values(objectOf(objectOf(requestBody)['content'])).map(objectOf);
  return {
    name: type,
    title: label.en,
    summary: description.en,
    contentType: 'application/json',
    tags: [{ name: entity }],
    headers: { $ref: '#/components/schemas/DeliveryHeaders' },
    payload: media?.['schema'],
    examples: [{ name: type, payload: sampleEnvelope(type, exampleOrganization) }],
    bindings: { http: { bindingVersion: '0.3.0' } },
    ...(isUpdate(type) ? { 'x-watchable': watchableFields(type) } : {}),
  };
}

/** The headers of a delivery (rule deliveries 2). */
const headerTexts = {
  'webhook-id': ['The id of the event, the same on every attempt.', 'evt_01985f6e2c4170aa8f53d2b6914ce7a0'],
  'webhook-timestamp': ['Unix seconds, new on every attempt.', '1790859909'],
  'webhook-signature': [
    'Standard Webhooks: v1, and the base64 HMAC-SHA256 of ID.TIMESTAMP.BODY, by the decoded secret.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
  'X-Service-Event': ['The type of the event.', 'lead.created'],
  'X-Service-Attempt': ['The number of the attempt, 1 for the first.', '1'],
  'X-Service-Signature': [
    'sha256= and the hex HMAC-SHA256 of the body, by the whole text of the secret.',
    'sha256=0f343b0931126a20f133d67c2b018a3b',
  ],
} as const;

const deliveryHeaders: JsonSchema = {
  type: 'object',
  properties: mapMembers(headerTexts, (value) => {
    const [description, example] = Array.isArray(value) ? value : [];
    return { type: 'string', description, examples: [example] };
  }),
  required: Object.keys(headerTexts),
};
