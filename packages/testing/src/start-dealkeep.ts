import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { createApi, type RunningServer, serve } from '@dealkeep/api';
import { createConsole } from '@dealkeep/console';
import type { Scope } from '@dealkeep/contract';
import {
  type Clock,
  claimEnvironment,
  connect,
  connectPools,
  createApiKey,
  createCore,
  createOrganization,
  createUser,
  type Database,
  type DispatchTiming,
  type Environment,
  type Log,
  parseAllowedTargets,
  type Resolve,
  Secrets,
  type StreamTiming,
  systemClock,
  updateOrganization,
} from '@dealkeep/core';
import { type MailSettings, startWorker } from '@dealkeep/worker';
import { afterAll, onTestFinished, TestRunner } from 'vitest';
import { ApiClient } from './api-client.ts';
import { testDatabase } from './database.ts';
import { eventsOf } from './events-of.ts';

export interface DealkeepOptions {
  clock?: Clock;
  environment?: Environment;
  /** False leaves the worker out. */
  worker?: boolean;
  timing?: Partial<DispatchTiming>;
  streamTiming?: Partial<StreamTiming>;
  /** Of its own when absent. */
  secrets?: Secrets;
  /** As `WEBHOOK_CONCURRENCY`; 50 when absent. */
  concurrency?: number;
  /** How the names of targets are resolved. */
  resolve?: Resolve;
  /** As `WEBHOOK_ALLOWED_TARGETS`; loopback when absent. */
  allowedTargets?: string;
  log?: Log;
  /** As `METRICS_TOKEN`. */
  metricsToken?: string;
  /** As `TRUST_PROXY`. */
  trustProxy?: boolean;
  /** Where the worker's mail goes; to the log when absent. */
  mail?: MailSettings;
  /** A migrated database on another server; one of its own on the test run's server when absent. */
  databaseUrl?: string;
  /** True leaves the limits of sessions and applications; else they are out of a test's way. */
  usualCeilings?: boolean;
  /** Puts something between Dealkeep and its database: takes the address and answers another one. */
  between?: (databaseUrl: string) => Promise<string>;
}

export interface OrganizationOptions {
  /** True leaves the rate limits of a new organization; else the operator has raised them out of a test's way. */
  usualRateLimits?: boolean;
}

/** One organization with a key, to call the API as. */
export interface TestOrganization {
  id: string;
  slug: string;
  ownerEmail: string;
  ownerId: string;
  /** With the automation preset. */
  key: string;
  keyId: string;
  /** Another key of the organization. */
  createKey(options?: {
    scopes?: readonly Scope[];
    legacy?: boolean;
    expiresAt?: string;
    name?: string;
  }): Promise<{ id: string; token: string }>;
}

const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };
const errorsOnly: Log = { ...quiet, error: (fields, sentence) => console.error(sentence, fields) };

/**
 * Dealkeep as it runs in production (API, worker, PostgreSQL, HTTP) on a database of its own, for one test or, when
 * called outside of one, for the whole file. Stops by itself.
 */
export async function startDealkeep(options: DealkeepOptions = {}) {
  const database = options.databaseUrl
    ? { url: options.databaseUrl, ownerUrl: options.databaseUrl, drop: async () => {} }
    : await testDatabase();
  const clock = options.clock ?? systemClock;
  const log = options.log ?? errorsOnly;
  const url = options.between ? await options.between(database.url) : database.url;
  const pools = connectPools(url, 10);
  const { sql } = pools;
  const ownerSql = connect(database.ownerUrl, { connections: 2, name: 'test owner' });
  await claimEnvironment(sql, options.environment ?? 'live');
  const core = createCore({
    ...pools,
    databaseUrl: database.url,
    clock,
    log,
    origin: 'http://localhost:3000',
    environment: options.environment ?? 'live',
    secrets: options.secrets ?? new Secrets([randomBytes(32)]),
    mailIsSetUp: options.mail !== undefined,
    allowedTargets: parseAllowedTargets(options.allowedTargets ?? '127.0.0.0/8,localhost,::1/128'),
    requestCeilings: options.usualCeilings ? undefined : { session: outOfTheWay, application: outOfTheWay },
    ...(options.resolve ? { resolve: options.resolve } : {}),
    ...(options.streamTiming ? { streamTiming: options.streamTiming } : {}),
  });
  const api: RunningServer = await serve(
    createApi({
      core,
      elsewhere: createConsole({ core, trustProxy: options.trustProxy }),
      metricsToken: options.metricsToken,
    }),
    { port: 0, host: '127.0.0.1' },
  );
  const worker =
    options.worker === false
      ? undefined
      : await startWorker({
          core,
          databaseUrl: database.url,
          concurrency: options.concurrency ?? 50,
          ...(options.timing ? { timing: options.timing } : {}),
          mail: options.mail,
          ...(options.resolve ? { resolve: options.resolve } : {}),
        });

  let stopped = false;
  const stop = async (): Promise<void> => {
    if (stopped) return;
    stopped = true;
    await Promise.all([api.stop(1000), core.eventStreams.stop()]);
    await worker?.stop(1000);
    await Promise.all([...Object.values(pools), ownerSql].map((pool) => pool.end({ timeout: 5 })));
    await database.drop();
  };
  const test = TestRunner.getCurrentTest();
  if (test && !test.concurrent) onTestFinished(stop);
  else afterAll(stop);

  const origin = `http://127.0.0.1:${api.port}`;
  const baseUrl = `${origin}/api/v1/public`;
  return {
    core,
    /** As the owner of the tables; the core has the rights of the program. */
    sql: ownerSql,
    databaseUrl: database.url,
    origin,
    baseUrl,
    stop,
    /** Calls the API with a key, or without any. */
    as: (key?: string, { writesOnly = false } = {}) =>
      new ApiClient(baseUrl, key === undefined ? {} : { Authorization: `Bearer ${key}` }, writesOnly),
    /** What happened in an organization, or to one of its records, oldest first. */
    eventsOf: (organization: TestOrganization, record?: string) =>
      eventsOf(ownerSql, organization.id, record),
    /** A further organization; every test can have its own. */
    createOrganization: (organization: OrganizationOptions = {}) =>
      testOrganization({ sql, clock, environment: core.environment }, organization),
  };
}

export type TestDealkeep = Awaited<ReturnType<typeof startDealkeep>>;

const outOfTheWay = 1_000_000;

/** The password of every owner that tests make. */
export const ownerPassword = 'correct horse battery';

/** Of the owner's password; made once for a process, because a password's hash is slow on purpose. */
let passwordHash: string | undefined;

async function testOrganization(
  options: { sql: Database; clock: Clock; environment: Environment },
  { usualRateLimits = false }: OrganizationOptions,
): Promise<TestOrganization> {
  const slug = `test-${randomBytes(6).toString('hex')}`;
  const ownerEmail = `owner@${slug}.example`;
  const { id } = await createOrganization(options, { name: 'Test organization', slug });
  if (!usualRateLimits) {
    const raised = { requestsPerMinute: outOfTheWay, orgRequestsPerMinute: outOfTheWay };
    await updateOrganization(options.sql, slug, raised);
  }
  const ownerId = await createOwner(options, { id, slug, email: ownerEmail });
  const createKey: TestOrganization['createKey'] = ({ scopes, legacy, expiresAt, name = 'Test key' } = {}) =>
    createApiKey(options, {
      organization: slug,
      name,
      grant: legacy ? { legacy } : scopes ? { scopes } : { preset: 'automation' },
      ...(expiresAt ? { expiresAt } : {}),
    });
  const key = await createKey();
  return { id, slug, ownerEmail, ownerId, key: key.token, keyId: key.id, createKey };
}

async function createOwner(
  options: { sql: Database; clock: Clock },
  { id, slug, email }: { id: string; slug: string; email: string },
): Promise<string> {
  const { sql, clock } = options;
  const name = 'Jana Horváthová';
  if (passwordHash === undefined) {
    const person = { organization: slug, name, email, password: ownerPassword };
    const owner = await createUser(options, { ...person, role: 'owner' });
    const [row] = await sql<
      { password_hash: string }[]
    >`select password_hash from users where id = ${owner.id}`;
    passwordHash = row?.password_hash;
    return owner.id;
  }
  const ownerId = randomUUIDv7();
  const now = clock.now().toISOString();
  await sql`
    with person as (
      insert into users (id, email, email_verified, password_hash, created_at, updated_at)
      values (${ownerId}, ${email}, true, ${passwordHash}, ${now}, ${now}) returning id)
    insert into memberships (organization_id, id, person_id, name, created_at, updated_at)
    select ${id}, id, id, ${name}, ${now}, ${now} from person`;
  return ownerId;
}
