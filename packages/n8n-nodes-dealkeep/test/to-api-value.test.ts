import { writtenNumbers } from '@dealkeep/testing/written-values';
import { describe, expect, test } from 'vitest';
import { toNumber } from '../nodes/shared/parameters/plain-values.ts';
import { type Purpose, toApiFields, toApiValue } from '../nodes/shared/parameters/to-api-value.ts';
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
const creation: Purpose = { empty: 'leave', absent: 'refuse', timeZone };
const update: Purpose = { ...creation, empty: 'clear' };
const filter: Purpose = { ...creation, empty: 'refuse' };
const tool: Purpose = { ...creation, absent: 'leave' };
const sent = (kind: FieldKind, value: unknown, more: Partial<Field> = {}, purpose = creation) =>
  toApiValue(field(kind, more), value, purpose);

describe('a value becomes what the API takes', () => {
  test('texts, also from numbers of spreadsheets', () => {
    expect(sent('text', ' as sent ')).toBe(' as sent ');
    expect(sent('text', 4001)).toBe('4001');
  });

  test('numbers, also from texts', () => {
    expect(sent('number', '18500.50')).toBe(18500.5);
    expect(sent('number', 0)).toBe(0);
  });

  test.each([
    ['450,20', 450.2],
    [' 1 250,5 ', 1250.5],
    ['1 250 000.75', 1250000.75],
    ['0,125', 0.125],
    ['-3', -3],
    ['.5', 0.5],
  ])('the number %j as people write it (rule n8n 25)', (text, number) => {
    expect(sent('number', text)).toBe(number);
  });

  test('yes or no', () => {
    expect(sent('boolean', false)).toBe(false);
    expect(sent('boolean', 'true')).toBe(true);
  });

  test('yes or no, as spreadsheets have it: 0 is off, 1 is on (rule n8n 25)', () => {
    for (const off of [0, '0', 'FALSE', 'No', ' off ']) expect(sent('boolean', off)).toBe(false);
    for (const on of [1, '1', 'TRUE', 'Yes', 'on']) expect(sent('boolean', on)).toBe(true);
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

  test('days, of a midnight the day that is written, wherever the workflow runs (rule n8n 26)', () => {
    const day = (value: unknown, zone: string) =>
      toApiValue(field('date'), value, { ...creation, timeZone: zone });
    for (const zone of ['America/New_York', 'Asia/Tokyo', timeZone]) {
      expect(day('2026-03-01T00:00:00.000Z', zone)).toBe('2026-03-01');
      expect(day(new Date('2026-03-01T00:00:00Z'), zone)).toBe('2026-03-01');
      expect(day({ toISO: () => '2026-03-01T00:00:00.000+02:00' }, zone)).toBe('2026-03-01');
      expect(day('2026-03-01T00:00:00-05:00', zone)).toBe('2026-03-01');
    }
    expect(day('2026-03-01T00:00:01.000Z', 'America/New_York')).toBe('2026-02-28');
    // A moment is a moment: only days are judged by what is written.
    expect(sent('dateTime', '2026-03-01T00:00:00.000Z')).toBe('2026-03-01T00:00:00.000Z');
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

test.each(writtenNumbers)(
  '%j is the number %j, as in every connector (rule connectors 15)',
  (text, number) => {
    expect(toNumber(text)).toBe(number);
  },
);

describe('an empty value', () => {
  test('is left out of what is created and of filters', () => {
    for (const empty of ['', null]) expect(sent('text', empty, { nullable: true })).toBeUndefined();
    expect(sent('reference', { __rl: true, mode: 'list', value: '' })).toBeUndefined();
  });

  test('clears a field on update, where the field can be empty', () => {
    expect(sent('text', '', { nullable: true }, update)).toBeNull();
    expect(sent('reference', { mode: 'list', value: '' }, { nullable: true }, update)).toBeNull();
    expect(sent('text', '', {}, update)).toBeUndefined();
  });
});

describe('a value that is not there (rule n8n 25)', () => {
  const nothing = /^Some Field: the expression gives nothing$/;
  const wrapped = [
    ['text', undefined],
    ['reference', { __rl: true, mode: 'id', value: undefined }],
    ['references', [id, undefined]],
    ['names', [undefined]],
    ['objects', { values: undefined }],
  ] as const;

  test.each(wrapped)('of the kind %s stops the item, wherever n8n wraps it: %o', (kind, value) => {
    for (const purpose of [creation, update, filter]) {
      expect(() => sent(kind, value, { nullable: true }, purpose)).toThrow(nothing);
    }
  });

  test('inside an object stops the item with the labels of both', () => {
    const fields = [field('reference', { label: 'Owner', nullable: true })];
    const value = { values: { someField: { mode: 'id', value: undefined } } };
    expect(() => sent('object', value, { fields }, update)).toThrow(/^Some Field → Owner: .*gives nothing$/);
    expect(() => sent('object', { values: { additionalFields: undefined } }, { fields })).toThrow(
      /^Some Field → Additional Fields: .*gives nothing$/,
    );
  });

  test('of a custom field that is filtered by stops the item: its name as well as its value', () => {
    const by = (name: unknown, value: unknown) => () =>
      sent('entries', { values: [{ name, value }] }, {}, filter);
    expect(by({ mode: 'list', value: undefined }, 'x')).toThrow(/^Some Field → Field: .*gives nothing$/);
    expect(by({ mode: 'name', value: 'Segment' }, undefined)).toThrow(
      /^Some Field → Segment: .*gives nothing$/,
    );
    expect(by({ mode: 'name', value: 'Segment' }, 'A')()).toEqual({ Segment: 'A' });
  });
});

describe('what an agent leaves empty (rule n8n 12)', () => {
  test.each([
    ['text', undefined],
    ['text', null],
    ['text', ' '],
    ['number', ''],
    ['dateTime', ' '],
    ['reference', { mode: 'id', value: '' }],
    ['reference', { mode: 'list', value: undefined }],
    ['references', []],
    ['texts', ''],
    ['names', ['', null, undefined]],
    ['entries', { values: [{ name: { mode: 'name', value: 'Segment' }, value: '' }] }],
  ] as const)('is left alone: %s %o', (kind, value) => {
    expect(sent(kind, value, { nullable: true }, tool)).toBeUndefined();
  });
});

describe('a filter that is empty stops the item (rule n8n 27)', () => {
  test.each([
    ['text', ''],
    ['text', '  '],
    ['text', null],
    ['reference', { mode: 'list', value: '' }],
    ['references', []],
    ['texts', ' , '],
    ['entries', { values: [] }],
    ['entries', { values: [{ name: { mode: 'name', value: 'Segment' }, value: '' }] }],
  ] as const)('%s %o', (kind, value) => {
    expect(() => sent(kind, value, {}, filter)).toThrow(/^Filters → Some Field.*: nothing to look for$/);
  });

  test('and what is off or 0 is no empty one', () => {
    expect(sent('boolean', false, {}, filter)).toBe(false);
    expect(sent('number', 0, {}, filter)).toBe(0);
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
    ['number', '0x10', /a number is wanted, but the value is "0x10"/],
    ['number', '1.2.3', /a number is wanted/],
    ['boolean', 'maybe', /true or false/],
    ['boolean', 2, /true or false/],
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
  expect(toApiFields(fields, { someField: 'x' }, creation)).toEqual({ some_field: 'x' });
});

test.each([
  ['number', '1,234', /comma can part thousands or decimals/],
  ['date', '8.12.2026', /Day and month can be either way round/],
  ['date', '8/12/2026', /Day and month can be either way round/],
  ['dateTime', '8/12/2026 10:00', /Day and month can be either way round/],
] as const)(
  'what can mean two things is refused with that reason: %s %s (rules n8n 25 and 26)',
  (kind, value, advice) => {
    expect(() => sent(kind, value)).toThrow(
      expect.objectContaining({ description: expect.stringMatching(advice) }),
    );
  },
);
