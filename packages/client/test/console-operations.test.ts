import { everyOperation, everyOperationId, type OperationDeclaration, operations } from '@dealkeep/contract';
import { expect, test } from 'vitest';
import { routes } from '../src/registry.ts';

test('the client has the operations of the API, and none that only people do', () => {
  const addresses = routes.map(({ method, path }) => `${method} ${path}`);
  expect(addresses).toHaveLength(Object.keys(operations).length);
  const ofPeople = everyOperationId
    .map((id): OperationDeclaration => everyOperation[id])
    .filter(({ audience }) => audience.includes('console') && !audience.includes('api'));
  expect(ofPeople.length).toBeGreaterThan(20);
  for (const { method, path } of ofPeople) expect(addresses).not.toContain(`${method} ${path}`);
});
