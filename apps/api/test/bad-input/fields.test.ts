import { bareSchema, checkValue, descriptionOf, formsOf, pathText } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openKnownBusiness, withValue } from '../known-records.ts';
import { bodiesOf, fieldsOf, inlineFor, inlineRecords, limitedIn, longest } from './body-fields.ts';

const dealkeep = await sharedDealkeep();
const business = await openKnownBusiness(dealkeep);
const { api } = business;

const broken = ['a\0b', '\0', '\ud800', 'x\udc00x'];
const uuidText = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';

const moments = [
  '',
  'tomorrow',
  '2026-10-06',
  '2026-10-06T09:00:00',
  '2026-02-30T09:00:00Z',
  '2026-10-06T25:00:00Z',
  '2026-10-06T09:00:00+99:00',
  '2026-10-06 09:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-01:00',
  '+010000-01-01T00:00:00Z',
];

/** Values that a field of this schema must refuse. */
function badValues(schema: z.core.$ZodType): unknown[] {
  const { bare, nullable } = bareSchema(schema);
  const never: unknown[] = [...(nullable ? [] : [null]), ...others(bare)];
  const maxLength = descriptionOf(schema)?.maxLength;
  // A target that is too long is told so by an error of its own.
  const limited = maxLength !== undefined && !z.safeParse(bare, 'x'.repeat(maxLength + 1)).success;
  const tooLong = limited ? ['x', '\u{1F6B2}'].map((letter) => letter.repeat(maxLength + 1)) : [];
  if (bare instanceof z.ZodObject) return never;
  if (bare instanceof z.ZodArray) return [...never, ...badItems(bare)];
  if (bare instanceof z.ZodEnum) return [...never, '', 'nonsense', 'OPEN', ' none'];
  if (bare instanceof z.ZodUUID)
    return [...never, '', 'x', uuidText.slice(1), `${uuidText} `, `{${uuidText}}`];
  if (bare instanceof z.ZodISODate) {
    return [
      ...never,
      '',
      'today',
      '2026-02-29',
      '2026-02-30',
      '2026-13-01',
      '2026-00-10',
      '2026-1-1',
      '26-01-01',
      '0000-01-01',
      '12026-01-01',
      '2026-10-01T00:00:00Z',
      ' 2026-10-01',
    ];
  }
  if (bare instanceof z.ZodNumber) return [...never, -0.01, -1, 1e12 + 0.01, 1e13, 1e308, '1', 'NaN', ''];
  if (bare instanceof z.ZodISODateTime) return [...never, ...moments];
  if (bare instanceof z.ZodBoolean) return [...never, 'true', 0, 1];
  if (bare instanceof z.ZodPipe)
    return [
      ...never,
      ...broken,
      ...tooLong,
      '',
      'nobody',
      'a@',
      '@b.sk',
      'a b@c.sk',
      'a@b@c.sk',
      `${'a'.repeat(250)}@b.sk`,
    ];
  return [...never, ...broken, ...tooLong];
}

/** Values of other types. */
function others(bare: z.core.$ZodType): unknown[] {
  const values: unknown[] = [];
  if (!(bare instanceof z.ZodNumber)) values.push(1);
  if (!(bare instanceof z.ZodBoolean)) values.push(true);
  if (!(bare instanceof z.ZodArray)) values.push([], ['x']);
  if (bare instanceof z.ZodRecord) values.push('x', { nobody: 5 });
  else if (!(bare instanceof z.ZodObject)) values.push({}, { id: uuidText });
  else values.push('x');
  return values;
}

function badItems(array: z.ZodArray): unknown[][] {
  // Those of a batch are refused one by one.
  if (formsOf(array.element)) return [];
  const item = exampleOfItem(array);
  const bad = badValues(array.element).map((value) => [value]);
  return item === undefined ? bad : [...bad, Array.from({ length: 51 }, () => item)];
}
const exampleOfItem = (array: z.ZodArray): unknown =>
  bareSchema(array.element).bare instanceof z.ZodUUID ? uuidText : undefined;

const cases = bodiesOf(business);

const isAt = (path: string, field: string): boolean =>
  path === field || path.startsWith(`${field}[`) || path.startsWith(`${field}.`);

describe.each(cases)('$id', ({ id, method, path, body, base }) => {
  const fields = fieldsOf(body);

  test('each field refuses what it cannot hold, and is named (rules bodies 8, 13 and 16)', () => {
    for (const field of fields) {
      const name = pathText(field.path);
      const isInline = id === 'leads.create' && field.path.length > 1;
      for (const value of badValues(field.schema)) {
        const json = withValue(isInline ? { ...base, ...inlineRecords } : base, field.path, value);
        const told = checkValue(body, json).problems?.map((problem) => problem.path) ?? [];
        const shown = `${name}: ${JSON.stringify(value)?.slice(0, 60)}`;
        expect(told, shown).not.toEqual([]);
        expect(
          told.filter((each) => !isAt(each, name)),
          shown,
        ).toEqual([]);
      }
    }
  });

  test('a request in which every field has such a value is told of each (rules bodies 8 and 9)', async () => {
    const own = fields.filter(({ path: names }) => names.length === 1);
    const names = own.map(({ path: [name = ''] }) => String(name));
    const values = own.map(({ schema }, at) => {
      // Which names there are only the organization knows.
      if (bareSchema(schema).bare instanceof z.ZodRecord) return { nobody: 'x' };
      const bad = badValues(schema);
      return bad[at % bad.length];
    });
    const json = Object.fromEntries(names.map((name, at) => [name, values[at]]));
    const told = Object.keys((await api.send(method, path, { json })).fields);
    expect(names.filter((name) => !told.some((each) => isAt(each, name)))).toEqual([]);
    expect(told.filter((each) => !names.some((name) => isAt(each, name)))).toEqual([]);
  });

  const limited = limitedIn(fields);
  if (limited.length === 0) return;

  test('texts of the greatest length are taken, counted in code points (rules bodies 14 and 15)', () => {
    for (const field of limited) {
      for (const letter of ['x', 'ž', '\u{1F6B2}']) {
        const json = withValue({ ...base, ...inlineFor(field) }, field.path, longest(field, letter));
        expect([field.path, letter, checkValue(body, json).problems]).toEqual([
          field.path,
          letter,
          undefined,
        ]);
      }
    }
  });
});

test('all failing fields are named at once, references among them (rule bodies 9)', async () => {
  const other = await openBusiness(dealkeep);
  const theirs = (await other.api.post('/companies', { name: 'Theirs' })).data;
  const refused = await api.post('/leads', {
    name: 'x'.repeat(256),
    value: -1,
    acquisition_cost: '1',
    expected_close_date: '2026-02-30',
    note: 'a\0b',
    owner_id: other.organization.ownerId,
    assignee_ids: [uuidText, 'x'],
    origin_id: 5,
    company_id: theirs.id,
    contact: { name: ' ', email: 'x', phone: 'x'.repeat(51), age: 5 },
    dedupe: 'email',
    nonsense: true,
  });
  expect(refused.fields).toEqual({
    name: 'too_long',
    value: 'too_small',
    acquisition_cost: 'invalid_type',
    expected_close_date: 'invalid_date',
    note: 'invalid_characters',
    owner_id: 'not_found',
    'assignee_ids[0]': 'not_found',
    'assignee_ids[1]': 'invalid_uuid',
    origin_id: 'invalid_type',
    company_id: 'not_found',
    'contact.name': 'empty',
    'contact.email': 'invalid_email',
    'contact.phone': 'too_long',
    'contact.age': 'unknown',
    dedupe: 'invalid_choice',
    nonsense: 'unknown',
  });
  const company = await api.post('/companies', { owner_id: uuidText, country_code: 'sk', extra: 1 });
  expect(company.fields).toEqual({
    name: 'required',
    owner_id: 'not_found',
    country_code: 'invalid_country',
    extra: 'unknown',
  });
});

test('numbers as JSON can write them (rule bodies 21)', async () => {
  const value = async (text: string) => {
    const answer = await api.send<{ value: number }>('POST', '/leads', {
      body: `{"value":${text}}`,
      headers: { 'Content-Type': 'application/json' },
    });
    return answer.status === 201 ? answer.data.value : answer.outcome;
  };
  expect(await value('1e2')).toBe(100);
  expect(await value('-0')).toBe(0);
  expect(await value('1E-2')).toBe(0.01);
  expect(await value('0.1000000000000000055511151231257827')).toBe(0.1);
  expect(await value('1e400')).toBe('422 VALIDATION_ERROR');
  expect(await value('-1e400')).toBe('422 VALIDATION_ERROR');
  expect(await value('1e-400')).toBe(0);
});

test('dates of leap years, of the first and of the last year exist', async () => {
  for (const date of ['2028-02-29', '0001-01-01', '9999-12-31', '2000-02-29']) {
    expect((await api.post('/leads', { expected_close_date: date })).data.expected_close_date).toBe(date);
  }
  expect((await api.post('/leads', { expected_close_date: '1900-02-29' })).outcome).toBe(
    '422 VALIDATION_ERROR',
  );
});
