// Exercises docker-compose.yml where no container engine runs: the Dockerfile's steps in a folder of their own, then
// each service's command and environment against a PostgreSQL of its own, under a user that may write nowhere (when root runs it).
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connect } from '@dealkeep/core';
import { startEmbeddedPostgres } from '@dealkeep/embedded-postgres';
import { parse } from 'yaml';
import { buildImage } from './image.ts';

interface Composition {
  services: Record<
    string,
    { command?: string[]; environment: Record<string, string | number>; volumes?: string[] }
  >;
}

const repository = new URL('../../../../', import.meta.url).pathname;
const folder = await mkdtemp(join(tmpdir(), 'dealkeep-composition-'));
const cleanUp: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];

try {
  const image = await buildImage(repository, folder);
  const [size] = execFileSync('du', ['-sm', image.app]).toString().split('\t');
  say(`the Dockerfile's steps make a folder of ${size} MB`);

  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') });
  cleanUp.unshift(() => postgres.stop());
  const bodies: string[] = [];
  const receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    bodies.push(body);
    response.end();
  });
  const target = `http://127.0.0.1:${await listen(receiver)}/`;
  cleanUp.unshift(() => receiver.close());

  const composition: Composition = parse(await readFile(join(repository, 'docker-compose.yml'), 'utf8'), {
    merge: true,
  });
  const port = await freePort();
  const variables: Record<string, string> = {
    POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
    DATABASE_PASSWORD: randomBytes(24).toString('hex'),
    SECRETS_KEY: randomBytes(32).toString('base64'),
    ORIGIN: `http://127.0.0.1:${port}`,
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.1',
  };
  const service = (name: string) => {
    const found = composition.services[name];
    assert(found, `docker-compose.yml has the service ${name}`);
    return found;
  };
  const mounted = (service('worker').volumes ?? []).map((volume) => volume.split(':').at(-1));
  assert.deepEqual(mounted, image.writable);
  say(`the worker's volumes are mounted where the image lets it write: ${image.writable.join(', ')}`);
  const environmentOf = (name: string): NodeJS.ProcessEnv => {
    const written = Object.fromEntries(
      Object.entries(service(name).environment).map(([key, value]) => [
        key,
        interpolate(String(value), variables),
      ]),
    );
    // What differs on one machine: where PostgreSQL is, the password of its owner, and a port that is free.
    const { DATABASE_URL, DATABASE_OWNER_URL } = written;
    const owner = DATABASE_OWNER_URL === undefined ? {} : { DATABASE_OWNER_URL: postgres.url };
    return { ...written, ...owner, DATABASE_URL: here(DATABASE_URL ?? ''), PORT: String(port) };
  };
  const here = (address: string): string => {
    const url = new URL(address);
    url.host = new URL(postgres.url).host;
    return url.href;
  };
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  // Whoever is not root may be unable to enter the folder of this repository.
  const node = process.getuid?.() === 0 ? join(folder, 'node') : process.execPath;
  if (node !== process.execPath) await copyFile(process.execPath, node);
  const options = (name: string) => ({ cwd: image.app, env: environmentOf(name), ...nobody });
  // Not in this thread: what it does not look at for seconds, such as a connection that the API ends meanwhile, it uses.
  const run = promisify(execFile);
  const runOnce = (name: string, args: readonly string[]) =>
    run(node, [...image.entrypoint, ...args], options(name));
  const command = async (...args: string[]): Promise<string> =>
    (await runOnce('api', [...args, '--json'])).stdout;

  await runOnce('migrate', service('migrate').command ?? image.command);
  say('the service migrate ends well');
  const program = connect(environmentOf('api')['DATABASE_URL'] ?? '', {
    connections: 1,
    name: 'composition',
  });
  await assert.rejects(program`alter table leads add column stolen text`, { code: '42501' });
  await program.end();
  say('the role of the services api and worker may alter nothing');

  const running = ['api', 'worker'].map((name) => {
    const args = [...image.entrypoint, ...(service(name).command ?? image.command)];
    const child = spawn(node, args, { ...options(name), stdio: ['ignore', 'pipe', 'inherit'] });
    cleanUp.unshift(() => child.kill('SIGKILL'));
    let log = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
    return { name, child, log: () => log };
  });
  await until('the API is ready', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
  for (const name of ['api', 'worker']) await run(node, image.healthCheck, options(name));
  say('the health check passes');

  const organization = ['--organization', 'composition'];
  await command('organizations', 'create', '--name', 'Composition', '--slug', 'composition');
  const owner = [
    '--name',
    'Owner',
    '--email',
    'owner@composition.example',
    '--password',
    'correct horse battery',
  ];
  await command('users', 'create', ...organization, ...owner, '--role', 'owner');
  const key = await command('keys', 'create', ...organization, '--name', 'Key', '--preset', 'automation');
  const { token }: { token: string } = JSON.parse(key);
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/public${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 201, await answer.text());
  };
  await post('/webhooks', { target_url: target, events: ['lead.created'] });
  await post('/leads', { name: 'From the composition' });
  await until('the delivery has arrived', async () =>
    bodies.some((body) => body.includes('From the composition')),
  );
  say('a lead made through the service api is delivered by the service worker');

  for (const { name, child, log } of running) {
    child.kill('SIGTERM');
    const [code] = await once(child, 'close');
    assert.equal(code, 0, `the service ${name} ends with 0 on SIGTERM`);
    for (const line of log().trimEnd().split('\n')) assert.doesNotThrow(() => JSON.parse(line), line);
  }
  // The health check of a dead API fails.
  await assert.rejects(run(node, image.healthCheck, options('api')), { code: 1 });
  say('both services end cleanly, their logs are JSON lines');
} finally {
  for (const each of cleanUp) await each();
}

function say(sentence: string): void {
  process.stdout.write(`ok  ${sentence}\n`);
}

/** `${NAME}`, `${NAME:-default}` and `${NAME:?message}` as compose reads them. */
function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(
    /\$\{(\w+)(?::-([^}]*)|:\?([^}]*))?\}/g,
    (_, name: string, usual = '', demand = '') => {
      assert(!demand || variables[name], `${name}: ${demand}`);
      return variables[name] ?? usual;
    },
  );
}

async function until(what: string, reached: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await reached().catch(() => false))) {
    assert(Date.now() < end, `Waited 30 s in vain until ${what}`);
    await sleep(50);
  }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert(address !== null && typeof address !== 'string');
  return address.port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  return port;
}
