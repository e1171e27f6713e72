import { describe, expect, test } from 'vitest';
import { surfaceBreaks } from '../src/index.ts';

const released = {
  'lead.create': 'operation',
  'lead.create, parameter name': 'string',
  'lead.create, parameter stage': 'options, required',
  'lead.create, parameter stage, choice won': 'choice',
  'lead.create, output value': 'number',
};

describe('what people rely on is kept', () => {
  test.each([
    ['lead.create', 'lead.create: is gone. Keep it, and add the new one beside it.'],
    [
      'lead.create, parameter name',
      'lead.create, parameter name: is gone. Keep it, and add the new one beside it.',
    ],
    [
      'lead.create, parameter stage, choice won',
      'lead.create, parameter stage, choice won: is gone. Keep it, and add the new one beside it.',
    ],
    [
      'lead.create, output value',
      'lead.create, output value: is gone. Keep it, and add the new one beside it.',
    ],
  ])('%s may not go', (where, sentence) => {
    const { [where]: _, ...next }: Record<string, string> = released;
    expect(surfaceBreaks(released, next)).toEqual([sentence]);
  });

  test('nothing becomes another thing', () => {
    expect(surfaceBreaks(released, { ...released, 'lead.create, output value': 'string' })).toEqual([
      'lead.create, output value: number became string. Keep it, and add the new one beside it.',
    ]);
  });

  test('nothing becomes required', () => {
    expect(
      surfaceBreaks(released, { ...released, 'lead.create, parameter name': 'string, required' }),
    ).toEqual([
      'lead.create, parameter name: became required. Keep it optional, and decide what is done without it.',
    ]);
  });

  test('nothing new is required of what there was', () => {
    expect(
      surfaceBreaks(released, { ...released, 'lead.create, parameter year': 'number, required' }),
    ).toEqual([
      'lead.create, parameter year: is new and required. Make it optional, and decide what is done without it.',
    ]);
  });
});

test.each([
  ['nothing', {}],
  [
    'a new operation, whatever it asks for',
    { 'lead.merge': 'operation', 'lead.merge, parameter id': 'string, required' },
  ],
  ['a new optional parameter', { 'lead.create, parameter year': 'number' }],
  ['a new choice', { 'lead.create, parameter stage, choice lost': 'choice' }],
  ['a new output', { 'lead.create, output year': 'number' }],
  ['a parameter that is no longer required', { 'lead.create, parameter stage': 'options' }],
])('%s may come', (_, added) => {
  expect(surfaceBreaks(released, { ...released, ...added })).toEqual([]);
});
