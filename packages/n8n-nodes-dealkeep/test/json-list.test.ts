import { describe, expect, test } from 'vitest';
import { jsonList, jsonParameters } from '../nodes/shared/parameters/json-list.ts';
import type { Field } from '../nodes/shared/tables.ts';

const items: Field = { name: 'items', parameter: 'items', label: 'Items', kind: 'objects' };
const line = { sku: 'BIKE', quantity: 2 };

describe('a list that is given as JSON', () => {
  test('stands in parameters beside its own', () => {
    expect(jsonParameters(items)).toEqual({ mode: 'specifyItems', json: 'itemsJson' });
  });

  test.each([
    ['of an expression', [line, line], [line, line]],
    ['as text', '[{"sku":"BIKE","quantity":2}]', [line]],
    ['of one entry without its list', line, [line]],
    ['that is empty, which the API judges', '[]', []],
  ])('%s is sent as it is', (_, value, sent) => {
    expect(jsonList(items, value)).toEqual(sent);
  });

  test.each([
    ['[{"sku": BIKE}]', 'Items: this is not valid JSON'],
    ['', 'Items: this is not valid JSON'],
    ['[1]', 'Items: a list of objects is wanted'],
    [7, 'Items: a list of objects is wanted'],
    [undefined, 'Items: a list of objects is wanted'],
    [null, 'Items: a list of objects is wanted'],
  ])('%j is refused with what to mend', (value, message) => {
    expect(() => jsonList(items, value)).toThrow(message);
  });
});
