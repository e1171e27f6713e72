import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { placeOfSecret } from '@dealkeep/core/delivering';
import { connect, Secrets } from '@dealkeep/core/foundations';
import { testDatabase } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { connectionsOf } from '../src/connections-of.ts';
import { examine } from '../src/doctor/examine.ts';
import type { Finding } from '../src/doctor/finding.ts';
import { answering, makeDueDelivery, noteProcess } from './doctor-seeds.ts';
import {
  dealkeep,
  makeOrganization,
  ownDatabase,
  ownFolder,
  result,
  startReadyHere,
  takenPort,
} from './program.ts';

const stateOf = (findings: readonly Finding[], check: string): Finding => {
  const found = findings.find((each) => each.check === check);
  if (!found) throw new Error(`Nothing was said about ${check}`);
  return found;
};

test('where all is well, every check says so and what the server does (rule operator 32)', async () => {
  const variables = await ownDatabase();
  await makeOrganization(variables);
  const { port } = await startReadyHere({ ...variables, ROLES: 'api' });
  const findings = await result<Finding[]>(['doctor'], { ...variables, PORT: port, ROLES: 'api' });
  for (const check of [
    'Configuration',
    'Address',
    'Database',
    'Clock',
    'Migrations',
    'Organizations',
    'Secrets',
    'Allowed targets',
  ]) {
    expect(stateOf(findings, check)).toMatchObject({ state: 'ok' });
  }
  expect(stateOf(findings, 'Server').finding).toContain('it runs');
  expect(
    findings.every(({ state, mend }) => state === 'ok' || mend),
    'whatever is not, has a mend',
  ).toBe(true);
});

test('what failed ends it with 1, in readable lines', async () => {
  const { code, stdout, stderr } = await dealkeep(['doctor'], { ENVIRONMENT: 'production' });
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toMatch(/^FAIL {2}Configuration: ENVIRONMENT takes one of live, test, .*\n {8}\S.*\n$/);
});

test('nothing is made where there is nothing yet (rule operator 32)', async () => {
  const dataDir = join(await ownFolder(), 'none');
  const findings = await examine({ DATA_DIR: dataDir, PORT: '0' });
  expect(stateOf(findings, 'Database')).toMatchObject({
    state: 'ok',
    finding: expect.stringContaining('yet'),
  });
  await expect(writeFile(join(dataDir, 'probe'), ''), 'the folder is still missing').rejects.toThrow(
    /ENOENT/,
  );
});

test('a database that cannot be reached, or has a wrong password, is a failure with a mend (rule operator 32)', async () => {
  const { DATABASE_URL, SECRETS_KEY } = await ownDatabase();
  const wrong = new URL(DATABASE_URL);
  wrong.password = 'wrong';
  for (const url of ['postgres://dealkeep@127.0.0.1:1/none', wrong.href]) {
    const database = stateOf(await examine({ DATABASE_URL: url, SECRETS_KEY, PORT: '0' }), 'Database');
    expect(database).toMatchObject({ state: 'failed', mend: expect.stringContaining('DATABASE_URL') });
  }
});

test('pending migrations are a failure where a start refuses, and a warning where it makes them', async () => {
  const { url, sql } = await testDatabase();
  await sql`delete from migrations where name = (select max(name) from migrations)`;
  const variables = { DATABASE_URL: url, SECRETS_KEY: randomBytes(32).toString('base64'), PORT: '0' };
  const refusing = stateOf(await examine(variables), 'Migrations');
  expect(refusing).toMatchObject({ state: 'failed', mend: expect.stringContaining('MIGRATE=true') });
  const migrating = stateOf(await examine({ ...variables, MIGRATE: 'true' }), 'Migrations');
  expect(migrating).toMatchObject({ state: 'warning', mend: expect.stringContaining('start') });
});

test('a SECRETS_KEY that does not fit the stored secrets is a failure', async () => {
  const variables = await ownDatabase();
  const { id } = await makeOrganization(variables);
  const other = randomBytes(32);
  const webhook = randomUUID();
  const sealed = new Secrets([other]).encrypt('whsec_', placeOfSecret({ organization_id: id, id: webhook }));
  const sql = connect(variables.DATABASE_URL, { connections: 1, name: 'test' });
  await sql`
    insert into webhooks (organization_id, id, target_url, events, secret, created_at)
    values (${id}, ${webhook}, 'https://example.com/', '{lead.created}', ${sealed}, now())`;
  await sql.end();
  expect(stateOf(await examine({ ...variables, PORT: '0' }), 'Secrets')).toMatchObject({ state: 'failed' });
  const rotated = {
    ...variables,
    SECRETS_KEY: `${variables.SECRETS_KEY},${other.toString('base64')}`,
    PORT: '0',
  };
  expect(stateOf(await examine(rotated), 'Secrets')).toMatchObject({ state: 'ok' });
});

// Too long for a name, so that no resolver is asked.
const unresolvable = `${'long'.repeat(16)}.example`;

test('a port that another program uses, an open address and a target without an address are told', async () => {
  const findings = await examine({
    DATA_DIR: join(await ownFolder(), 'none'),
    PORT: await takenPort(),
    ORIGIN: 'http://crm.example.com',
    WEBHOOK_ALLOWED_TARGETS: `10.0.0.0/8,127.0.0.1,localhost:8080,${unresolvable}`,
  });
  expect(stateOf(findings, 'Server')).toMatchObject({ state: 'failed' });
  expect(stateOf(findings, 'Address')).toMatchObject({
    state: 'warning',
    mend: expect.stringContaining('ORIGIN'),
  });
  const targets = stateOf(findings, 'Allowed targets');
  expect(targets).toMatchObject({
    state: 'warning',
    finding: expect.stringContaining(unresolvable),
  });
  expect(targets.finding).not.toContain('localhost');
});

test('the mail server is tried, without a mail: where it is away or refuses us, that is said with a mend', async () => {
  const DATA_DIR = join(await ownFolder(), 'none');
  const mailWith = async (port: number | string) => {
    const MAIL_FROM = 'crm@example.com';
    const SMTP_URL = `smtp://user:hidden@127.0.0.1:${port}`;
    return stateOf(await examine({ DATA_DIR, PORT: '0', SMTP_URL, MAIL_FROM }), 'Mail');
  };
  const smtp = (auth: string) => (said: string) => {
    if (/^EHLO/i.test(said)) return '250-mail.example\r\n250 AUTH PLAIN\r\n';
    if (/^AUTH/i.test(said)) return auth;
    return /^QUIT/i.test(said) ? '221 bye\r\n' : '250 ok\r\n';
  };
  const greeting = '220 mail.example ESMTP\r\n';
  const good = await mailWith(await answering(smtp('235 welcome\r\n'), greeting));
  expect(good).toMatchObject({ state: 'ok' });
  const refused = await mailWith(await answering(smtp('535 not you\r\n'), greeting));
  expect(refused).toMatchObject({ state: 'failed', mend: expect.stringContaining('SMTP_URL') });
  expect(refused.finding).toContain('535 not you');
  const away = await mailWith(1);
  expect(away).toMatchObject({ state: 'failed', finding: expect.stringContaining('ECONNREFUSED') });
  expect(JSON.stringify([good, refused, away])).not.toContain('hidden');
  expect(stateOf(await examine({ DATA_DIR, PORT: '0' }), 'Mail').state).toBe('ok');
});

test('the outbound proxy is asked for a connection: one that wants a password, or is away, is told', async () => {
  const DATA_DIR = join(await ownFolder(), 'none');
  const through = async (port: number) =>
    stateOf(
      await examine({ DATA_DIR, PORT: '0', OUTBOUND_PROXY: `http://user:hidden@127.0.0.1:${port}` }),
      'Outbound proxy',
    );
  expect(await through(await answering(() => 'HTTP/1.1 200 OK\r\n\r\n'))).toMatchObject({ state: 'ok' });
  // It has tried: that nobody answers there is not its fault.
  expect(await through(await answering(() => 'HTTP/1.1 502 Bad\r\n\r\n'))).toMatchObject({ state: 'ok' });
  const refused = await through(await answering(() => 'HTTP/1.1 407 No\r\n\r\n'));
  expect(refused).toMatchObject({ state: 'failed', finding: expect.stringContaining('407') });
  expect(refused.mend).toContain('OUTBOUND_PROXY');
  const away = await through(1);
  expect(away).toMatchObject({ state: 'failed' });
  expect(JSON.stringify([refused, away])).not.toContain('hidden');
});

test('the documented setup of several processes is not warned of: two roles, three API processes and two workers behind a pooler (rule operator 32)', async () => {
  const documented = (file: string) =>
    readFile(new URL(`../../../docs/scaling/${file}`, import.meta.url), 'utf8');
  const { DATABASE_URL = '' } = parseEnv(await documented('dealkeep.env'));
  const [, poolSize] = /^default_pool_size = (\d+)$/m.exec(await documented('pgbouncer.ini')) ?? [];
  const { url, ownerUrl } = await testDatabase();
  const pooled = new URL(url);
  pooled.search = new URL(DATABASE_URL).search;
  const variables = {
    DATABASE_URL: pooled.href,
    DATABASE_DIRECT_URL: url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
  };
  await makeOrganization(variables);
  const { port } = await startReadyHere({ ...variables, ROLES: 'api,console' });
  const sql = connect(url, { connections: 1, name: 'test' });
  onTestFinished(() => sql.end());
  const [api] = await sql<{ version: string; secrets_key: string; connections: number }[]>`
    select version, secrets_key, connections from processes`;
  if (!api) throw new Error('The process did not note itself');
  const noted = { version: api.version, secretsKey: api.secrets_key };
  for (const host of ['a', 'b']) {
    await noteProcess(sql, { ...noted, host, roles: ['api', 'console'], connections: api.connections });
    const roles = new Set(['worker'] as const);
    const connections = connectionsOf({ databaseUrl: pooled.href, databasePool: 10, roles });
    await noteProcess(sql, { ...noted, host, roles: [...roles], connections });
  }
  const [all] = await sql<{ connections: number }[]>`
    select sum(connections)::integer as connections from processes`;
  // PostgreSQL keeps three of its hundred for administrators.
  expect((all?.connections ?? 0) + Number(poolSize), 'as docs/scaling.md says').toBe(51);

  for (const own of [{}, { DATABASE_POOL: '400' }, { DATABASE_OWNER_URL: ownerUrl }]) {
    const findings = await examine({ ...variables, ROLES: 'api,console', PORT: String(port), ...own });
    // The server of the tests is not durable, and the machine may know no public names.
    const warned = findings.filter(
      ({ check, state }) => state !== 'ok' && check !== 'Durability' && check !== 'DNS',
    );
    expect(warned).toEqual([]);
  }
});

test('processes of other machines, an absent worker, an old queue, held deliveries and scarce connections are seen in the database', async () => {
  const variables = await ownDatabase();
  const sql = connect(variables.DATABASE_URL, { connections: 1, name: 'test' });
  onTestFinished(() => sql.end());
  const look = async () => {
    const findings = await examine({ ...variables, PORT: '0', ROLES: 'api' });
    return (check: string) => stateOf(findings, check);
  };
  const nothing = await look();
  expect(nothing('Worker')).toMatchObject({ state: 'ok', finding: expect.stringContaining('nothing waits') });

  await noteProcess(sql, { host: 'container-a', roles: ['api', 'console'] });
  expect((await look())('Worker')).toMatchObject({
    state: 'warning',
    mend: expect.stringContaining('ROLES=worker'),
  });
  const { id } = await makeOrganization(variables);
  const webhook = await makeDueDelivery(sql, id);
  const waiting = await look();
  expect(waiting('Worker')).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining('1 deliveries'),
  });
  expect(waiting('Queue')).toMatchObject({ state: 'warning', mend: expect.any(String) });
  expect(waiting('Queue').finding).toMatch(/oldest due delivery waits for 6\d\d s/);

  await noteProcess(sql, {
    host: 'container-b',
    roles: ['worker'],
    held: true,
    version: '2',
    connections: 100_000,
  });
  const seen = await look();
  expect(seen('Worker')).toMatchObject({
    state: 'ok',
    finding: expect.stringContaining('worker on container-b'),
  });
  expect(seen('Queue')).toMatchObject({
    state: 'warning',
    finding: expect.stringContaining('DELIVERIES=held'),
  });
  expect(seen('Processes')).toMatchObject({
    state: 'warning',
    finding: expect.stringContaining('of versions 1, 2'),
  });
  expect(seen('Connections')).toMatchObject({
    state: 'warning',
    mend: expect.stringContaining('DATABASE_POOL'),
  });

  expect(seen('Paused')).toMatchObject({ state: 'ok' });
  expect(seen('Jobs')).toMatchObject({ state: 'ok' });
  await sql`insert into queue_pauses (organization_id, reason) values (${id}, 'Unpaid')`;
  await sql`insert into queue_pauses (organization_id, webhook_id) values (${id}, ${webhook})`;
  expect((await look())('Paused')).toMatchObject({
    state: 'ok',
    finding: expect.stringMatching(/organization own since .* \(Unpaid\); webhook .*: 1 due deliveries/),
  });
  await sql`update queue_pauses set paused_at = now() - interval '25 hours' where webhook_id is null`;
  await sql`select graphile_worker.add_job('deliver', job_key => 'deliver/1', max_attempts => 1)`;
  await sql`select graphile_worker.add_job('deliver', job_key => 'deliver/2')`;
  await sql`
    update graphile_worker._private_jobs
    set attempts = case key when 'deliver/1' then 1 else 0 end, last_error = case key when 'deliver/1' then 'Boom' end,
        locked_by = case key when 'deliver/2' then 'the dead' end,
        locked_at = case key when 'deliver/2' then now() end
    where key like 'deliver/%'`;
  const troubled = await look();
  expect(troubled('Paused')).toMatchObject({
    state: 'warning',
    finding: expect.stringMatching(/^for more than a day: organization own since .* \(Unpaid\); 1 due/),
    mend: expect.stringContaining('queue resume --organization own'),
  });
  expect(troubled('Jobs')).toMatchObject({
    state: 'warning',
    finding: expect.stringMatching(
      /; 1 are in the hands of workers that are dead; 1 of deliver failed for good \(Boom\)$/,
    ),
  });

  // Whoever has not shown itself for long is none.
  await sql`update processes set seen_at = now() - interval '1 hour'`;
  await sql`update installation set deliveries_paused_at = now(), environment = 'test'`;
  const gone = await look();
  expect(gone('Processes').finding).toBe('none runs');
  expect(gone('Connections').state).toBe('ok');
  expect(gone('Queue')).toMatchObject({ state: 'warning', mend: expect.stringContaining('queue resume') });
  expect(gone('Environment')).toMatchObject({
    state: 'failed',
    mend: expect.stringContaining('ENVIRONMENT=test'),
  });
});
