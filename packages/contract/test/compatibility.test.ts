import { describe, expect, test } from 'vitest';
import root from '../../../package.json' with { type: 'json' };
import { breaksBetween } from '../bin/compatibility/compare-surfaces.ts';
import { currentSurface, releasedSurface } from '../bin/compatibility/released.ts';
import type { Operation, Schema, Surface } from '../bin/compatibility/surface.ts';

const current = currentSurface();

test('the contract adds to the released one, and takes nothing away (rules versioning 4 and 15)', async () => {
  expect(breaksBetween(await releasedSurface(), current)).toEqual([]);
});

test('the contract compared with itself has no break', () => {
  expect(breaksBetween(current, structuredClone(current))).toEqual([]);
});

test('the gate is one of API, events, client types, Zapier and n8n alike', () => {
  expect(root.scripts.check).toContain('npm run check:compatibility');
  expect(root.scripts['check:compatibility'].split(' && ')).toEqual([
    'node packages/contract/bin/check-compatibility.ts',
    'npm run check:surface --workspace @dealkeep/client --workspace n8n-nodes-dealkeep',
    'npm run check:release --workspace @dealkeep/zapier',
  ]);
});

/**
 * Of the surface what the changes below touch, with all schemas that it refers to: the whole takes long to compare.
 */
const touched = ((): Surface => {
  const operations = [
    'GET /companies',
    'POST /companies',
    'GET /companies/{id}',
    'PATCH /companies/{id}',
    'POST /leads',
    'GET /leads/{id}',
    'POST /leads/{id}/archive',
    'POST /tasks',
    'POST /invoices',
    'POST /webhooks',
    'GET /me',
  ];
  const events = ['company.created', 'lead.won', 'lead.updated', 'quote.accepted'];
  const chosen = <Value>(entries: Readonly<Record<string, Value>>, keys: readonly string[]) =>
    Object.fromEntries(keys.map((key) => [key, of(entries, key)]));
  const part = {
    ...current,
    operations: chosen(current.operations, operations),
    events: chosen(current.events, events),
  };
  const schemas = new Map<string, Schema>();
  const follow = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (schemas.has(name)) continue;
      schemas.set(name, of(current.schemas, name));
      follow(current.schemas[name]);
    }
  };
  follow([part.operations, part.events, '#/components/schemas/Error']);
  return { ...part, schemas: Object.fromEntries(schemas) };
})();

type Change = (surface: Surface) => void;

function of<Value>(entries: Readonly<Record<string, Value>>, key: string): Value {
  const value = entries[key];
  if (value === undefined) throw new Error(`There is no ${key}.`);
  return value;
}
const operation = (surface: Surface, name: string): Operation => of(surface.operations, name);
const schema = (surface: Surface, name: string): Schema => of(surface.schemas, name);
const fields = (surface: Surface, name: string): Record<string, Schema> =>
  Object(schema(surface, name)['properties']);
/** Changes the words of a field. */
const field =
  (record: string, name: string, words: Schema): Change =>
  (surface) => {
    fields(surface, record)[name] = { ...fields(surface, record)[name], ...words };
  };
const withoutField =
  (record: string, name: string): Change =>
  (surface) =>
    delete fields(surface, record)[name];
const requiring =
  (record: string, change: (names: string[]) => string[]): Change =>
  (surface) => {
    const { required } = schema(surface, record);
    schema(surface, record)['required'] = change(Array.isArray(required) ? required.map(String) : []);
  };

const keep = 'Keep it, and add the new one beside it.';
const optional = 'Keep it optional, and decide what is done without it.';
const taken = 'Go on taking what was taken.';
const told = 'Go on answering what was answered, and tell more in a new field beside it.';
const letIn = 'Go on letting in who was let in, or make another operation.';

const breaks: Readonly<Record<string, readonly [sentence: string, change: Change]>> = {
  'a removed path': [
    `GET /companies/{id}: is gone. ${keep}`,
    (s) => delete s.operations['GET /companies/{id}'],
  ],
  'a removed method': [
    `PATCH /companies/{id}: is gone. ${keep}`,
    (s) => delete s.operations['PATCH /companies/{id}'],
  ],
  'another name of an operation': [
    `GET /me: is called me.read instead of me.get, and so are methods of clients. ${keep}`,
    (s) => {
      operation(s, 'GET /me').id = 'me.read';
    },
  ],
  'another scope': [
    `GET /companies: asks for the scope leads:read instead of companies:read. ${letIn}`,
    (s) => {
      operation(s, 'GET /companies').scope = 'leads:read';
    },
  ],
  'another permission': [
    `GET /companies: asks for the permission leads.view. ${letIn}`,
    (s) => operation(s, 'GET /companies').permissions.push('leads.view'),
  ],
  'a removed scope': [
    `The scope leads:read: is gone. ${keep}`,
    (s) => s.scopes.splice(s.scopes.indexOf('leads:read'), 1),
  ],
  'a removed parameter': [
    `GET /companies, query q: is gone. ${keep}`,
    (s) => delete operation(s, 'GET /companies').parameters['query q'],
  ],
  'a parameter that becomes required': [
    `GET /companies, query q: became required. ${optional}`,
    (s) => {
      of(operation(s, 'GET /companies').parameters, 'query q').required = true;
    },
  ],
  'a new required parameter': [
    `GET /companies, query year: is new and required. ${optional}`,
    (s) => {
      operation(s, 'GET /companies').parameters['query year'] = {
        required: true,
        schema: { type: 'integer' },
      };
    },
  ],
  'a parameter that takes less': [
    `GET /companies, query limit: maximum is 50 instead of 100. ${taken}`,
    (s) => {
      of(operation(s, 'GET /companies').parameters, 'query limit').schema['maximum'] = 50;
    },
  ],
  'a default that changes': [
    'GET /companies, query limit: the default is 10 instead of 50. Go on doing the same for who does not say it.',
    (s) => {
      of(operation(s, 'GET /companies').parameters, 'query limit').schema['default'] = 10;
    },
  ],
  'a body that becomes required': [
    `POST /leads/{id}/archive, body: became required. ${optional}`,
    (s) => {
      const { body } = operation(s, 'POST /leads/{id}/archive');
      if (body) body.required = true;
    },
  ],
  'a body that is no longer taken': [
    `POST /leads/{id}/archive, body: is no longer taken. ${keep}`,
    (s) => {
      operation(s, 'POST /leads/{id}/archive').body = null;
    },
  ],
  'a kind of body that is no longer taken': [
    `PATCH /companies/{id}, body: no longer comes as application/merge-patch+json. ${taken}`,
    (s) => operation(s, 'PATCH /companies/{id}').body?.types.pop(),
  ],
  'a removed field of a request': [
    `POST /companies, body.phone: is no longer taken. ${keep}`,
    withoutField('CompanyCreate', 'phone'),
  ],
  'a field of a request that becomes required': [
    `POST /companies, body.phone: became required. ${optional}`,
    requiring('CompanyCreate', (names) => [...names, 'phone']),
  ],
  'a new required field of a request': [
    `POST /companies, body.region: is new and required. ${optional}`,
    (s) => {
      fields(s, 'CompanyCreate')['region'] = { type: 'string' };
      requiring('CompanyCreate', (names) => [...names, 'region'])(s);
    },
  ],
  'a field of a request that takes no null': [
    `POST /companies, body.phone: no longer takes null. ${taken}`,
    field('CompanyCreate', 'phone', { type: 'string' }),
  ],
  'another type of a field of a request': [
    `POST /leads, body.value: no longer takes number. ${taken}`,
    field('LeadCreate', 'value', { type: ['string', 'null'] }),
  ],
  'a shorter text': [
    `POST /companies, body.name: maxLength is 100 instead of 255. ${taken}`,
    field('CompanyCreate', 'name', { maxLength: 100 }),
  ],
  'a form that a text must have': [
    `POST /companies, body.phone: format is phone instead of any. ${taken}`,
    field('CompanyCreate', 'phone', { format: 'phone' }),
  ],
  'a removed choice of a request': [
    `POST /tasks, body.priority: no longer takes "low". ${taken}`,
    field('TaskCreate', 'priority', { enum: ['normal', 'high', null] }),
  ],
  'choices where any text was taken': [
    `POST /companies, body.city: takes chosen values only. ${taken}`,
    field('CompanyCreate', 'city', { enum: ['Košice'] }),
  ],
  'fewer fields of line items': [
    `POST /invoices, body.items[].unit: is no longer taken. ${keep}`,
    withoutField('InvoiceItemCreate', 'unit'),
  ],
  'a removed form of a request': [
    'POST /webhooks, body.event',
    (s) => {
      const { anyOf } = schema(s, 'RestHookCreate');
      schema(s, 'RestHookCreate')['anyOf'] = Array.isArray(anyOf) ? anyOf.slice(0, 1) : [];
    },
  ],
  'a removed status': [
    `POST /leads, answer 201: is gone. ${keep}`,
    (s) => delete operation(s, 'POST /leads').answers['201'],
  ],
  'another success': [
    `POST /companies: succeeds with 202, too. ${told}`,
    (s) => {
      operation(s, 'POST /companies').answers['202'] = { headers: [], schema: null };
    },
  ],
  'a removed header of an answer': [
    `POST /companies, answer 201: the header X-Request-Id is gone. ${keep}`,
    (s) => {
      const answer = of(operation(s, 'POST /companies').answers, '201');
      answer.headers = answer.headers.filter((name) => name !== 'X-Request-Id');
    },
  ],
  'an answer without a body': [
    `GET /me, answer 200: has no body. ${keep}`,
    (s) => {
      of(operation(s, 'GET /me').answers, '200').schema = null;
    },
  ],
  'a removed field of an answer': [
    `GET /companies/{id}, answer 200.data.phone: is no longer answered. ${keep}`,
    withoutField('Company', 'phone'),
  ],
  'a field of an answer that can be null': [
    `GET /companies/{id}, answer 200.data.name: can be null. ${told}`,
    field('Company', 'name', { type: ['string', 'null'] }),
  ],
  'a field of an answer that is not always there': [
    `GET /companies/{id}, answer 200.data.name: is not always answered. ${told}`,
    requiring('Company', (names) => names.filter((name) => name !== 'name')),
  ],
  'another type of a field of an answer': [
    `GET /leads/{id}, answer 200.data.value: is string instead of number. ${told}`,
    field('Lead', 'value', { type: ['string', 'null'] }),
  ],
  'another form of a field of an answer': [
    `GET /companies/{id}, answer 200.data.created_at: has the form date instead of date-time. ${told}`,
    field('Company', 'created_at', { format: 'date' }),
  ],
  'a new choice in an answer': [
    `GET /leads/{id}, answer 200.data.status: can be "paused". ${told}`,
    field('Lead', 'status', { enum: ['open', 'won', 'lost', 'paused'] }),
  ],
  'a removed choice in an answer': [
    `GET /leads/{id}, answer 200.data.status: is never "lost" any more. ${keep}`,
    field('Lead', 'status', { enum: ['open', 'won'] }),
  ],
  'a removed error': [
    `POST /companies: the error IDEMPOTENCY_KEY_REUSED is gone. ${keep}`,
    (s) => delete operation(s, 'POST /companies').errors['IDEMPOTENCY_KEY_REUSED'],
  ],
  'another status of an error': [
    `POST /companies: the error IDEMPOTENCY_KEY_REUSED has the status 409 instead of 422. ${told}`,
    (s) => {
      operation(s, 'POST /companies').errors['IDEMPOTENCY_KEY_REUSED'] = '409';
    },
  ],
  'a removed field of errors': [
    `An error.error.message: is no longer answered. ${keep}`,
    (s) => delete Object(fields(s, 'Error')['error']?.['properties'])['message'],
  ],
  'an event that is no longer caused': [
    `POST /companies: no longer causes company.created. ${keep}`,
    (s) => {
      operation(s, 'POST /companies').emits = [];
    },
  ],
  'a removed event': [`The event lead.won: is gone. ${keep}`, (s) => delete s.events['lead.won']],
  'another scope of an event': [
    `The event lead.won: asks for the scope companies:read instead of leads:read. ${letIn}`,
    (s) => {
      of(s.events, 'lead.won').scope = 'companies:read';
    },
  ],
  'a removed field of the data of an event': [
    `The event quote.accepted.data.number: is no longer answered. ${keep}`,
    withoutField('Quote', 'number'),
  ],
  'a removed field of an envelope': [
    `The event lead.won.timestamp: is no longer answered. ${keep}`,
    withoutField('LeadWonEvent', 'timestamp'),
  ],
  'a change that is no longer named': [
    `The event lead.updated: changed_fields no longer names value. ${keep}`,
    (s) => {
      const event = of(s.events, 'lead.updated');
      event.watchable = event.watchable.filter((name) => name !== 'value');
    },
  ],
  'another version': [
    `The version of the API: 2026-10-01 became 2027-01-01. ${keep}`,
    (s) => {
      s.version = '2027-01-01';
    },
  ],
};

describe('a break is refused by a sentence that names it and says what to do (rule versioning 15)', () => {
  test.each(Object.entries(breaks))('%s', (_, [sentence, change]) => {
    const next = structuredClone(touched);
    change(next);
    const found = breaksBetween(touched, next);
    expect(found.filter((each) => each.startsWith(sentence))).not.toEqual([]);
    for (const each of found) expect(each).toMatch(/^.+: .+\. (Keep|Go on) .+\.$/);
  });
});

const additions: Readonly<Record<string, Change>> = {
  'a new operation': (s) => {
    s.operations['GET /reports'] = { ...operation(s, 'GET /companies'), id: 'reports.list' };
  },
  'a new optional parameter': (s) => {
    operation(s, 'GET /companies').parameters['query year'] = {
      required: false,
      schema: { type: 'integer' },
    };
  },
  'a parameter that takes more': (s) => {
    of(operation(s, 'GET /companies').parameters, 'query limit').schema['maximum'] = 200;
  },
  'a scope that is no longer asked for': (s) => {
    operation(s, 'GET /companies').scope = null;
  },
  'a new optional field of a request': (s) => {
    fields(s, 'CompanyCreate')['region'] = { type: 'string' };
  },
  'a field of a request that is no longer required': requiring('CompanyCreate', () => []),
  'a field of a request that also takes null': field('CompanyCreate', 'name', { type: ['string', 'null'] }),
  'a longer text': field('CompanyCreate', 'name', { maxLength: 500 }),
  'a new choice of a request': field('TaskCreate', 'priority', {
    enum: ['low', 'normal', 'high', 'urgent', null],
  }),
  'another form of a request': (s) => {
    const { anyOf } = schema(s, 'RestHookCreate');
    const more: Schema = { type: 'object', properties: { all: { type: 'boolean' } }, required: ['all'] };
    schema(s, 'RestHookCreate')['anyOf'] = [...(Array.isArray(anyOf) ? anyOf : []), more];
  },
  'a new field of an answer': (s) => {
    fields(s, 'Company')['region'] = { type: 'string' };
    requiring('Company', (names) => [...names, 'region'])(s);
  },
  'a field of an answer that is never null any more': field('Company', 'phone', { type: 'string' }),
  'a new header of an answer': (s) => of(operation(s, 'GET /me').answers, '200').headers.push('ETag-Of'),
  'an answer for who asks for it': (s) => {
    operation(s, 'GET /companies').answers['304'] = { headers: [], schema: null };
  },
  'a new error': (s) => {
    operation(s, 'POST /companies').errors['TEAPOT'] = '418';
    const code = Object(fields(s, 'Error')['error']?.['properties'])['code'];
    code.enum = [...code.enum, 'TEAPOT'];
  },
  'a new event, also of an operation that there is': (s) => {
    s.events['company.merged'] = of(s.events, 'company.created');
    operation(s, 'POST /companies').emits.push('company.merged');
  },
  'a new field of an envelope': (s) => {
    fields(s, 'LeadWonEvent')['previous'] = { type: 'object' };
  },
  'a change that is named, too': (s) => of(s.events, 'lead.updated').watchable.push('region'),
  'a new scope': (s) => s.scopes.push('reports:read'),
};

describe('what is only added is accepted', () => {
  test.each(Object.entries(additions))('%s', (_, change) => {
    const next = structuredClone(touched);
    change(next);
    expect(next).not.toEqual(touched);
    expect(breaksBetween(touched, next)).toEqual([]);
  });
});
