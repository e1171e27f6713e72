import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { basePath, oauthPaths } from '@dealkeep/contract';
import { connect } from '@dealkeep/core/foundations';
import { runningEmbeddedPostgres } from '@dealkeep/embedded-postgres';
import { freePort, ownerPassword } from '@dealkeep/testing';
import { type Certificate, createAuthority, issueCertificate } from '@dealkeep/testing/certificates';
import { close, listen } from './listen.ts';
import type { Organization, Service } from './service.ts';
import { tlsProxy } from './tls-proxy.ts';

export interface RunningProgram extends Service {
  /** The file of the certificate of the authority that vouches for the service, for `NODE_EXTRA_CA_CERTS`. */
  readonly authorityFile: string;
  /** The service's own, for the name `localhost`. */
  readonly certificate: Certificate;
  /** Where the program itself listens, behind the proxy that speaks https. */
  readonly port: string;
  /** The keys given out so far. */
  readonly secrets: readonly string[];
  stop(): Promise<void>;
}

type Answer = Readonly<Record<string, string>>;

const program = join(import.meta.dirname, '..', '..', '..', '..', 'apps', 'dealkeep', 'bin', 'dealkeep.js');
const run = promisify(execFile);
const readyWithinSeconds = 90;

/** The whole program as an operator starts it, behind https, on a data folder and ports of its own. */
export async function startProgram(): Promise<RunningProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'dealkeep-program-'));
  const authority = createAuthority();
  const authorityFile = join(folder, 'authority.pem');
  await writeFile(authorityFile, authority.cert);
  setDefaultCACertificates([...getCACertificates('default'), authority.cert]);
  const certificate = issueCertificate(authority, ['localhost']);
  const port = await freePort();
  const proxy = tlsProxy(certificate, port);
  const origin = (await listen(proxy)).replace('http://127.0.0.1', 'https://localhost');
  const env = {
    ...process.env,
    DATA_DIR: join(folder, 'data'),
    PORT: port,
    ORIGIN: origin,
    TRUST_PROXY: 'true',
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.1/32,localhost',
    LOG_LEVEL: 'warn',
  };
  const server = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const command = async (...args: string[]): Promise<Answer> =>
    JSON.parse((await run(process.execPath, [program, ...args, '--json'], { env })).stdout);
  const stop = async (): Promise<void> => {
    await ended(server);
    await close(proxy);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await ready(server, `${origin}/readyz`, () => printed);
  } catch (error) {
    await stop();
    throw error;
  }

  const secrets: string[] = [];
  let app: Answer = {};
  return {
    baseUrl: `${origin}${basePath}`,
    authorityFile,
    certificate,
    port,
    secrets,
    createOrganization: () => createOrganization(command, secrets),
    registerApp: async (redirectUri, scopes) => {
      const to = ['--redirect-uri', redirectUri, '--scopes', scopes.join(',')];
      app = await command('oauth-apps', 'create', '--name', 'Zapier', ...to);
      const { client_id = '', client_secret = '' } = app;
      secrets.push(client_secret);
      return { client_id, client_secret };
    },
    endAccessToken: async (token) => {
      await fetch(`${origin}${oauthPaths.revoke}`, {
        method: 'POST',
        body: new URLSearchParams({ ...app, token }),
      });
    },
    passDeadlines: () => addJobs(env.DATA_DIR, ['mark_overdue_invoices', 'tell_overdue_tasks']),
    replay: async (webhook) => Number((await command('webhooks', 'replay', '--webhook', webhook))['count']),
    stop,
  };
}

/** Has the program's worker do at once what it would do within a minute. */
async function addJobs(dataDir: string, tasks: readonly string[]): Promise<void> {
  const url = await runningEmbeddedPostgres(dataDir);
  if (url === undefined) throw new Error(`No PostgreSQL runs in ${dataDir}`);
  const sql = connect(url, { connections: 1, name: 'test' });
  try {
    for (const task of tasks) await sql`select graphile_worker.add_job(${task})`;
  } finally {
    await sql.end();
  }
}

async function createOrganization(
  command: (...args: string[]) => Promise<Answer>,
  secrets: string[],
): Promise<Organization> {
  const slug = `zapier-${randomBytes(4).toString('hex')}`;
  const inIt = ['--organization', slug];
  const update = (...changes: string[]) => command('organizations', 'update', slug, ...changes);
  const createUser = async (name: string, role: string) => {
    const email = `${role}@${slug}.example`.replaceAll(' ', '-');
    const who = ['--name', name, '--email', email, '--password', ownerPassword, '--role', role];
    await command('users', 'create', ...inIt, ...who);
    return email;
  };
  await command('organizations', 'create', '--name', 'Tatra Štúdio', '--slug', slug);
  // The tests ask for more in a minute than one connection may by default, by a key for each group.
  await update('--requests-per-minute', '6000', '--org-requests-per-minute', '60000', '--max-keys', '100');
  const ownerEmail = await createUser('Jana Horváthová', 'owner');
  await command('demo', 'seed', ...inIt);
  let roles = 0;
  return {
    slug,
    ownerEmail,
    createKey: async () => {
      const { token = '' } = await command(
        'keys',
        'create',
        ...inIt,
        '--name',
        'Zapier',
        '--preset',
        'automation',
      );
      secrets.push(token);
      return token;
    },
    createPerson: async (permissions) => {
      roles += 1;
      const role = `role ${roles}`;
      await command('roles', 'create', ...inIt, '--name', role, '--permissions', permissions);
      return { email: await createUser('Eva Malá', role) };
    },
    setSubscription: async (state) => {
      await update('--subscription', state);
    },
    setRequestsPerMinute: async (requests) => {
      await update('--requests-per-minute', String(requests));
    },
  };
}

async function ready(server: ChildProcess, url: string, printed: () => string): Promise<void> {
  for (let waited = 0; waited < readyWithinSeconds * 5; waited += 1) {
    if (server.exitCode !== null)
      throw new Error(`dealkeep start ended with ${server.exitCode}:\n${printed()}`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(200);
  }
  throw new Error(`dealkeep start was not ready after ${readyWithinSeconds} s:\n${printed()}`);
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const exit = once(server, 'exit');
  server.kill('SIGTERM');
  await exit;
}
