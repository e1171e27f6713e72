import { randomBytes } from 'node:crypto';
import { connect, type Database } from '@dealkeep/core/foundations';
import { freePort } from '@dealkeep/testing';
import { onTestFinished } from 'vitest';
import { dealkeepProcess, password, type RunningProgram, startReady } from '../program.ts';
import { documented, folderOfServer } from '../servers/configured.ts';
import { type DebianPostgres, startDebianPostgres } from '../servers/debian-postgres.ts';
import { startHaProxy } from '../servers/haproxy.ts';
import { type PgBouncer, startPgBouncer } from '../servers/pgbouncer.ts';

/** Where a program is, whose processes run: this checkout, or another version's. */
export type Version = { readonly program?: string };

/**
 * Three API processes behind HAProxy and two workers, on one database behind PgBouncer, as `docs/scaling` has it.
 */
export interface Installation {
  /** Of HAProxy. */
  origin: string;
  token: string;
  /** For the test's own statements, past the pooler. */
  sql: Database;
  postgres: DebianPostgres;
  pooler: PgBouncer;
  api: readonly [Service, Service, Service];
  workers: readonly [Service, Service];
  /** `dealkeep migrate` of a version; answers how it ended. */
  migrate(version?: Version): Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** @param first the version that it begins with: its tables, its organization, its processes. */
export async function startInstallation(first: Version = {}): Promise<Installation> {
  const postgres = await startDebianPostgres();
  const owner = new URL(postgres.url);
  owner.pathname = '/dealkeep';
  const program = new URL(owner);
  Object.assign(program, { username: 'dealkeep_program', password: randomBytes(12).toString('hex') });
  const admin = connect(postgres.url, { connections: 1, name: 'test' });
  await admin`create database dealkeep`;
  await admin.end();

  const pooler = await startPgBouncer(program.href);
  const common = variablesOf(
    await documented('dealkeep.env', [
      ['postgres://dealkeep_program:PASSWORD@127.0.0.1:6432/dealkeep', pooler.url],
      ['postgres://dealkeep_program:PASSWORD@127.0.0.1:5432/dealkeep', program.href],
      ['/var/backups/dealkeep', await folderOfServer()],
      ['SECRETS_KEY=KEY', `SECRETS_KEY=${randomBytes(32).toString('base64')}`],
    ]),
  );
  const command = ({ program }: Version, ...args: string[]) =>
    dealkeepProcess(args, { ...common, DATABASE_OWNER_URL: owner.href }, { program });
  const migrate = (version: Version = {}) => command(version, 'migrate');
  const done = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await command(first, ...args);
    if (code !== 0) throw new Error(`dealkeep ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  };
  await done('migrate');
  const { token } = await makeOrganization(done);

  const variables = {
    ...common,
    MIGRATE: undefined,
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
    LOG_LEVEL: 'info',
  };
  const service = async (
    unit: string,
    own: readonly (readonly [string, string])[] = [],
  ): Promise<Service> => {
    const text = await documented(unit, own);
    const given = /^Environment=(.*)$/m.exec(text)?.[1]?.replaceAll(' ', '\n') ?? '';
    return new Service({ ...variables, ...variablesOf(given) });
  };
  const ports: [string, string, string] = [await freePort(), await freePort(), await freePort()];
  const apiAt = (port: string) => service('dealkeep-api@.service', [['PORT=300%i', `PORT=${port}`]]);
  const api = [await apiAt(ports[0]), await apiAt(ports[1]), await apiAt(ports[2])] as const;
  const worker = async () =>
    service('dealkeep-worker@.service', [['PORT=301%i', `PORT=${await freePort()}`]]);
  const workers = [await worker(), await worker()] as const;
  await Promise.all([...api, ...workers].map((each) => each.start(first)));
  const { origin } = await startHaProxy(ports);
  const sql = connect(owner.href, { connections: 2, name: 'test' });
  onTestFinished(() => sql.end({ timeout: 1 }));
  return { origin, token, sql, postgres, pooler, api, workers, migrate };
}

/** By commands, because each version writes its own tables. */
async function makeOrganization(command: (...args: string[]) => Promise<string>): Promise<{ token: string }> {
  const many = '1000000';
  await command('organizations', 'create', '--name', 'Own', '--slug', 'own');
  const limits = ['--requests-per-minute', many, '--org-requests-per-minute', many];
  await command('organizations', 'update', 'own', ...limits);
  const owner = ['--name', 'Eva', '--email', 'eva@own.example', '--role', 'owner', '--password', password];
  await command('users', 'create', '--organization', 'own', ...owner);
  const key = ['--organization', 'own', '--name', 'Key', '--preset', 'automation', '--json'];
  return JSON.parse(await command('keys', 'create', ...key));
}

/** A process that a service manager starts again. */
export class Service {
  readonly #variables: Readonly<Record<string, string | undefined>>;
  #running: RunningProgram | undefined;

  constructor(variables: Readonly<Record<string, string | undefined>>) {
    this.#variables = variables;
  }

  async start({ program }: Version = {}): Promise<void> {
    this.#running = await startReady(this.#variables, { program });
  }

  /** Sends the signal, and waits for the end; answers the exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const ended = await this.#running?.end(signal);
    return ended?.code ?? null;
  }

  async restart(version?: Version): Promise<number | null> {
    const code = await this.end('SIGTERM');
    await this.start(version);
    return code;
  }

  said(): string {
    return this.#running?.heard().stdout ?? '';
  }
}

const variablesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^[A-Z_]+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
