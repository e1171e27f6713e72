import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { connect } from '@dealkeep/core';
import { expect, onTestFinished, test } from 'vitest';
import { examine } from '../src/doctor/examine.ts';
import {
  ask,
  dealkeep,
  makeOrganization,
  oneLine,
  ownDatabase,
  result,
  startReady,
  usedData,
  type Variables,
} from './program.ts';

const dataOfAFirstStart = usedData();
const newKey = (): string => randomBytes(32).toString('base64');

/** The end of a start that is to be refused because of a variable. */
async function refused(variables: Variables, variable: string) {
  const { code, stderr } = await dealkeep(['start'], { PORT: '0', ROLES: 'api', ...variables });
  expect({ code, stderr }).toEqual({ code: 78, stderr: expect.stringMatching(oneLine) });
  expect(stderr).toMatch(new RegExp(`^${variable} `));
  return stderr;
}

test('ENVIRONMENT=test never starts on a database that has started live, nor does a command', async () => {
  const variables = await ownDatabase();
  const { token } = (await makeOrganization(variables)).key;
  expect(token).toMatch(/^dk_live_/);
  expect(await refused({ ...variables, ENVIRONMENT: 'test' }, 'ENVIRONMENT')).toContain('takes live here');
  const command = await dealkeep(['organizations', 'list'], { ...variables, ENVIRONMENT: 'test' });
  expect(command).toMatchObject({ code: 78, stdout: '', stderr: expect.stringMatching(/^ENVIRONMENT /) });
  const running = await startReady({ ...variables, ROLES: 'api' });
  expect((await ask(running.origin, token, '/me')).status).toBe(200);
});

test('a test environment stays one, and ENVIRONMENT=live does not start on it', async () => {
  const variables = { ...(await ownDatabase()), ROLES: 'api' };
  const running = await startReady({ ...variables, ENVIRONMENT: 'test' });
  await running.end('SIGTERM');
  expect(await refused(variables, 'ENVIRONMENT')).toContain('takes test here');
  await (await startReady({ ...variables, ENVIRONMENT: 'test' })).end('SIGTERM');
});

test('of a database of before it remembered, ENVIRONMENT=test takes none that was never reset', async () => {
  const variables = await ownDatabase();
  await makeOrganization(variables);
  const sql = connect(variables.DATABASE_URL, { connections: 1, name: 'test' });
  try {
    await sql`update installation set environment = null`;
    expect(await refused({ ...variables, ENVIRONMENT: 'test' }, 'ENVIRONMENT')).toContain('takes live here');
    // What the workers of a test environment have left in the queue's tables.
    await sql`
      insert into graphile_worker._private_known_crontabs (identifier, known_since)
      values ('reset_test_environment', now())`;
    await (await startReady({ ...variables, ROLES: 'api', ENVIRONMENT: 'test' })).end('SIGTERM');
    expect(await sql`select environment from installation`).toEqual([{ environment: 'test' }]);
  } finally {
    await sql.end();
  }
});

test('a start without the right SECRETS_KEY ends with 78 and one line, and sends nothing', async () => {
  const variables = { ...(await ownDatabase()), ROLES: 'api' };
  await (await startReady(variables)).end('SIGTERM');
  const stderr = await refused({ ...variables, SECRETS_KEY: newKey() }, 'SECRETS_KEY');
  expect(stderr).toContain('fingerprint');
  expect(stderr).not.toContain(variables.SECRETS_KEY);
});

test('a key is rotated while the server runs, retired, and then not needed any more', async () => {
  const variables = { ...(await ownDatabase()), ROLES: 'api' };
  const { token } = (await makeOrganization(variables)).key;
  const first = await startReady({ ...variables, WEBHOOK_ALLOWED_TARGETS: '127.0.0.1' });
  const body = JSON.stringify({ target_url: 'http://127.0.0.1:9/', events: ['lead.created'] });
  expect((await ask(first.origin, token, '/webhooks', { method: 'POST', body })).status).toBe(201);

  const fresh = newKey();
  const both = { ...variables, SECRETS_KEY: `${fresh},${variables.SECRETS_KEY}` };
  expect(await result(['secrets', 'rotate'], both)).toMatchObject({
    encrypted_anew: { webhooks: 0 },
    retired: [],
    in_use: [{ processes: [{ roles: ['api'] }] }],
  });
  const early = await dealkeep(['secrets', 'rotate'], both);
  expect(early.stdout).toMatch(/^Nothing is encrypted anew yet.*Still encrypting with .*: api on /s);
  await first.end('SIGTERM');
  const second = await startReady(both);
  const told = await dealkeep(['secrets', 'rotate'], both);
  expect(told).toMatchObject({ code: 0, stdout: expect.stringMatching(/take that key out of SECRETS_KEY/) });
  await second.end('SIGTERM');
  await (await startReady({ ...variables, SECRETS_KEY: fresh })).end('SIGTERM');
  await refused(variables, 'SECRETS_KEY');
});

test('no secrets-key is generated beside an embedded database that needs the one that was lost', async () => {
  const { dataDir } = await dataOfAFirstStart();
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
  await (await startReady({ DATA_DIR: dataDir })).end('SIGTERM');
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

  const held = await startReady({ ...variables, DELIVERIES: 'held' });
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
  await startReady(variables);
  await expect.poll(() => requests).toEqual(['1']);
});
