// Exercises docker-compose.yml where no container engine runs: the Dockerfile's steps in a folder of their own, then
// each service's command and environment against a PostgreSQL of its own, under a user that may write nowhere (when
// root runs it); those of the profile n8n, too, on the n8n of the platform tests, whose packages are locked, or of
// the release that is named: `npm run test:composition -- 2.40.7`.
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connect } from '@dealkeep/core/foundations';
import { startEmbeddedPostgres } from '@dealkeep/embedded-postgres';
import { parse } from 'yaml';
import { buildImage } from './image.ts';
import { installN8n, N8nEditor, runOnce as runService, type Step, startN8n } from './n8n-of-composition.ts';

interface Composition {
  services: Record<
    string,
    {
      image: string;
      entrypoint?: string[];
      command?: string[];
      environment: Record<string, string | number>;
      healthcheck?: { test?: string[] };
      volumes?: string[];
    }
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
  const n8nPort = await freePort();
  const variables = await settingsOfReadme();
  assert.equal(variables['COMPOSE_PROFILES'], 'n8n');
  variables['WEBHOOK_ALLOWED_TARGETS'] += `,${new URL(target).host}`;
  const service = (name: string) => {
    const found = composition.services[name];
    assert(found, `docker-compose.yml has the service ${name}`);
    return found;
  };
  const mounted = Object.values(composition.services)
    .filter((each) => each.image === service('api').image)
    .flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':').at(-1)));
  assert.deepEqual(mounted, image.writable);
  say(`volumes are mounted where the image lets its user write: ${image.writable.join(', ')}`);
  const server = new URL(postgres.url);
  // What differs on one machine: where the services are, the owner of the database and its password, and a port that
  // is free.
  const here = (text: string): string =>
    text
      .replaceAll('@postgres:5432', `@${server.host}`)
      .replaceAll('n8n:5678', `127.0.0.1:${n8nPort}`)
      .replaceAll('127.0.0.1:5678', `127.0.0.1:${n8nPort}`);
  const environmentOf = (name: string): NodeJS.ProcessEnv => {
    const written = Object.fromEntries(
      Object.entries(service(name).environment).map(([key, value]) => [
        key,
        here(interpolate(String(value), variables)),
      ]),
    );
    const moved: NodeJS.ProcessEnv = {
      DATABASE_OWNER_URL: postgres.url,
      PORT: String(port),
      PGHOST: server.hostname,
      PGPORT: server.port,
      PGUSER: server.username,
      PGPASSWORD: decodeURIComponent(server.password),
      PGDATABASE: server.pathname.slice(1),
      DB_POSTGRESDB_HOST: server.hostname,
      DB_POSTGRESDB_PORT: server.port,
    };
    return Object.fromEntries(Object.entries(written).map(([key, value]) => [key, moved[key] ?? value]));
  };
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  // Whoever is not root may be unable to enter the folder of this repository.
  const node = process.getuid?.() === 0 ? join(folder, 'node') : process.execPath;
  if (node !== process.execPath) await copyFile(process.execPath, node);
  const options = (name: string) => ({ cwd: image.app, env: environmentOf(name), ...nobody });
  // Not in this thread: what it does not look at for seconds, such as a connection that the API ends meanwhile, it
  // uses.
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

  await tryN8n();

  for (const { name, child, log } of running) {
    child.kill('SIGTERM');
    const [code] = await once(child, 'close');
    assert.equal(code, 0, `the service ${name} ends with 0 on SIGTERM`);
    for (const line of log().trimEnd().split('\n')) assert.doesNotThrow(() => JSON.parse(line), line);
  }
  // The health check of a dead API fails.
  await assert.rejects(run(node, image.healthCheck, options('api')), { code: 1 });
  say('both services end cleanly, their logs are JSON lines');

  /** What the README's first step writes into `.env`. */
  async function settingsOfReadme(): Promise<Record<string, string>> {
    const readme = await readFile(join(repository, 'README.md'), 'utf8');
    const [lines] = /^cat > \.env <<END$[\s\S]*?^END$/m.exec(readme) ?? [];
    assert(lines, 'the README writes .env');
    execFileSync('sh', ['-euc', lines], { cwd: folder });
    const written = (await readFile(join(folder, '.env'), 'utf8')).trimEnd().split('\n');
    return Object.fromEntries(
      written.map((line) => {
        const [name = '', ...value] = line.split('=');
        return [name, value.join('=')];
      }),
    );
  }

  async function tryN8n(): Promise<void> {
    const home = join(folder, 'home');
    await mkdir(home);
    if (nobody.uid !== undefined) await chown(home, nobody.uid, nobody.gid);
    const step = (name: string): Step => {
      const { entrypoint = [], command: parts = [], healthcheck } = service(name);
      // The folders of the image and of the volume, on this machine.
      const placed = (text: string) =>
        here(interpolate(text, {})).replaceAll('/opt/', `${image.opt}/`).replaceAll('/home/node', home);
      return {
        entrypoint: entrypoint.map(placed),
        command: parts.map(placed),
        healthCheck: (healthcheck?.test ?? []).slice(1).map(placed),
        environment: environmentOf(name),
      };
    };

    const database = step('n8n-database');
    for (const name of ['N8N_DATABASE_PASSWORD', 'N8N_ENCRYPTION_KEY']) {
      const without = { ...database, environment: { ...database.environment, [name]: '' } };
      await assert.rejects(runService(without, { cwd: home }), new RegExp(`${name}: set it in \\.env`));
    }
    for (const _ of ['first', 'again']) await runService(database, { cwd: home });
    const place = new URL(postgres.url);
    place.username = 'n8n';
    place.password = variables['N8N_DATABASE_PASSWORD'] ?? '';
    const intruder = connect(place.href, { connections: 1, name: 'composition' });
    await assert.rejects(intruder`select from leads`, { code: '42501' });
    await intruder.end();
    place.href = environmentOf('api')['DATABASE_URL'] ?? '';
    place.pathname = '/n8n';
    const visitor = connect(place.href, { connections: 1, name: 'composition' });
    await assert.rejects(visitor`select 1`, { code: '42501' });
    await visitor.end();
    say('n8n has a database of its own; its role reads no record, and the program does not enter there');

    const node = step('n8n-node');
    for (const _ of ['first', 'again']) await runService(node, { cwd: home, ...nobody });

    const { environment, healthCheck } = step('n8n');
    const n8n = startN8n(await installN8n(repository, process.argv[2]), step('n8n'), home, [
      n8nPort,
      await freePort(),
    ]);
    cleanUp.unshift(() => n8n.kill());
    const [program = '', ...args] = healthCheck;
    assert.equal(program, 'node');
    try {
      await until(
        'n8n is healthy',
        async () => {
          // It is healthy a moment before its editor answers.
          await run(process.execPath, args);
          return n8n.log().includes('Editor is now accessible');
        },
        300_000,
      );
    } catch (error) {
      process.stderr.write(n8n.log());
      throw error;
    }
    say(`n8n ${/(?<=Version: )\S+/.exec(n8n.log())?.[0]} is healthy on that database`);

    const editor = await N8nEditor.setUp(n8n.origin);
    const offered = (await editor.nodes()).filter((name) => name.startsWith('n8n-nodes-dealkeep.'));
    for (const name of ['dealkeep', 'dealkeepTrigger', 'dealkeepPollTrigger'])
      assert(offered.includes(`n8n-nodes-dealkeep.${name}`), `${name} in ${offered}`);
    say(`its panel offers ${offered.join(', ')}`);

    const connected = await editor.connect(`http://127.0.0.1:${port}`, token);
    assert.equal(connected.status, 'OK');
    await editor.publish(
      connected.id,
      { events: ['lead.created'] },
      { resource: 'company', operation: 'create', name: '=Made for {{ $json.name }}', additionalFields: {} },
    );
    await post('/leads', { name: 'For n8n' });
    const made = `http://127.0.0.1:${port}/api/v1/public/companies?q=${encodeURIComponent('Made for For n8n')}`;
    await until('the workflow has made a company', async () => {
      const answer = await fetch(made, { headers: { authorization: `Bearer ${token}` } });
      const { data }: { data: unknown[] } = JSON.parse(await answer.text());
      return data.length === 1;
    });
    say(`a new lead starts the workflow by ${environment['WEBHOOK_URL']}, and its node creates a company`);
    assert.equal(await n8n.stop(), 0);
    say('n8n ends cleanly');
  }
} finally {
  for (const each of cleanUp) await each();
}

function say(sentence: string): void {
  process.stdout.write(`ok  ${sentence}\n`);
}

/** `${NAME}`, `${NAME:-default}`, `${NAME:?message}` and `$$` as compose reads them. */
function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(
    /\$\$|\$\{(\w+)(?::-([^}]*)|:\?([^}]*))?\}/g,
    (_, name: string | undefined, usual = '', demand = '') => {
      if (name === undefined) return '$';
      assert(!demand || variables[name], `${name}: ${demand}`);
      return variables[name] ?? usual;
    },
  );
}

async function until(what: string, reached: () => Promise<boolean>, patience = 30_000): Promise<void> {
  const end = Date.now() + patience;
  while (!(await reached().catch(() => false))) {
    assert(Date.now() < end, `Waited ${patience / 1000} s in vain until ${what}`);
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
