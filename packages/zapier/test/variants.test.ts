import { allScopes, eventTypes, limits, oauthScopes, recordKindNames } from '@dealkeep/contract';
import { describe, expect, test, vi } from 'vitest';
import { Definition } from '../bin/checks/index.ts';
import { wholeDefinition } from '../bin/checks/whole-definition.ts';
import { apiKey, integration, oauth2, variants } from '../src/index.ts';
import { neededScopes } from '../src/needed-scopes.ts';
import { offered } from '../src/offered.ts';
import { definitionOf } from './platform/definition-of.ts';

const [withOauth, withKey] = [
  Definition.parse(await definitionOf(oauth2)),
  Definition.parse(await definitionOf(apiKey)),
];

/** The kinds whose triggers the rules count; another one that is added brings its own. */
const counted = ['lead', 'company', 'contact', 'client', 'activity', 'task', 'invoice', 'quote', 'booking'];
const further = recordKindNames.filter((name) => ![...counted, 'product', 'order'].includes(name));
const visible = ({ triggers }: Definition) =>
  Object.keys(triggers).filter(
    (key) => triggers[key]?.display.hidden !== true && !further.some((name) => key.startsWith(`${name}_`)),
  );
const itemsOf = ({ creates }: Definition) => {
  const fields = creates['create_order']?.operation.inputFields ?? [];
  const items = fields.find((field) => typeof field !== 'string' && field.key === 'items');
  return typeof items === 'object' ? (items.children ?? []) : [];
};

describe('the triggers (rule zapier 5)', () => {
  const keysOfEvents = eventTypes
    .filter((type) => !further.some((name) => type.startsWith(`${name}.`)))
    .map((type) => type.replaceAll('.', '_'));

  test('are all of them instant', () => {
    const types = visible(withKey).map((key) => withKey.triggers[key]?.operation.type);
    expect(new Set(types)).toEqual(new Set(['hook']));
  });

  test('have the keys of the events, unless they stand for several', () => {
    const ofSeveral = visible(withKey).filter((key) => !keysOfEvents.includes(key));
    expect(ofSeveral.toSorted()).toEqual([
      'any_event',
      'client_created_or_updated',
      'company_created_or_updated',
      'contact_created_or_updated',
      'lead_created_or_updated',
      'order_payment_changed',
      'order_status_changed',
      'product_created_or_updated',
    ]);
    const withoutOne = keysOfEvents.filter((key) => !visible(withKey).includes(key));
    expect(withoutOne.filter((key) => !key.startsWith('order_'))).toEqual([]);
  });
});

describe('what OAuth cannot reach is not offered with it (rule connectors 5)', () => {
  test('37 triggers can be chosen, 40 with a key (rule zapier 5)', () => {
    expect(visible(withOauth)).toHaveLength(37);
    expect(visible(withKey)).toHaveLength(40);
    const difference = visible(withKey).filter((key) => !visible(withOauth).includes(key));
    expect(difference).toEqual(['product_created', 'product_updated', 'product_created_or_updated']);
  });

  test('no event of products can be chosen for Any Event', () => {
    const choices = ({ triggers }: Definition) =>
      JSON.stringify(triggers['any_event']?.operation.inputFields);
    expect(choices(withOauth)).not.toContain('product.');
    expect(choices(withOauth)).toContain('order.created');
    expect(choices(withKey)).toContain('product.created');
  });

  test('products are neither found nor listed', () => {
    expect(Object.keys(withKey.searches)).toContain('find_product');
    expect(Object.keys(withOauth.searches)).not.toContain('find_product');
    expect(Object.keys(withKey.triggers)).toContain('list_products');
    expect(Object.keys(withOauth.triggers)).not.toContain('list_products');
  });

  test('the line of an order asks for the SKU instead of the product', () => {
    const requiredOf = (definition: Definition) =>
      itemsOf(definition)
        .filter(({ key }) => /product_uuid|sku/.test(key))
        .map(({ key, required }) => [key, required]);
    expect(requiredOf(withKey)).toEqual([
      ['items__product_uuid', false],
      ['items__sku', false],
    ]);
    expect(requiredOf(withOauth)).toEqual([['items__sku', true]]);
  });

  test('and the rest is the same', () => {
    expect(Object.keys(withOauth.creates)).toEqual(Object.keys(withKey.creates));
    expect(withOauth.searchOrCreates).toEqual(withKey.searchOrCreates);
    for (const key of visible(withOauth).filter((each) => each !== 'any_event')) {
      expect(withOauth.triggers[key]).toEqual(withKey.triggers[key]);
    }
  });
});

describe('the scopes', () => {
  test('of a connection by OAuth are those that an application can have, as each has an operation here', () => {
    const { triggers, actions, searches } = offered(oauth2);
    expect(neededScopes({ triggers, actions, searches, dropdowns: ['user'] }).toSorted()).toEqual(
      oauthScopes.toSorted(),
    );
  });

  test('follow what is offered', () => {
    const none = { triggers: [], actions: [], searches: [], dropdowns: [] } as const;
    expect(neededScopes(none)).toEqual(['webhooks:manage']);
    expect(neededScopes({ ...none, dropdowns: ['stage'] })).toEqual(['leads:read', 'webhooks:manage']);
    const paid = { events: ['invoice.paid'], label: 'Paid', description: 'Paid.' } as const;
    expect(neededScopes({ ...none, triggers: [paid] })).toEqual(['invoices:read', 'webhooks:manage']);
    const { triggers, actions, searches } = offered(apiKey);
    expect(neededScopes({ triggers, actions, searches, dropdowns: ['product'] })).toEqual(allScopes);
  });
});

test.each([
  ['OAuth', withOauth],
  ['a key', withKey],
])(
  'with %s no more runs in a minute than the API takes of a connection (rule zapier 25)',
  (_, definition) => {
    expect(definition).toMatchObject({
      throttle: { window: 60, limit: limits.requestsPerMinute, scope: ['auth'] },
    });
  },
);

test('what stands in the environment while the integration is built stays out of it (rule zapier 1)', async () => {
  const secret = 'a secret of whoever builds it';
  for (const name of ['BASE_URL', 'CLIENT_ID', 'CLIENT_SECRET']) vi.stubEnv(name, secret);
  const definitions = await Promise.all(
    Object.values(variants).map((variant) => wholeDefinition(integration(variant))),
  );
  vi.unstubAllEnvs();
  expect(JSON.stringify(definitions)).toContain('"lead_created"');
  expect(JSON.stringify(definitions)).not.toContain(secret);
});

test('tokens are refreshed by Zapier, and a code is of no use without its verifier (rules zapier 1 and 4)', () => {
  expect(withOauth.authentication).toMatchObject({
    type: 'oauth2',
    oauth2Config: { autoRefresh: true, enablePkce: true },
    fields: [],
  });
});

test('the private integration asks for the address and a key (rule zapier 1)', () => {
  expect(withKey.authentication).toMatchObject({
    type: 'custom',
    fields: [
      { key: 'base_url', required: true },
      { key: 'api_key', required: true, type: 'password' },
    ],
  });
});
