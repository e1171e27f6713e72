import { describe, expect, test } from 'vitest';
import { toApiFields, toApiValue } from '../nodes/shared/parameters/to-api-value.ts';
import type { Field, FieldKind } from '../nodes/shared/tables.ts';

const timeZone = 'Europe/Bratislava';
const id = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
const field = (kind: FieldKind, more: Partial<Field> = {}): Field => ({
  name: 'some_field',
  parameter: 'someField',
  label: 'Some Field',
  kind,
  ...more,
});
const sent = (kind: FieldKind, value: unknown, more: Partial<Field> = {}, clears = false) =>
  toApiValue(field(kind, more), value, { clears, timeZone });

describe('a value becomes what the API takes', () => {
  test('texts, also from numbers of spreadsheets', () => {
    expect(sent('text', ' as sent ')).toBe(' as sent ');
    expect(sent('text', 4001)).toBe('4001');
  });

  test('numbers, also from texts', () => {
    expect(sent('number', '18500.50')).toBe(18500.5);
    expect(sent('number', 0)).toBe(0);
  });

  test('yes or no', () => {
    expect(sent('boolean', false)).toBe(false);
    expect(sent('boolean', 'true')).toBe(true);
  });

  test("moments, in the workflow's time zone when they name none", () => {
    expect(sent('dateTime', '2026-07-01T10:00:00')).toBe('2026-07-01T08:00:00.000Z');
    expect(sent('dateTime', '2026-12-01 10:00')).toBe('2026-12-01T09:00:00.000Z');
    expect(sent('dateTime', '2026-12-01T10:00:00+02:00')).toBe('2026-12-01T08:00:00.000Z');
    expect(sent('dateTime', new Date('2026-12-01T10:00:00Z'))).toBe('2026-12-01T10:00:00.000Z');
    expect(sent('dateTime', { toISO: () => '2026-12-01T10:00:00.000+01:00' })).toBe(
      '2026-12-01T09:00:00.000Z',
    );
  });

  test('moments around the change to summer time', () => {
    expect(sent('dateTime', '2026-03-29T01:59:59')).toBe('2026-03-29T00:59:59.000Z');
    expect(sent('dateTime', '2026-03-29T03:00:00')).toBe('2026-03-29T01:00:00.000Z');
  });

  test('days, of a moment the day that it is in the workflow', () => {
    expect(sent('date', '2026-11-30')).toBe('2026-11-30');
    expect(sent('date', '2026-11-30T23:30:00')).toBe('2026-11-30');
    expect(sent('date', '2026-11-30T23:30:00.000Z')).toBe('2026-12-01');
  });

  test('ids: chosen, typed, or out of the address of a record (rule n8n 6)', () => {
    expect(sent('reference', { __rl: true, mode: 'list', value: id })).toBe(id);
    expect(sent('reference', { __rl: true, mode: 'id', value: ` ${id} ` })).toBe(id);
    expect(
      sent('reference', { __rl: true, mode: 'url', value: `https://crm.example/leads/${id}?tab=1` }),
    ).toBe(id);
    const ofCompany = `https://crm.example/companies/01985f6e-2c41-7d3a-9b52-000000000000/contacts/${id}`;
    expect(sent('reference', { __rl: true, mode: 'url', value: ofCompany })).toBe(id);
    expect(sent('reference', id)).toBe(id);
  });

  test('several ids or texts, also as people write them into expressions', () => {
    expect(sent('references', [id])).toEqual([id]);
    expect(sent('texts', 'one, two,')).toEqual(['one', 'two']);
  });

  test('objects and lists of objects, wrapped as n8n does or not', () => {
    const fields = [field('number')];
    expect(sent('object', { values: { someField: '1' } }, { fields })).toEqual({ some_field: 1 });
    expect(sent('object', { someField: 1 }, { fields })).toEqual({ some_field: 1 });
    expect(sent('objects', { values: [{ someField: 1 }, { someField: 2 }] }, { fields })).toEqual([
      { some_field: 1 },
      { some_field: 2 },
    ]);
    expect(sent('object', {}, { fields })).toBeUndefined();
    expect(sent('object', {}, { fields, sentEmpty: true })).toEqual({});
  });

  test('fields of a group that were added to it', () => {
    const fields = [field('text'), field('number', { name: 'other', parameter: 'other' })];
    expect(
      sent('objects', { values: [{ someField: 'x', additionalFields: { other: 2 } }] }, { fields }),
    ).toEqual([{ some_field: 'x', other: 2 }]);
  });
});

describe('an empty value', () => {
  test('is left out of what is created and of filters', () => {
    for (const empty of ['', null]) expect(sent('text', empty, { nullable: true })).toBeUndefined();
    expect(sent('reference', { __rl: true, mode: 'list', value: '' })).toBeUndefined();
  });

  test('clears a field on update, where the field can be empty', () => {
    expect(sent('text', '', { nullable: true }, true)).toBeNull();
    expect(sent('reference', { mode: 'list', value: '' }, { nullable: true }, true)).toBeNull();
    expect(sent('text', '', {}, true)).toBeUndefined();
  });
});

describe('a value that cannot be meant is refused with the label and the mend', () => {
  test.each([
    ['text', ['a'], /^Some Field: a text is wanted, but the value is a list$/],
    ['text', { a: 1 }, /an object/],
    ['text', undefined, /^Some Field: the expression gives nothing$/],
    ['number', 'much', /^Some Field: a number is wanted, but the value is "much"$/],
    ['number', Number.NaN, /a number is wanted/],
    ['number', '  ', /a number is wanted, but the value is " {2}"/],
    ['boolean', 'maybe', /true or false/],
    ['date', '30.11.2026', /a date such as/],
    ['dateTime', 'tomorrow', /a date and time such as/],
    // JavaScript would take them for 3 March, and for an hour of the next day.
    ['dateTime', '2026-02-31T10:00:00Z', /a date and time such as/],
    ['dateTime', '2026-02-31 10:00', /a date and time such as/],
    ['dateTime', '2026-03-01T25:00', /a date and time such as/],
    ['date', '2026-02-31T10:00:00+02:00', /a date such as/],
    ['dateTime', '2026-13-45T10:00:00Z', /a date and time such as/],
    ['reference', { mode: 'id', value: 42 }, /an ID is a text/],
    ['reference', { mode: 'url', value: 'https://crm.example/leads' }, /names no record/],
    ['references', [[1]], /a text is wanted/],
  ] as const)('%s: %j', (kind, value, problem) => {
    expect(() => sent(kind, value)).toThrow(problem);
  });

  test('with the labels of both, inside an object', () => {
    const fields = [field('number', { label: 'Price' })];
    expect(() => sent('object', { values: { someField: 'x' } }, { fields })).toThrow(/^Some Field → Price: /);
  });
});

test('only the parameters that are present are sent', () => {
  const fields = [field('text'), field('text', { name: 'other', parameter: 'other' })];
  expect(toApiFields(fields, { someField: 'x' }, { clears: false, timeZone })).toEqual({ some_field: 'x' });
});
