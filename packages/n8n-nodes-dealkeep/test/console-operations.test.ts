import { everyOperation, everyOperationId, type OperationDeclaration } from '@dealkeep/contract';
import { expect, test } from 'vitest';
import { operations } from '../nodes/shared/generated/operations.ts';
import type { Operation } from '../nodes/shared/tables.ts';

test('no workflow can do what only people do', () => {
  const rows = Object.values(operations).flatMap((of): Operation[] => Object.values(of));
  const addresses = rows.map(({ method, path }) => `${method} ${path}`);
  expect(addresses).toContain('POST /leads/{id}/archive');
  const ofPeople = everyOperationId
    .map((id): OperationDeclaration => everyOperation[id])
    .filter(({ audience }) => audience.includes('console') && !audience.includes('api'));
  expect(ofPeople.length).toBeGreaterThan(20);
  for (const { method, path } of ofPeople) expect(addresses).not.toContain(`${method} ${path}`);
});
