import { type OperationDeclaration, operations } from '@dealkeep/contract';
import { describe, expect, test } from 'vitest';
import { batched, tryBatches, tryWrites } from './writing-without-reading.ts';

const declarations = Object.values<OperationDeclaration>(operations);

test('the writes of all six batches are looked at', () => {
  const batches = declarations.filter(({ id }) => id.endsWith('.batch')).map(({ path }) => path);
  expect(new Set(batched.map(({ batch }) => batch))).toEqual(new Set(batches));
  expect(batched).toHaveLength(2 * batches.length);
});

describe('a connection whose role shows assigned records only', () => {
  tryWrites('a connection whose role shows assigned records only');
});

describe.each(['a key', 'a connection whose role shows assigned records only'] as const)(
  '%s',
  (credential) => {
    tryBatches(credential);
  },
);
