import { execFileSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { expect, test } from 'vitest';
import { ask, postgresOf, result, startReady, startReadyHere, usedData } from './program.ts';

test('after a kill -9 the next start finds the data within seconds', async () => {
  const { dataDir, key } = await usedData();
  const killed = await startReady({ DATA_DIR: dataDir });
  const made = await ask(killed.origin, key, '/leads', {
    method: 'POST',
    body: '{"name":"Before the kill"}',
  });
  expect(made.status).toBe(201);
  await killed.end('SIGKILL');

  const next = await startReadyHere({ DATA_DIR: dataDir, PORT: killed.port });
  // Neither for the port, nor for the database that the killed one has left.
  expect(next.heard().stdout).not.toContain('Waiting');
  const found = await ask(next.origin, key, '/leads?q=before%20the%20kill');
  expect(await found.json()).toMatchObject({ data: [{ name: 'Before the kill' }] });
  await next.end('SIGTERM');
  expect(await postgresOf(dataDir)).toBeUndefined();
});

test('under the Node of this machine, too, every signal ends everything with 0, and kill -9 frees the port', async () => {
  const { dataDir } = await usedData();
  const variables = { DATA_DIR: dataDir, PATH: pathWithoutPackages() };
  const node = execFileSync('sh', ['-c', 'command -v node'], { env: variables }).toString().trim();
  const killed = await startReady(variables, { node });
  await killed.end('SIGKILL');
  // What it has started ends in order, and with it the database.
  await expect.poll(() => postgresOf(dataDir)).toBeUndefined();

  for (const signal of ['SIGINT', 'SIGHUP'] as const) {
    const program = await startReady({ ...variables, PORT: killed.port }, { node });
    expect(await program.end(signal)).toMatchObject({ code: 0, stderr: '' });
    expect(await postgresOf(dataDir)).toBeUndefined();
  }
});

/** npm puts the Node that Dealkeep brings along in front; here the one that operators type is meant. */
const pathWithoutPackages = (): string =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);

test('when the embedded database ends by itself, the program says so and ends with 1', async () => {
  const { dataDir } = await usedData();
  const program = await startReadyHere({ DATA_DIR: dataDir });
  process.kill((await postgresOf(dataDir)) ?? Number.NaN, 'SIGKILL');
  const { code, stdout } = await program.ended;
  expect(code).toBe(1);
  expect(stdout).toContain('The embedded PostgreSQL ended by itself');
});

test('commands work while no server runs, also two at once, and leave none running', async () => {
  const { dataDir } = await usedData();
  const variables = { DATA_DIR: dataDir };
  const create = (slug: string) =>
    result(['organizations', 'create', '--name', `The ${slug}`, '--slug', slug], variables);
  expect(await Promise.all([create('first'), create('second')])).toHaveLength(2);
  expect(await result<object[]>(['organizations', 'list'], variables)).toHaveLength(3);
  expect(await postgresOf(dataDir)).toBeUndefined();
});
