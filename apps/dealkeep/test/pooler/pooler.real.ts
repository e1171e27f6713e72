import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect } from '@dealkeep/core/foundations';
import { eventually, testDatabase } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { ask, dealkeep, oneLine, result, startCommandHere, startReady } from '../program.ts';
import { startDebianPostgres } from '../servers/debian-postgres.ts';
import { startPgBouncer } from '../servers/pgbouncer.ts';

const secrets = { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'), WEBHOOK_ALLOWED_TARGETS: '127.0.0.1' };

const withoutPreparing = (url: string): string => `${url}?prepare=false`;

async function organization(variables: Record<string, string>): Promise<string> {
  await result(['organizations', 'create', '--name', 'Own', '--slug', 'own'], variables);
  const owner = [
    '--name',
    'Jana',
    '--email',
    'jana@own.example',
    '--role',
    'owner',
    '--password',
    'correct horse',
  ];
  await result(['users', 'create', '--organization', 'own', ...owner], variables);
  const key = ['--organization', 'own', '--name', 'Key', '--preset', 'automation'];
  return (await result<{ token: string }>(['keys', 'create', ...key], variables)).token;
}

async function create(origin: string, token: string, path: string, body: object): Promise<{ id: string }> {
  const answer = await ask(origin, token, path, { method: 'POST', body: JSON.stringify(body) });
  const { data }: { data: { id: string } } = JSON.parse(await answer.text());
  return data;
}

async function startReceiver(): Promise<{ url: string; ids: () => string[] }> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, ids: () => bodies.map((body) => JSON.parse(body).data.id) };
}

test('behind a pooler in transaction mode, a start that would prepare statements is refused in one line (rule operator 12)', async () => {
  const { url } = await testDatabase();
  const { url: through } = await startPgBouncer(url);
  for (const args of [['start'], ['organizations', 'list']]) {
    const refused = await dealkeep(args, { ...secrets, DATABASE_URL: through, PORT: '0' });
    expect(refused.code).toBe(78);
    expect(refused.stderr).toMatch(oneLine);
    expect(refused.stderr).toContain('?prepare=false');
  }
});

test('a worker that would listen through one is refused in one line, and migrations are', async () => {
  const { url } = await testDatabase();
  const through = withoutPreparing((await startPgBouncer(url)).url);
  for (const variables of [
    { ROLES: 'worker', DATABASE_URL: through },
    { ROLES: 'worker', DATABASE_URL: through, DATABASE_DIRECT_URL: through },
  ]) {
    const refused = await dealkeep(['start'], { ...secrets, PORT: '0', ...variables });
    expect(refused.code).toBe(78);
    expect(refused.stderr).toMatch(oneLine);
    expect(refused.stderr).toContain('DATABASE_DIRECT_URL');
  }
  const migration = await dealkeep(['migrate'], { ...secrets, DATABASE_URL: through });
  expect([migration.code, migration.stderr]).toEqual([78, expect.stringContaining('DATABASE_DIRECT_URL')]);
});

test('a role that finds another schema first is refused through one, with the mend', async () => {
  const { url, sql } = await testDatabase();
  const role = decodeURIComponent(new URL(url).username);
  await sql.unsafe(`create schema "${role}" authorization "${role}"`);
  const through = withoutPreparing((await startPgBouncer(url)).url);
  const refused = await dealkeep(['organizations', 'list'], { ...secrets, DATABASE_URL: through });
  expect([refused.code, refused.stderr]).toEqual([78, expect.stringMatching(oneLine)]);
  expect(refused.stderr).toContain('set search_path = public');
});

test.each(['transaction', 'session'] as const)(
  'API, console and worker run with DATABASE_URL through PgBouncer in %s mode and DATABASE_DIRECT_URL beside it',
  async (mode) => {
    const { url, sql } = await testDatabase();
    const variables = {
      ...secrets,
      DATABASE_URL: withoutPreparing((await startPgBouncer(url, mode)).url),
      DATABASE_DIRECT_URL: url,
    };
    // Session mode keeps a connection of the server for each of the program's.
    const pool = { DATABASE_POOL: mode === 'session' ? '2' : '10' };
    const token = await organization(variables);
    await result(
      [
        'organizations',
        'update',
        'own',
        '--requests-per-minute',
        '100000',
        '--org-requests-per-minute',
        '100000',
      ],
      variables,
    );
    const { origin, end } = await startReady({ ...variables, ...pool });
    const receiver = await startReceiver();
    const hook = JSON.stringify({ target_url: receiver.url, events: ['lead.created'] });
    expect((await ask(origin, token, '/webhooks', { method: 'POST', body: hook })).status).toBe(201);

    const made = await Promise.all(
      Array.from({ length: 60 }, async (_, at) => {
        const company = { name: `Company ${at}`, email: `c${at}@example.com` };
        const { id } = await create(origin, token, '/companies', company);
        const lead = await create(origin, token, '/leads', { name: `Lead ${at}`, company_id: id });
        expect(await (await ask(origin, token, `/leads/${lead.id}`)).json()).toEqual({ data: lead });
        return lead.id;
      }),
    );
    await eventually(() => expect(new Set(receiver.ids())).toEqual(new Set(made)));
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);

    // What a transaction is given holds inside of it, and is nobody else's afterwards.
    const held = await sql`
      select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;
    expect(held).toHaveLength(0);
    expect((await end('SIGTERM')).code).toBe(0);
  },
);

test('a start behind a pooler waits for a PostgreSQL that is down, and a command ends with 1 (rule operator 7)', async () => {
  const server = await startDebianPostgres();
  const address = new URL(server.url);
  address.pathname = '/dealkeep';
  const admin = connect(server.url, { connections: 1, name: 'test' });
  await admin`create database dealkeep`;
  await admin.end();
  await result(['migrate'], { ...secrets, DATABASE_URL: address.href });
  const pooler = await startPgBouncer(address.href);
  await server.stop();
  for (const DATABASE_URL of [withoutPreparing(pooler.url), pooler.url]) {
    const command = await dealkeep(['organizations', 'list'], { ...secrets, DATABASE_URL });
    expect([command.code, command.stderr]).toEqual([1, expect.stringMatching(oneLine)]);
    expect(command.stderr).toContain('cannot be used now');
  }
  // Asked once before: by now the pooler says in other words that it has no connection.
  const variables = { ...secrets, DATABASE_URL: withoutPreparing(pooler.url), ROLES: 'api' };
  const starting = startCommandHere(['start'], { ...variables, PORT: '0' });
  await starting.says(/Waiting for the database/);
  await server.start();
  await starting.says(/Dealkeep is ready/);
  expect(await starting.end('SIGTERM')).toMatchObject({ code: 0 });

  const wrong = new URL(pooler.url);
  wrong.password = 'wrong';
  const refused = await dealkeep(['start'], { ...variables, DATABASE_URL: withoutPreparing(wrong.href) });
  expect([refused.code, refused.stderr]).toEqual([78, expect.stringMatching(oneLine)]);
});

test('doctor sees a pooler in transaction mode, and what it keeps from working', async () => {
  const { url } = await testDatabase();
  const through = withoutPreparing((await startPgBouncer(url)).url);
  const poolerOf = async (variables: Record<string, string>) => {
    const { stdout } = await dealkeep(['doctor', '--json'], { ...secrets, PORT: '0', ...variables });
    const findings: { check: string; state: string; mend?: string }[] = JSON.parse(stdout);
    return findings.find(({ check }) => check === 'Pooler');
  };
  expect(await poolerOf({ DATABASE_URL: url })).toMatchObject({ state: 'ok' });
  const mend = expect.stringContaining('DATABASE_DIRECT_URL');
  expect(await poolerOf({ DATABASE_URL: through })).toMatchObject({ state: 'failed', mend });
  expect(await poolerOf({ DATABASE_URL: through, ROLES: 'api' })).toMatchObject({ state: 'warning', mend });
  expect(await poolerOf({ DATABASE_URL: through, DATABASE_DIRECT_URL: url })).toMatchObject({ state: 'ok' });
});
