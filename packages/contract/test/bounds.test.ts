import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import * as contract from '../src/index.ts';
import {
  bareSchema,
  checkValue,
  descriptionOf,
  eventTypes,
  formsOf,
  limits,
  longestOf,
  type OperationDeclaration,
  operations,
} from '../src/index.ts';

/** Every schema of something that is sent to us: of the API, and of the console's forms beside it. */
const requests: [string, z.ZodObject][] = [
  ...Object.values<OperationDeclaration>(operations).flatMap(
    ({ id, query, body }): [string, z.ZodObject][] => [
      ...(query ? [[`${id} query`, query] as [string, z.ZodObject]] : []),
      ...(body ? [[`${id} body`, body] as [string, z.ZodObject]] : []),
    ],
  ),
  ...Object.entries(contract).flatMap(([name, value]): [string, z.ZodObject][] =>
    value instanceof z.ZodObject ? [[name, value]] : [],
  ),
];

/** Forms of texts that say how long they are. */
const bounded = ['uuid', 'date', 'date-time'];

/** The paths in a schema at which something of any size can stand. */
function unbounded(schema: z.core.$ZodType, path: string): string[] {
  const { bare } = bareSchema(schema);
  const forms = formsOf(bare);
  if (forms) return forms.flatMap((form) => unbounded(form, path));
  if (bare instanceof z.ZodObject) {
    const inner = Object.entries(bare.shape).flatMap(([name, field]) => unbounded(field, `${path}.${name}`));
    return bare._zod.def.catchall instanceof z.ZodNever ? inner : [`${path} takes any field`, ...inner];
  }
  if (bare instanceof z.ZodArray) {
    const own = Number.isFinite(longestOf(bare)) ? [] : [path];
    return [...own, ...unbounded(bare.element, `${path}[]`)];
  }
  if (bare instanceof z.ZodRecord) {
    const own = descriptionOf(schema)?.maxEntries === undefined ? [path] : [];
    return [...own, ...unbounded(bare.valueType, `${path}{}`)];
  }
  if (bare instanceof z.ZodEnum || bare instanceof z.ZodBoolean || bare instanceof z.ZodNumber) return [];
  const {
    type,
    format,
    pattern,
    enum: values,
  } = z.toJSONSchema(bare, { io: 'input', unrepresentable: 'any' });
  if (type !== 'string') return [`${path} is ${type ?? 'anything'}`];
  if (values || (format !== undefined && bounded.includes(format))) return [];
  const fixed = pattern !== undefined && /^\^[^*+]*\$$/.test(pattern) && !pattern.includes(',}');
  return fixed || descriptionOf(schema)?.maxLength !== undefined ? [] : [`${path} ${pattern ?? ''}`];
}

test.each(requests)('%s takes no array and no text without a bound', (name, schema) => {
  expect(unbounded(schema, name)).toEqual([]);
});

test('the walk finds what has no bound', () => {
  const schema = z.object({ list: z.array(z.string()), inner: z.strictObject({ note: z.string() }) });
  expect(unbounded(schema, 'x')).toEqual(['x takes any field', 'x.list', 'x.list[] ', 'x.inner.note ']);
});

test('a webhook names each type of the catalog once at most', () => {
  const { body } = operations['webhooks.create'];
  const events = Array.from({ length: eventTypes.length + 1 }, () => 'lead.created');
  const refused = checkValue(body, { target_url: 'https://a.example', events });
  expect(refused.problems).toEqual([
    { path: 'events', key: 'field.too_many', values: { max: String(eventTypes.length) } },
  ]);
});

test('a dictionary of too many entries is refused without a look at its values (rule bodies 10)', () => {
  const { body } = operations['companies.update'];
  const entries = Array.from({ length: 70_000 }, (_, index) => [`Field ${index}`, 'x']);
  const looked: PropertyKey[] = [];
  const watched = new Proxy(Object.fromEntries(entries), {
    get: (all, key) => {
      looked.push(key);
      return Reflect.get(all, key);
    },
  });
  const refused = checkValue(body, { custom_fields: watched });
  expect(refused.problems).toEqual([
    { path: 'custom_fields', key: 'field.too_many', values: { max: String(limits.listItems) } },
  ]);
  expect(looked).toEqual([]);
});

describe('an order', () => {
  const { body } = operations['orders.create'];
  const order = (items: unknown) => ({ customer: {}, items });

  test('has 500 items at most, and a longer list is refused without a look at its elements (rules bodies 10 and 15)', () => {
    const item = { sku: 'a', quantity: 1, unit_price: 1 };
    const most = Array.from({ length: 500 }, () => item);
    expect(checkValue(body, order(most)).problems).toBeUndefined();
    const looked: PropertyKey[] = [];
    const watched = new Proxy(
      Array.from({ length: 340_000 }, () => ({})),
      {
        get: (all, key, self) => {
          looked.push(key);
          return Reflect.get(all, key, self);
        },
      },
    );
    const refused = checkValue(body, order(watched));
    expect(refused.problems).toEqual([{ path: 'items', key: 'field.too_many', values: { max: '500' } }]);
    expect(looked).toEqual(['length']);
  });

  test('that is wrong elsewhere, too, is told so beside the list that is too long', () => {
    const wrong = { ...order(Array.from({ length: 501 }, () => ({}))), auto_confirm: 'perhaps', other: 1 };
    const { problems } = checkValue(body, wrong);
    expect(problems?.map(({ path, key }) => [path, key])).toEqual([
      ['items', 'field.too_many'],
      ['auto_confirm', 'field.invalid_type'],
      ['other', 'field.unknown'],
    ]);
  });

  test('with many failing fields is looked through until one more than are named (rule bodies 9)', () => {
    const { problems } = checkValue(body, order(Array.from({ length: 500 }, () => ({}))));
    expect(problems).toHaveLength(limits.failingFields + 1);
    const unknown = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x${index}`, 1]));
    expect(checkValue(body, { ...order([]), ...unknown }).problems).toHaveLength(limits.failingFields + 1);
  });
});

describe('a text without a length of its own', () => {
  const { body } = operations['leads.update'];
  const refusal = (note: string) => checkValue(body, { note }).problems?.map(({ key }) => key);
  const most = limits.textBytes;

  test.each([
    ['letters', 'a', 1],
    ['letters of two bytes', 'č', 2],
    ['signs of four bytes', '🚲', 4],
    ['line breaks', '\n', 2],
    ['quotes', '"', 2],
    ['control characters', '\u0001', 6],
  ])('takes 64 KiB of JSON: %s (rule bodies 15)', (_, sign, bytes) => {
    const fitting = sign.repeat(Math.floor(most / bytes));
    expect(refusal(fitting)).toBeUndefined();
    expect(refusal(`${fitting}${'a'.repeat(bytes)}`)).toEqual(['field.too_large']);
  });
});

test('a password of few signs is too short, however many units they take', () => {
  const { AcceptInvitation } = contract;
  expect(checkValue(AcceptInvitation, { name: 'Eva', password: '🚲'.repeat(9) }).problems).toMatchObject([
    { key: 'field.too_short' },
  ]);
  expect(checkValue(AcceptInvitation, { name: 'Eva', password: '🚲'.repeat(10) }).problems).toBeUndefined();
});
