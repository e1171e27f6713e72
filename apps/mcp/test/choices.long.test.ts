import {
  type OperationDeclaration,
  type OperationId,
  operationIds,
  operations,
  type Reference,
  references,
} from '@dealkeep/contract';
import { expect, test } from 'vitest';
import { type Argument, argumentsOf } from '../src/arguments/argument.ts';
import { isChosen, operationNamed, valueAt } from '../src/arguments/candidates.ts';
import { toolNameOf } from '../src/tools/tool-name.ts';
import { refusalIn } from './assistant.ts';
import { atWork } from './at-work.ts';

const { api, call } = await atWork({ demo: true });

/** Each list to choose from, and the arguments of tools that are chosen from it. */
const chosen = Object.entries<Reference>(references)
  .filter(([, reference]) => isChosen(reference))
  .map(([name, reference]) => {
    const takes = operationIds
      .filter((id) => operations[id].kind !== 'batch')
      .flatMap((id) =>
        argumentsOf(operations[id])
          .filter((argument) => argument.reference === name || isFilterBy(name, id, argument))
          .map((argument) => ({ tool: toolNameOf(operations[id]), argument: argument.name })),
      );
    return { name, reference, takes };
  });

function isFilterBy(name: string, id: OperationId, { facts }: Argument): boolean {
  return operations[id].method === 'GET' && !facts.isArray && facts.description?.nameOf === name;
}

test('stages, people, reasons and all else that is chosen from a list are arguments of tools', () => {
  expect(chosen.map(({ name }) => name)).toEqual(expect.arrayContaining(['stage', 'lost-reason', 'tag']));
  expect(chosen.filter(({ takes }) => takes.length === 0)).toEqual([]);
});

test.each(chosen)(
  'a name that no $name has is answered with all there are (rule assistants 11)',
  async ({ reference, takes }) => {
    const { path }: OperationDeclaration = operations[operationNamed(reference.list)];
    const { data } = (await api.get(path, { limit: 100 })).page;
    const { items } = reference;
    const listed: readonly unknown[] = data.flatMap((each) => {
      const inside = items === undefined ? each : valueAt(each, items);
      return Array.isArray(inside) ? inside : [inside];
    });
    const names = listed.map((each) => valueAt(each, 'name'));
    expect(names.length).toBeGreaterThan(0);
    const [{ tool, argument } = { tool: '', argument: '' }] = takes;
    const refused = refusalIn(await call(tool, { [argument]: 'too expensive' }));
    expect(refused).toMatch(
      new RegExp(`${argument}: No [a-z ]+ is called "too expensive"\\. Nothing was done\\. Choose the `),
    );
    for (const name of names) expect(refused).toContain(JSON.stringify(name));
  },
);
