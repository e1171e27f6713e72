import { describe, expect, test } from 'vitest';
import { nameOf } from '../nodes/shared/choices/name-of.ts';
import { shapeOutput } from '../nodes/shared/operations/shape-output.ts';

describe('the output of a record (rule n8n 8)', () => {
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

  test('has a field called constructor only where the record has one', () => {
    const fields = { output: 'selectedFields', fields: ['id', 'constructor', '__proto__'] } as const;
    expect(shapeOutput(record, fields, ['id'])).toEqual({ id: '1' });
    expect(
      Object.keys(shapeOutput(JSON.parse('{"id":"1","constructor":2,"__proto__":3}'), fields, ['id'])),
    ).toEqual(['id', 'constructor', '__proto__']);
  });

  test('is whole where the node offers no choice', () => {
    expect(shapeOutput(record, { output: 'simplified' }, undefined)).toEqual(record);
  });
});

describe('the name of a record in a dropdown', () => {
  test('is its name, with what tells namesakes apart', () => {
    expect(nameOf({ name: 'Eva', email: 'eva@orava.example' }, { names: ['name'], apart: ['email'] })).toBe(
      'Eva (eva@orava.example)',
    );
    expect(
      nameOf(
        { name: 'Fleet', company: { name: 'Tatra Bikes' } },
        { names: ['name'], apart: ['company.name'] },
      ),
    ).toBe('Fleet (Tatra Bikes)');
    expect(nameOf({ name: 'Sales' }, { names: ['name'], apart: ['email'] })).toBe('Sales');
  });

  test('is the next best field when it has no name, and never empty', () => {
    expect(nameOf({ name: null, target_url: 'https://x.example' }, { names: ['name', 'target_url'] })).toBe(
      'https://x.example',
    );
    expect(nameOf({ id: '7', name: '' }, { names: ['name'] })).toBe('(no name) 7');
  });
});
