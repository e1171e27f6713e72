import { WatchedLine } from '@dealkeep/testing';
import { beforeAll, expect, test } from 'vitest';
import { dealkeep, dealkeepProcess, ownDatabase, result } from './program.ts';

const _uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const _moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
let variables: Record<string, string> = {};

beforeAll(async () => {
  variables = await ownDatabase();
});

const _run = (...args: string[]) => dealkeep(args, variables);
const json = <Result = unknown>(...args: string[]) => result<Result>(args, variables);

test('demo seed answers what it made, a thousand leads within seconds', async () => {
  const line = await WatchedLine.open(variables['DATABASE_URL'] ?? '');
  const seed = async (slug: string, size: number) => {
    await json('organizations', 'create', '--name', 'Seeded', '--slug', slug);
    const args = ['demo', 'seed', '--organization', slug, '--size', String(size)];
    let made: unknown;
    const statements = await line.statementsOf(async () => {
      made = await result(args, { ...variables, DATABASE_URL: line.url });
    });
    return { made, statements: statements.length };
  };
  const thousand = await seed('seeded', 1000);
  expect(thousand.made).toMatchObject({ leads: 1000, companies: 250, contacts: 500 });
  // They are made together: a hundred times as many take not one statement more.
  expect(thousand.statements).toBe((await seed('small', 10)).statements);
});

test.each([
  ['wrong usage', ['keys', 'revoke', 'a', 'b'], 64],
  ['what can be done', ['organizations', 'list', '--json'], 0],
])('a process says, and ends with, what the command does: %s', async (_, args, code) => {
  const ended = await dealkeepProcess(args, variables);
  expect(ended.code).toBe(code);
  expect(await dealkeep(args, variables)).toEqual(ended);
});
