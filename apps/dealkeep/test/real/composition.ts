// Exercises docker-compose.yml where no container engine runs: the install line of the Dockerfile in a fresh copy of
// the committed files, then each service's command and environment against a PostgreSQL of its own.
import assert from 'node:assert/strict';
import { execFileSync, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@dealkeep/embedded-postgres';
import { parse } from 'yaml';

interface Service {
  command?: string[];
  environment: Record<string, string>;
}

const repository = new URL('../../../../', import.meta.url).pathname;
const folder = await mkdtemp(join(tmpdir(), 'dealkeep-composition-'));
const app = join(folder, 'app');
const cleanUp: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];

try {
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${repository}`, app], {
    stdio: 'inherit',
  });
  const dockerfile = await readFile(join(app, 'Dockerfile'), 'utf8');
  const install = /^RUN (npm ci .*)$/m.exec(dockerfile)?.[1];
  assert(install, 'The Dockerfile has a line RUN npm ci');
  for (const path of ['packages/n8n-nodes-dealkeep', 'packages/zapier', 'packages/testing']) {
    await rm(join(app, path), { recursive: true });
  }
  execFileSync('bash', ['-c', install], {
    cwd: app,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  say(
    `the production install holds ${
      execFileSync('du', ['-sm', join(app, 'node_modules')])
        .toString()
        .split('\t')[0]
    } MB`,
  );

  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') });
  cleanUp.unshift(() => postgres.stop());
  const receiver = await startReceiver();
  cleanUp.unshift(async () => receiver.server.close());

  const composition: { services: Record<string, Service> } = parse(
    await readFile(join(app, 'docker-compose.yml'), 'utf8'),
    { merge: true },
  );
  const port = await freePort();
  const variables: Record<string, string> = {
    POSTGRES_PASSWORD: 'in DATABASE_URL',
    SECRETS_KEY: randomBytes(32).toString('base64'),
    ORIGIN: `http://127.0.0.1:${port}`,
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.1',
  };
  const environmentOf = (name: string): NodeJS.ProcessEnv => {
    const service = composition.services[name];
    assert(service, `docker-compose.yml has the service ${name}`);
    const written = Object.fromEntries(
      Object.entries(service.environment).map(([key, value]) => [key, interpolate(String(value), variables)]),
    );
    // What differs on one machine: where PostgreSQL is, and a port that is free.
    return { PATH: process.env['PATH'], ...written, DATABASE_URL: postgres.url, PORT: String(port) };
  };
  const commandOf = (name: string): string[] => composition.services[name]?.command ?? ['start'];
  const dealkeep = join(app, 'apps', 'dealkeep', 'bin', 'dealkeep.js');
  const runOnce = (name: string, args: string[]): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, [dealkeep, ...args], {
      cwd: app,
      env: environmentOf(name),
      encoding: 'utf8',
    });

  const migrated = runOnce('migrate', commandOf('migrate'));
  assert.equal(migrated.status, 0, migrated.stderr);
  say('the service migrate ends well');

  const services = ['api', 'worker'].map((name) => {
    const child = spawn(process.execPath, [dealkeep, ...commandOf(name)], {
      cwd: app,
      env: environmentOf(name),
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    cleanUp.unshift(async () => child.kill('SIGKILL'));
    return { name, child };
  });
  await until('the API is ready', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
  const health = spawnSync(process.execPath, [join(app, 'apps/dealkeep/bin/healthcheck.js')], {
    env: environmentOf('api'),
  });
  assert.equal(health.status, 0);
  say('the health check passes');

  for (const args of [
    ['organizations', 'create', '--name', 'Composition', '--slug', 'composition'],
    [
      'users',
      'create',
      '--organization',
      'composition',
      '--name',
      'Owner',
      '--email',
      'owner@composition.example',
      '--password',
      'correct horse battery',
      '--role',
      'owner',
    ],
  ]) {
    const made = runOnce('api', args);
    assert.equal(made.status, 0, made.stderr);
  }
  const made = runOnce('api', [
    'keys',
    'create',
    '--organization',
    'composition',
    '--name',
    'Key',
    '--preset',
    'automation',
    '--json',
  ]);
  const { token }: { token: string } = JSON.parse(made.stdout);
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/public${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 201, await answer.text());
  };
  await post('/webhooks', { target_url: receiver.url, events: ['lead.created'] });
  await post('/leads', { name: 'From the composition' });
  await until('the delivery has arrived', async () =>
    receiver.bodies.some((body) => body.includes('From the composition')),
  );
  say('a lead made through the service api is delivered by the service worker');

  for (const { name, child } of services) {
    child.kill('SIGTERM');
    const [code] = await once(child, 'close');
    assert.equal(code, 0, `the service ${name} ends with 0 on SIGTERM`);
  }
  say('both services end cleanly');
} finally {
  for (const each of cleanUp) await each();
}

function say(sentence: string): void {
  process.stdout.write(`ok  ${sentence}\n`);
}

/** `${NAME}`, `${NAME:-default}` and `${NAME:?message}` as compose reads them. */
function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(
    /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g,
    (_, name: string, usual = '') => variables[name] ?? usual,
  );
}

async function until(what: string, reached: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await reached().catch(() => false))) {
    assert(Date.now() < end, `Waited 30 s in vain until ${what}`);
    await sleep(50);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function startReceiver() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    bodies.push(body);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, bodies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}
