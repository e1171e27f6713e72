import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { deliveryFailureReasons, describeDeliveryFailure } from '../src/delivery-failures.ts';
import type { Catalogue } from '../src/errors.ts';
import {
  bareSchema,
  descriptionOf,
  type ErrorCode,
  errorStatus,
  events,
  everyOperation,
  fieldError,
  type MessageKey,
  message,
  messages,
  type OperationDeclaration,
  operations,
  resources,
  scopes,
} from '../src/index.ts';
import { assistantMessages } from '../src/messages/assistants.ts';
import { credentialMessages } from '../src/messages/credentials.ts';
import { fieldMessages } from '../src/messages/fields.ts';
import { importMessages } from '../src/messages/imports.ts';
import { recordMessages } from '../src/messages/records.ts';
import { requestMessages } from '../src/messages/requests.ts';
import { webhookMessages } from '../src/messages/webhooks.ts';
import { type Text, text } from '../src/text.ts';

const keys = Object.keys(messages).filter((key): key is MessageKey => key in messages);
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted();

/** Both languages, filled, and not the same sentence twice. */
function expectBoth(text: Text | undefined, where: string): void {
  expect([where, text?.en.trim(), text?.sk.trim()]).toEqual([
    where,
    expect.stringMatching(/\S/),
    expect.stringMatching(/\S/),
  ]);
  expect([where, text?.en]).toEqual([where, text?.en.trim()]);
  expect([where, text?.sk]).toEqual([where, text?.sk.trim()]);
}

describe('messages', () => {
  test.each(keys)('%s has both languages with the same placeholders, as a sentence each', (key) => {
    const { en, sk } = messages[key];
    expectBoth({ en, sk }, key);
    expect(en).not.toBe(sk);
    expect(placeholders(sk)).toEqual(placeholders(en));
    for (const text of [en, sk]) expect(text).toMatch(/([.]|: \{reason\}|\}\.)$/);
  });

  test('are finished with their values, in either language', () => {
    expect(message('field.too_long', 'en', { max: 255 })).toBe('At most 255 characters are allowed.');
    expect(message('field.too_long', 'sk', { max: 255 })).toBe('Povolených je najviac 255 znakov.');
    expect(fieldError({ path: 'name', key: 'field.required' }, 'sk')).toEqual({
      path: 'name',
      code: 'required',
      message: 'Toto pole je povinné.',
    });
  });

  test('stand in both languages, and in no other: the compiler says so', () => {
    // @ts-expect-error there is no such language
    expect(() => message('field.too_long', 'de', { max: 1 })).toThrow();
    // @ts-expect-error Slovak is missing
    expect(text('Name').sk).toBeUndefined();
    // @ts-expect-error Slovak is missing in the catalogue
    expect({ 'request.new': { code: 'BAD_REQUEST', en: 'New.' } } satisfies Catalogue).toBeDefined();
  });

  test('exist for every code that an operation can answer', () => {
    const said = new Set<ErrorCode>(keys.map((key) => messages[key].code));
    const codes = Object.keys(errorStatus).filter((code): code is ErrorCode => code in errorStatus);
    expect(codes.filter((code) => !said.has(code))).toEqual([]);
  });

  test('have one key each, whichever file they stand in', () => {
    const parts = [
      requestMessages,
      assistantMessages,
      credentialMessages,
      fieldMessages,
      recordMessages,
      webhookMessages,
      importMessages,
    ];
    expect(parts.flatMap((part) => Object.keys(part)).toSorted()).toEqual(keys.toSorted());
  });

  test('keys end in codes that are unique among the fields', () => {
    const codes = keys.filter((key) => key.startsWith('field.')).map((key) => key.slice('field.'.length));
    expect(new Set(codes).size).toBe(codes.length);
  });
});

/** Every field within a schema, with its path. */
function* fieldsOf(schema: z.core.$ZodType, path: string): Generator<[string, z.core.$ZodType]> {
  const { bare } = bareSchema(schema);
  if (bare instanceof z.ZodArray) yield* fieldsOf(bare.element, `${path}[]`);
  if (!(bare instanceof z.ZodObject)) return;
  for (const [name, field] of Object.entries(bare.shape)) {
    yield [`${path}.${name}`, field];
    yield* fieldsOf(field, `${path}.${name}`);
  }
}

describe.each(Object.values<OperationDeclaration>(everyOperation))('$id', (declaration) => {
  test('has a title and a description in both languages', () => {
    expectBoth(declaration.title, 'title');
    expectBoth(declaration.about, 'about');
  });

  test('labels every field and every parameter in both languages', () => {
    const { body, query, answer } = declaration;
    const schemas = { body, query, answer };
    for (const [place, schema] of Object.entries(schemas)) {
      if (!schema) continue;
      for (const [path, field] of fieldsOf(schema, place)) {
        const description = descriptionOf(field);
        expectBoth(description?.label, path);
        if (description?.help) expectBoth(description.help, `${path} help`);
        for (const [value, label] of Object.entries(description?.choices ?? {}))
          expectBoth(label, `${path} ${value}`);
      }
    }
  });

  test('names only events, resources and scopes that exist', () => {
    expect(Object.keys(resources)).toContain(declaration.resource);
    for (const event of declaration.emits ?? []) expect(Object.keys(events)).toContain(event);
    if (declaration.scope) expect(Object.keys(scopes)).toContain(declaration.scope);
  });
});

test('events, resources and scopes are told in both languages', () => {
  for (const [name, { label, description }] of Object.entries(events)) {
    expectBoth(label, name);
    expectBoth(description, name);
  }
  for (const [name, { label, plural }] of Object.entries(resources)) {
    expectBoth(label, name);
    expectBoth(plural, name);
  }
  for (const [name, text] of Object.entries(scopes)) expectBoth(text, name);
});

/** What no operation of the API does (rule events 4): people do it in the console, or a sweep does. */
const withoutOperation = [
  'activity.cancelled',
  'task.overdue',
  'invoice.overdue',
  'quote.accepted',
  'quote.rejected',
  'booking.confirmed',
  'booking.completed',
  'booking.no_show',
  'product.created',
  'product.updated',
  'order.paid',
  'order.picking',
  'order.packed',
  'order.ready_for_pickup',
  'order.shipped',
  'order.delivered',
  'order.cancelled',
  'order.returned',
  'order.payment_pending',
  'order.payment_paid',
  'order.payment_refunded',
  'order.payment_failed',
];

test('every event is caused by some operation, or by what only the console and sweeps do', () => {
  const caused = Object.values<OperationDeclaration>(operations).flatMap(({ emits = [] }) => [...emits]);
  expect([...new Set(caused), ...withoutOperation].toSorted()).toEqual(Object.keys(events).toSorted());
  // A record type that is added brings events of its own.
  const specified = [
    'lead',
    'company',
    'contact',
    'client',
    'activity',
    'task',
    'invoice',
    'quote',
    'booking',
  ];
  const ofThem = Object.values(events).filter(({ entity }) =>
    [...specified, 'product', 'order'].includes(entity),
  );
  expect(ofThem).toHaveLength(45);
});

test.each(deliveryFailureReasons)('a failed delivery (%s) has words in both languages', (reason) => {
  for (const detail of [undefined, "$& and $'"]) {
    const words = describeDeliveryFailure(reason, detail);
    expectBoth(words, reason);
    expect(words.en).not.toBe(words.sk);
    for (const each of [words.en, words.sk]) {
      expect(each).not.toMatch(/[{}]/);
      if (detail !== undefined) expect(each).toContain(detail);
    }
  }
});

describe('what leaving a field out means', () => {
  const helpsOf = (schema: z.core.$ZodType): string[] => {
    const { bare } = bareSchema(schema);
    const own = descriptionOf(schema)?.help?.en ?? '';
    if (bare instanceof z.ZodArray) return [own, ...helpsOf(bare.element)];
    if (bare instanceof z.ZodObject) return [own, ...Object.values(bare.shape).flatMap(helpsOf)];
    return [own];
  };
  const all: readonly OperationDeclaration[] = Object.values(operations);

  test('is said where records are made', () => {
    const helps = helpsOf(operations['leads.create'].body);
    expect(helps).toContain('The default pipeline when not given.');
    expect(helps).toContain('Two-letter code (ISO 3166-1). The country of the organization when not given.');
  });

  test.each(all.filter(({ kind }) => kind === 'update').map(({ id, body }) => [id, body] as const))(
    '%s says nothing of the kind: there the field stays as it is',
    (_, body) => {
      expect(helpsOf(body ?? z.object({})).filter((help) => help.includes('when not given'))).toEqual([]);
    },
  );
});
