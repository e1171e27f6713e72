import { describe, expect, test } from 'vitest';
import { nameOf } from '../nodes/shared/choices/name-of.ts';
import { shapeOutput } from '../nodes/shared/operations/shape-output.ts';

describe('the output of a record', () => {
  const record = { id: '1', name: 'Fleet', note: null, stage: { id: '2', name: 'New' } };

  test('keeps names and shapes of fields in every form', () => {
    expect(shapeOutput(record, { output: 'raw' }, ['id'])).toEqual(record);
    expect(shapeOutput(record, { output: 'simplified' }, ['id', 'stage', 'deduplicated'])).toEqual({
      id: '1',
      stage: { id: '2', name: 'New' },
    });
    expect(shapeOutput(record, { output: 'selectedFields', fields: ['note'] }, ['id'])).toEqual({
      note: null,
    });
  });

  test('is whole where the node offers no choice', () => {
    expect(shapeOutput(record, { output: 'simplified' }, undefined)).toEqual(record);
  });
});

describe('the name of a record in a dropdown', () => {
  test('is its name, with what tells namesakes apart', () => {
    expect(nameOf({ name: 'Eva', email: 'eva@orava.example' }, ['name'])).toBe('Eva (eva@orava.example)');
    expect(nameOf({ name: 'Fleet', company: { name: 'Tatra Bikes' } }, ['name'])).toBe('Fleet (Tatra Bikes)');
    expect(nameOf({ name: 'Sales' }, ['name'])).toBe('Sales');
  });

  test('is the next best field when it has no name, and never empty', () => {
    expect(nameOf({ name: null, target_url: 'https://x.example' }, ['name', 'target_url'])).toBe(
      'https://x.example',
    );
    expect(nameOf({ id: '7', name: '' }, ['name'])).toBe('(no name) 7');
  });
});
