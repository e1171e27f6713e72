import { randomBytes } from 'node:crypto';
import { connect } from '@dealkeep/core/foundations';
import { expect, test } from 'vitest';
import {
  ask,
  dealkeep,
  makeOrganization,
  oneLine,
  ownDatabase,
  result,
  startReadyHere,
  type Variables,
} from './program.ts';

const newKey = (): string => randomBytes(32).toString('base64');

/** The end of a start that is to be refused because of a variable. */
async function refused(variables: Variables, variable: string) {
  const { code, stderr } = await dealkeep(['start'], { PORT: '0', ROLES: 'api', ...variables });
  expect({ code, stderr }).toEqual({ code: 78, stderr: expect.stringMatching(oneLine) });
  expect(stderr).toMatch(new RegExp(`^${variable} `));
  return stderr;
}

test('ENVIRONMENT=test never starts on a database that has started live, nor does a command (rule test-environment 1)', async () => {
  const variables = await ownDatabase();
  const { token } = (await makeOrganization(variables)).key;
  expect(token).toMatch(/^dk_live_/);
  expect(await refused({ ...variables, ENVIRONMENT: 'test' }, 'ENVIRONMENT')).toContain('takes live here');
  const command = await dealkeep(['organizations', 'list'], { ...variables, ENVIRONMENT: 'test' });
  expect(command).toMatchObject({ code: 78, stdout: '', stderr: expect.stringMatching(/^ENVIRONMENT /) });
  const running = await startReadyHere({ ...variables, ROLES: 'api' });
  expect((await ask(running.origin, token, '/me')).status).toBe(200);
});

test('a test environment stays one, and ENVIRONMENT=live does not start on it', async () => {
  const variables = { ...(await ownDatabase()), ROLES: 'api' };
  const running = await startReadyHere({ ...variables, ENVIRONMENT: 'test' });
  await running.end('SIGTERM');
  expect(await refused(variables, 'ENVIRONMENT')).toContain('takes test here');
  await (await startReadyHere({ ...variables, ENVIRONMENT: 'test' })).end('SIGTERM');
});

test('of a database of before it remembered, ENVIRONMENT=test takes none that was never reset (rule test-environment 1)', async () => {
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
    await (await startReadyHere({ ...variables, ROLES: 'api', ENVIRONMENT: 'test' })).end('SIGTERM');
    expect(await sql`select environment from installation`).toEqual([{ environment: 'test' }]);
  } finally {
    await sql.end();
  }
});

test('a start without the right SECRETS_KEY ends with 78 and one line, and sends nothing (rules operator 6 and 13)', async () => {
  const variables = { ...(await ownDatabase()), ROLES: 'api' };
  await (await startReadyHere(variables)).end('SIGTERM');
  const stderr = await refused({ ...variables, SECRETS_KEY: newKey() }, 'SECRETS_KEY');
  expect(stderr).toContain('fingerprint');
  expect(stderr).not.toContain(variables.SECRETS_KEY);
});

test('a key is rotated while the server runs, retired, and then not needed any more (rule operator 15)', async () => {
  const variables = { ...(await ownDatabase()), ROLES: 'api' };
  const { token } = (await makeOrganization(variables)).key;
  const first = await startReadyHere({ ...variables, WEBHOOK_ALLOWED_TARGETS: '127.0.0.1' });
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
  const second = await startReadyHere(both);
  const told = await dealkeep(['secrets', 'rotate'], both);
  expect(told).toMatchObject({ code: 0, stdout: expect.stringMatching(/take that key out of SECRETS_KEY/) });
  await second.end('SIGTERM');
  await (await startReadyHere({ ...variables, SECRETS_KEY: fresh })).end('SIGTERM');
  await refused(variables, 'SECRETS_KEY');
});
