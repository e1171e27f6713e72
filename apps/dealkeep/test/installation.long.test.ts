import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { connect } from '@dealkeep/core/foundations';
import { expect, onTestFinished, test } from 'vitest';
import { examine } from '../src/doctor/examine.ts';
import {
  ask,
  dealkeep,
  makeOrganization,
  oneLine,
  ownDatabase,
  result,
  startReadyHere,
  usedData,
  type Variables,
} from './program.ts';

/** The end of a start that is to be refused because of a variable. */
async function refused(variables: Variables, variable: string) {
  const { code, stderr } = await dealkeep(['start'], { PORT: '0', ROLES: 'api', ...variables });
  expect({ code, stderr }).toEqual({ code: 78, stderr: expect.stringMatching(oneLine) });
  expect(stderr).toMatch(new RegExp(`^${variable} `));
  return stderr;
}

test('no secrets-key is generated beside an embedded database that needs the one that was lost', async () => {
  const { dataDir } = await usedData();
  await rm(join(dataDir, 'secrets-key'));
  expect(await refused({ DATA_DIR: dataDir, ROLES: undefined }, 'DATA_DIR')).toContain(
    'restore it from a backup',
  );
  const ofSecrets = async () =>
    (await examine({ DATA_DIR: dataDir, PORT: '0' })).find(({ check }) => check === 'Secrets');
  expect(await ofSecrets(), 'what doctor says of it').toMatchObject({
    state: 'failed',
    finding: expect.stringContaining('a start refuses'),
    mend: expect.stringContaining('restore DATA_DIR/secrets-key'),
  });
  expect(await result(['secrets', 'forget'], { DATA_DIR: dataDir })).toMatchObject({
    forgotten: [expect.any(String)],
  });
  expect(await ofSecrets()).toMatchObject({ state: 'ok' });
  await (await startReadyHere({ DATA_DIR: dataDir })).end('SIGTERM');
});

test('with DELIVERIES=held a start sends nothing; the next one without it does', async () => {
  const variables = { ...(await ownDatabase()), WEBHOOK_ALLOWED_TARGETS: '127.0.0.1' };
  const { token } = (await makeOrganization(variables)).key;
  const requests: string[] = [];
  const receiver = createServer((request, response) => {
    requests.push(String(request.headers['x-service-attempt']));
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void receiver.close());
  await once(receiver, 'listening');
  const address = receiver.address();
  const target_url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
  const sql = connect(variables.DATABASE_URL, { connections: 1, name: 'test' });
  onTestFinished(() => sql.end());

  const held = await startReadyHere({ ...variables, DELIVERIES: 'held' });
  expect(held.heard().stdout).toContain('DELIVERIES=held');
  const post = (path: string, body: object) =>
    ask(held.origin, token, path, { method: 'POST', body: JSON.stringify(body) });
  expect((await post('/webhooks', { target_url, events: ['lead.created'] })).status).toBe(201);
  expect((await post('/leads', { name: 'Lead' })).status).toBe(201);
  const ready = await fetch(`${held.origin}/readyz`);
  expect(await ready.json()).toEqual({ status: 'ready', deliveries: 'held' });
  const [row] = await sql<{ now: string }[]>`select clock_timestamp()::timestamptz(3) as now`;
  // The worker works, and has looked around since.
  await expect.poll(() => sql`select from workers where seen_at > ${row?.now ?? ''}`).toHaveLength(1);
  expect(await sql`select attempts, worker_id from deliveries`).toEqual([{ attempts: 0, worker_id: null }]);
  await held.end('SIGTERM');
  expect(requests).toEqual([]);
  await startReadyHere(variables);
  await expect.poll(() => requests).toEqual(['1']);
});
