import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  ask,
  dealkeep,
  makeOrganization,
  oneLine,
  ownDatabase,
  password,
  result,
  startCommandHere,
  startReadyHere,
} from './program.ts';

test('an API and a worker on one database: a key revoked by a command is refused from the next request on, and all end cleanly (rule operator 8)', async () => {
  const variables = await ownDatabase();
  const [api, worker, console] = await Promise.all([
    startReadyHere({ ...variables, ROLES: 'api' }),
    startReadyHere({ ...variables, ROLES: ' worker ' }),
    startReadyHere({ ...variables, ROLES: 'console' }),
  ]);
  expect(worker.origin, 'a worker does not listen').toBe('');
  const reached = (path: string) =>
    Promise.all(
      [api, console].map(async ({ origin }) => (await fetch(origin + path, { redirect: 'manual' })).status),
    );
  expect(await reached('/healthz')).toEqual([200, 200]);
  expect(await reached('/sign-in'), 'only the console has pages for people').toEqual([404, 200]);
  expect(await reached('/api/v1/public/me'), 'only the API has operations').toEqual([401, 404]);

  const { id, token } = (await makeOrganization(variables)).key;
  expect((await ask(api.origin, token, '/me')).status).toBe(200);
  expect(await result(['keys', 'revoke', id], variables)).toMatchObject({
    id,
    revoked_at: expect.any(String),
  });
  expect((await ask(api.origin, token, '/me')).status).toBe(401);

  for (const each of [worker, console, api])
    expect(await each.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
});

test('the log is JSON lines in which no key, secret or password ever stands, and SIGTERM lets a request finish (rules operator 16 and 20)', async () => {
  const variables = await ownDatabase();
  const { token } = (await makeOrganization(variables)).key;
  const program = await startReadyHere({
    ...variables,
    LOG_LEVEL: 'trace',
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.1',
  });
  const body = JSON.stringify({ target_url: 'http://127.0.0.1:9/', events: ['lead.created'] });
  const hook = await (await ask(program.origin, token, '/webhooks', { method: 'POST', body })).json();
  expect(hook).toMatchObject({ data: { secret: expect.stringMatching(/^whsec_/) } });
  await ask(program.origin, 'dk_live_wrong', '/me');
  await ask(program.origin, token, '/leads', { method: 'POST', body: '{' });

  const { end, answer } = await halfSent(program.port, token, '{"name":"Half sent"}');
  const ended = program.end('SIGTERM');
  await program.says(/Stopping/);
  await expect(fetch(`${program.origin}/healthz`), 'nothing new is taken').rejects.toThrow();
  end();
  const { code, stdout, stderr } = await ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(answer()).toContain('201 Created');

  for (const line of stdout.trimEnd().split('\n')) {
    expect(JSON.parse(line)).toMatchObject({
      level: expect.any(String),
      time: expect.any(String),
      msg: expect.any(String),
    });
  }
  const secret = (hook as { data: { secret: string } }).data.secret;
  const { DATABASE_URL, SECRETS_KEY } = variables;
  for (const each of [
    token,
    secret,
    password,
    'dk_live_wrong',
    SECRETS_KEY,
    new URL(DATABASE_URL).password,
  ]) {
    expect(stdout).not.toContain(each);
  }
});

/** A request whose body is still to come, which the server has begun to receive. */
async function halfSent(port: string, token: string, body: string) {
  const socket = connect(Number(port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  const head = [
    'POST /api/v1/public/leads HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  return { end: () => socket.write(body), answer: () => answer };
}

describe('a DATABASE_URL that leads nowhere', () => {
  const variables = {
    DATABASE_URL: 'postgres://dealkeep:very-secret@127.0.0.1:1/dealkeep',
    SECRETS_KEY: 'A'.repeat(43),
  };

  test('ends a command with 1 and one line that names it, and does not tell the password (rules operator 16 and 28)', async () => {
    const { code, stdout, stderr } = await dealkeep(['organizations', 'list', '--json'], variables);
    // Whoever is away may come back: 78 is for what no further try changes.
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(oneLine);
    expect(stderr).toMatch(/^DATABASE_URL .*ECONNREFUSED/);
    expect(stderr).not.toContain('very-secret');
  });

  test('is waited for by a start, which can be ended meanwhile (rule operator 7)', async () => {
    const program = startCommandHere(['start'], variables);
    await program.says(/Waiting for the database/);
    expect(await program.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  });
});

test('a DATABASE_URL with a wrong password ends the start at once', async () => {
  const { DATABASE_URL, SECRETS_KEY } = await ownDatabase();
  const url = new URL(DATABASE_URL);
  url.password = 'wrong';
  const { code, stderr } = await startCommandHere(['start'], { DATABASE_URL: url.href, SECRETS_KEY }).ended;
  expect({ code, stderr }).toEqual({ code: 78, stderr: expect.stringMatching(oneLine) });
  expect(stderr).toMatch(/^DATABASE_URL .*password authentication failed/);
});

test('a port in use for a moment is waited for (rule operator 7)', async () => {
  const variables = await ownDatabase();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = String(typeof address === 'object' && address ? address.port : 0);
  const program = startCommandHere(['start'], { ...variables, PORT: port });
  await program.says(/Waiting for port/);
  server.close();
  await program.says(/Dealkeep is ready/);
});

test('a server that starts up, or has no connection left, and a pooler that has none of it, is temporary; a database that is not there is not (rule operator 7)', async () => {
  const { DATABASE_URL, SECRETS_KEY } = await ownDatabase();
  const url = new URL(DATABASE_URL);
  url.pathname = '/nowhere';
  const missing = await startCommandHere(['start'], { DATABASE_URL: url.href, SECRETS_KEY }).ended;
  expect(missing).toMatchObject({
    code: 78,
    stderr: expect.stringMatching(/^DATABASE_URL .*does not exist/),
  });
  for (const [code, message] of [
    ['57P03', 'the database system is starting up'],
    ['53300', 'sorry, too many clients already'],
    // As PgBouncer says it, which has one code for everything.
    ['08P01', 'server login has been failing, try again later (server_login_retry)'],
    ['08P01', 'query_wait_timeout'],
  ] as const) {
    const server = await refusingServer(code, message);
    const variables = { DATABASE_URL: `postgres://dealkeep@127.0.0.1:${server.port}/crm`, SECRETS_KEY };
    const program = startCommandHere(['start'], variables);
    await program.says(/Waiting for the database/);
    await program.end('SIGTERM');
    const command = await dealkeep(['organizations', 'list'], variables);
    expect(command).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  }
});

test.each([
  'no such user: dealkeep',
  'no such database: crm',
  'SASL authentication failed',
  'server login failed: FATAL password authentication failed for user "dealkeep"',
])('what a pooler says that no further try changes ends the start with 78: %s', async (message) => {
  const { port } = await refusingServer('08P01', message);
  const { SECRETS_KEY } = await ownDatabase();
  const DATABASE_URL = `postgres://dealkeep@127.0.0.1:${port}/crm?prepare=false`;
  const refused = await startCommandHere(['start'], { DATABASE_URL, SECRETS_KEY }).ended;
  expect(refused).toMatchObject({ code: 78, stderr: expect.stringContaining(message) });
});

/** A PostgreSQL that answers every connection with an error. */
async function refusingServer(code: string, message: string): Promise<{ port: number }> {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeInt32BE(fields.length + 4, 1);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([head, fields])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0 };
}

test('a server without TLS ends a start that asks for it with 78, in words', async () => {
  const { DATABASE_URL, SECRETS_KEY } = await ownDatabase();
  const variables = { DATABASE_URL: `${DATABASE_URL}?sslmode=require`, SECRETS_KEY };
  const { code, stderr } = await startCommandHere(['start'], variables).ended;
  expect({ code, stderr }).toEqual({ code: 78, stderr: expect.stringMatching(oneLine) });
  expect(stderr).toMatch(
    /^DATABASE_URL .*sslmode=require asks for encryption \(TLS\), which the server .* does not offer/,
  );
});

test('a start works on the host of several that answers, worker and jobs included', async () => {
  const { DATABASE_URL, SECRETS_KEY } = await ownDatabase();
  const several = DATABASE_URL.replace(/@([^/]+)/, '@127.0.0.1:1,$1');
  const program = await startReadyHere({ DATABASE_URL: several, SECRETS_KEY });
  expect((await fetch(`${program.origin}/readyz`)).status).toBe(200);
  expect(await program.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
});
