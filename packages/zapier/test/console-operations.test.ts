import { operationOf } from '@dealkeep/connectors';
import { everyOperation, everyOperationId, type OperationDeclaration } from '@dealkeep/contract';
import { expect, test } from 'vitest';
import { variants } from '../src/index.ts';
import { definitionOf } from './platform/definition-of.ts';

const ofPeople = everyOperationId
  .map((id): OperationDeclaration => everyOperation[id])
  .filter(({ audience }) => !audience.includes('api'));

test.each(ofPeople)('no Zap can be made of $id, which is not for programs', ({ id }) => {
  expect(() => operationOf(id)).toThrow(`The contract has no operation "${id}".`);
});

test.each(Object.entries(variants))('the definition of %s tells of none', async (_, variant) => {
  const definition = JSON.stringify(await definitionOf(variant));
  for (const { title } of ofPeople) expect(definition).not.toContain(title.en);
});
