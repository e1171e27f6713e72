import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import {
  ask,
  demoLogin,
  ownFolder,
  postgresOf,
  result,
  startProgram,
  startReady,
  startReadyHere,
} from './program.ts';

const run = promisify(execFile);

/** Runs the line in a shell where there is curl; else asks for the same. */
async function paste(line: string): Promise<unknown> {
  const curl = await run('bash', ['-c', 'command -v curl']).catch(() => undefined);
  if (curl) return JSON.parse((await run('bash', ['-c', `${line} --silent`])).stdout);
  const [, command = '', address = ''] = /-H "Authorization: Bearer \$\((.+)\)" '([^']+)'$/.exec(line) ?? [];
  const key = (await run('sh', ['-c', command])).stdout.trim();
  return (await fetch(address, { headers: { Authorization: `Bearer ${key}` } })).json();
}

test('a first start that is killed leaves the demo and its key to the next one', async () => {
  const variables = { DATA_DIR: await ownFolder(), PORT: '0' };
  const killed = startProgram(variables);
  await killed.says(/PostgreSQL runs/);
  await killed.end('SIGKILL');

  const next = await startReadyHere(variables);
  const { key } = await demoLogin(variables.DATA_DIR);
  expect(await (await ask(next.origin, key, '/leads?limit=100')).json()).toMatchObject({
    data: { length: 40 },
  });
  expect(await result(['organizations', 'list'], variables)).toHaveLength(1);
});

test('two first starts at once share the data and one makes the demo, whatever the folder, the locale and the variables', async () => {
  const variables = {
    DATA_DIR: join(await ownFolder(), `a folder of Eva's, named "ňadro"`),
    ENVIRONMENT: 'test',
    HOME: undefined,
    LANG: 'xx_YY.UTF-8',
    PGSSLMODE: 'verify-full',
    PGHOST: 'nowhere.example',
    PGUSER: 'nobody',
    PGDATABASE: 'none',
    PGOPTIONS: '-c search_path=nowhere',
  };
  const both = await Promise.all([startReady(variables), startReady(variables)]);
  const told = both.flatMap((each) => /^ +(curl .+)$/m.exec(each.heard().stdout)?.[1] ?? []);
  expect(told, 'one of them made the demo').toHaveLength(1);
  // Also out of a folder whose name a shell would misread.
  expect(await paste(told[0] ?? '')).toMatchObject({ data: { length: 3 } });
  const { key } = await demoLogin(variables.DATA_DIR);
  expect(key, 'of the test environment').toMatch(/^dk_test_/);
  for (const { origin } of both) expect((await ask(origin, key, '/me')).status).toBe(200);

  // The database stays as long as one of them needs it.
  expect(await both[0].end('SIGTERM')).toMatchObject({ code: 0 });
  expect((await ask(both[1].origin, key, '/leads')).status).toBe(200);
  expect(await both[1].end('SIGTERM')).toMatchObject({ code: 0 });
  expect(await postgresOf(variables.DATA_DIR)).toBeUndefined();
});
