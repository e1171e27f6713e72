import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testDatabase } from '@dealkeep/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/foundations/database/connect.ts';
import { parseDatabaseAddress, requireOfferedTls } from '../../src/foundations/database/database-address.ts';
import { jobPool } from '../../src/foundations/database/job-pool.ts';

const hostsOf = (text: string) => parseDatabaseAddress(text).hosts.map(({ host, port }) => `${host} ${port}`);

test('one host, several, addresses in brackets and Unix sockets are read', () => {
  expect(hostsOf('postgres://u:p@db.example/crm')).toEqual(['db.example 5432']);
  expect(hostsOf('postgresql://u:p@one:5433,two,[::1]:5434/crm')).toEqual([
    'one 5433',
    'two 5432',
    '::1 5434',
  ]);
  expect(hostsOf('postgres://u@%2Fvar%2Frun%2Fpostgresql/crm')).toEqual(['/var/run/postgresql 5432']);
  expect(hostsOf('postgres:///crm?host=/var/run/postgresql&port=5433')).toEqual(['/var/run/postgresql 5433']);
  expect(hostsOf('postgres://u@/crm?host=one,two&port=5433,5434')).toEqual(['one 5433', 'two 5434']);
  expect(hostsOf('postgres:///crm')).toEqual(['localhost 5432']);
});

test('user, password, database and parameters are read as they were meant', () => {
  expect(
    parseDatabaseAddress('postgres://j%40na:p%2F%40:x@db:1/c%20m?sslmode=require&prepare=false'),
  ).toMatchObject({
    user: 'j@na',
    password: 'p/@:x',
    database: 'c m',
    sslMode: 'require',
    prepare: false,
    settings: {},
  });
  expect(
    parseDatabaseAddress(
      'postgres://one,two/crm?target_session_attrs=read-write&channel_binding=require&work_mem=8MB',
    ),
  ).toMatchObject({
    user: undefined,
    password: undefined,
    sslMode: 'disable',
    prepare: true,
    settings: { work_mem: '8MB' },
  });
});

test.each([
  [
    'postgres://u:hidden@db/crm?sslmode=on',
    /disable, allow, prefer, require, verify-ca, verify-full, not "on"/,
  ],
  ['postgres://u:hidden@db/crm?sslmode=verify_full', /verify-full, not "verify_full"/],
  ['postgres://u:hidden@db/crm?target_session_attrs=standby', /read-write, primary, not "standby"/],
  ['postgres://u:hidden@db:70000/crm', /ports from 1 to 65535/],
  ['postgres://u:hidden@db:5432:1/crm', /an address such as/],
  ['postgres://u:100%hidden@db/crm', /% is %25/],
  ['mysql://u:hidden@db/crm', /an address such as/],
])('%s is refused with what is accepted, and no secret', (text, accepted) => {
  expect(() => parseDatabaseAddress(text)).toThrow(accepted);
  expect(() => parseDatabaseAddress(text)).not.toThrow(/hidden/);
});

describe('of several hosts', () => {
  const withDeadHost = (url: string): string =>
    url.replace(/@[^/]+/, (server) => `@127.0.0.1:1,${server.slice(1)}`);

  test('the one that answers is used, by statements and the queue of jobs', async () => {
    const { url } = await testDatabase();
    const several = withDeadHost(url);
    const sql = connect(several, { connections: 3, name: 'test' });
    onTestFinished(() => sql.end());
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((each) => sql`select ${each}::integer as n`));
    expect(answers.map(([row]) => row?.['n'])).toEqual([1, 2, 3, 4, 5, 6]);
    const jobs = await jobPool(several, 1);
    onTestFinished(() => jobs.end());
    expect((await jobs.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
  });

  test('where none answers, whoever waits is told what the last one said', async () => {
    const dead = 'postgres://u:p@127.0.0.1:1,127.0.0.1:2/crm';
    const limits = { statementMs: 500, answerMs: 1000, connectMs: 500 };
    const sql = connect(dead, { connections: 1, name: 'test', limits });
    onTestFinished(() => sql.end({ timeout: 0 }));
    await expect(sql`select 1`).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(jobPool(dead, 1)).rejects.toThrow(/ECONNREFUSED/);
  });
});

test('a Unix socket is used, in front or as ?host=', async () => {
  // As PostgreSQL's own, led to the server of the tests.
  const { url } = await testDatabase();
  const target = new URL(url);
  const folder = await mkdtemp(join(tmpdir(), 'dealkeep-socket-'));
  const server = createServer((socket) => {
    const other = createConnection(Number(target.port), target.hostname);
    socket.pipe(other).pipe(socket);
    for (const each of [socket, other]) each.on('error', () => socket.destroy());
  }).listen(join(folder, '.s.PGSQL.5432'));
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  const login = `${target.username}:${target.password}`;
  for (const address of [
    `postgres://${login}@${encodeURIComponent(folder)}${target.pathname}`,
    `postgres://${login}@${target.pathname}?host=${folder}`,
  ]) {
    const sql = connect(address, { connections: 1, name: 'test' });
    expect(await sql`select 1 as n`).toEqual([{ n: 1 }]);
    await sql.end();
    const jobs = await jobPool(address, 1);
    expect((await jobs.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
    await jobs.end();
  }
});

test('a server without TLS is told where the address asks for it, and does where it only prefers it', async () => {
  const { url } = await testDatabase();
  for (const mode of ['require', 'verify-ca', 'verify-full']) {
    await expect(requireOfferedTls(`${url}?sslmode=${mode}`)).rejects.toThrow(
      `sslmode=${mode} asks for encryption (TLS), which the server at 127.0.0.1:`,
    );
  }
  for (const mode of ['disable', 'allow', 'prefer']) {
    await requireOfferedTls(`${url}?sslmode=${mode}`);
    const sql = connect(`${url}?sslmode=${mode}`, { connections: 1, name: 'test' });
    expect(await sql`select 1 as n`).toEqual([{ n: 1 }]);
    await sql.end();
    const jobs = await jobPool(`${url}?sslmode=${mode}`, 1);
    expect((await jobs.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
    await jobs.end();
  }
});

test('each of several hosts is asked once for a statement, which fails with what the last of them did', async () => {
  let calls = 0;
  const hosts = await Promise.all(
    [1, 2].map(async () => {
      const server = createServer((socket) => {
        calls += 1;
        socket.end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(async () => void server.close());
      return `127.0.0.1:${(server.address() as AddressInfo).port}`;
    }),
  );
  const sql = connect(`postgres://u:p@${hosts.join(',')}/crm`, { connections: 1, name: 'test' });
  onTestFinished(() => sql.end({ timeout: 0 }));
  await expect(sql`select 1`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  expect(calls).toBe(2);
});
