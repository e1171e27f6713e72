import { argon2Sync, randomBytes, randomUUIDv7 } from 'node:crypto';
import { createApi, type RunningServer, serve } from '@dealkeep/api';
import { createConsole } from '@dealkeep/console';
import type { Scope } from '@dealkeep/contract';
import { createCore } from '@dealkeep/core';
import { createApiKey, createOrganization } from '@dealkeep/core/accounts';
import type { DeliveryTiming, StreamTiming } from '@dealkeep/core/delivering';
import {
  type Clock,
  connect,
  connectPools,
  type Database,
  type Environment,
  findPlacement,
  type Log,
  noLimits,
  type Placement,
  parseAllowedTargets,
  type Resolve,
  type Retention,
  Secrets,
  systemClock,
  usualRetention,
} from '@dealkeep/core/foundations';
import { type BackupPlan, claimEnvironment } from '@dealkeep/core/installation';
import { createMcp } from '@dealkeep/mcp';
import { type MailSettings, startWorker } from '@dealkeep/worker';
import { afterAll, onTestFinished, TestRunner } from 'vitest';
import { ApiClient } from './api-client.ts';
import { countDatabases, testDatabase } from './database.ts';
import { eventsOf } from './events-of.ts';

/** A worker looks often for what has no job, and waits only a moment for more to send or to write. */
export const promptTiming = {
  sweepEveryMs: 50,
  lingersMs: 50,
  gatheredForMs: { results: 0, log: 0 },
} satisfies Partial<DeliveryTiming>;

export interface DealkeepOptions {
  /** The public address; one of this machine when absent. */
  origin?: string;
  clock?: Clock;
  environment?: Environment;
  /** False leaves the worker out. */
  worker?: boolean;
  /** Of deliveries; `promptTiming` where it says nothing else. */
  timing?: Partial<DeliveryTiming>;
  streamTiming?: Partial<StreamTiming>;
  /** Of its own when absent. */
  secrets?: Secrets;
  /** Where it takes records to stand; as the database is when absent. */
  placement?: Placement;
  /** As `WEBHOOK_CONCURRENCY`; 50 when absent. */
  concurrency?: number;
  /** How the names of targets are resolved. */
  resolve?: Resolve;
  /** As `WEBHOOK_ALLOWED_TARGETS`; loopback when absent. */
  allowedTargets?: string;
  log?: Log;
  /** As `METRICS_TOKEN`. */
  metricsToken?: string;
  /** As `SECURITY_CONTACT`. */
  securityContacts?: readonly string[];
  /** As `TRUST_PROXY`. */
  trustProxy?: boolean;
  /** Where the worker makes backups by the clock; nowhere when absent. */
  backups?: BackupPlan;
  /** Where the worker's mail goes; to the log when absent. */
  mail?: MailSettings;
  /** A migrated database on another server; one of its own on the test run's server when absent. */
  databaseUrl?: string;
  /** As `KEEP_…`; as is usual when absent. */
  retention?: Partial<Retention>;
  storageQuotaMb?: number;
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
export async function startDealkeep(options: DealkeepOptions = {}): Promise<StoppableDealkeep> {
  const database = options.databaseUrl
    ? { url: options.databaseUrl, ownerUrl: options.databaseUrl, drop: async () => {} }
    : await testDatabase();
  const dealkeep = await runDealkeep(database, options);
  const test = TestRunner.getCurrentTest();
  if (test && !test.concurrent) onTestFinished(dealkeep.stop);
  else afterAll(dealkeep.stop);
  return dealkeep;
}

let shared: Promise<TestDealkeep> | undefined;

/**
 * The Dealkeep without a worker that the files of a test process share; it ends with the process. For tests that
 * look at organizations of their own alone, and change nothing that all of them share: no settings of the server, no
 * schema, no sweep, no count of everything that a table holds.
 */
export const sharedDealkeep = (): Promise<TestDealkeep> =>
  (shared ??= testDatabase({ lasting: true }).then((database) => runDealkeep(database, { worker: false })));

async function runDealkeep(
  database: { url: string; ownerUrl: string; drop(): Promise<void> },
  options: DealkeepOptions,
) {
  const clock = options.clock ?? systemClock;
  const log = options.log ?? errorsOnly;
  const url = options.between ? await options.between(database.url) : database.url;
  const pools = connectPools(url, 10);
  const { sql } = pools;
  // What a test fills in by itself takes as long as it takes where others use the machine as well.
  const ownerSql = connect(database.ownerUrl, { connections: 2, name: 'test owner', limits: noLimits });
  await claimEnvironment(sql, options.environment ?? 'live');
  const core = createCore({
    ...pools,
    databaseUrl: database.url,
    clock,
    log,
    origin: options.origin ?? 'http://localhost:3000',
    placement: options.placement ?? (await findPlacement(sql)),
    environment: options.environment ?? 'live',
    trustProxy: options.trustProxy,
    secrets: options.secrets ?? new Secrets([randomBytes(32)]),
    mailIsSetUp: options.mail !== undefined,
    allowedTargets: parseAllowedTargets(options.allowedTargets ?? '127.0.0.0/8,localhost,::1/128'),
    requestCeilings: options.usualCeilings ? undefined : { session: outOfTheWay, application: outOfTheWay },
    retention: { ...usualRetention, ...options.retention },
    storageQuotaMb: options.storageQuotaMb,
    ...(options.resolve ? { resolve: options.resolve } : {}),
    ...(options.streamTiming ? { streamTiming: options.streamTiming } : {}),
  });
  const api: RunningServer = await serve(
    createApi({
      core,
      elsewhere: createConsole({ core }),
      assistants: createMcp(core, 'test'),
      metricsToken: options.metricsToken,
      securityContacts: options.securityContacts,
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
          timing: { ...promptTiming, ...options.timing },
          mail: options.mail,
          backups: options.backups,
          ...(options.resolve ? { resolve: options.resolve } : {}),
        });

  let stopped = false;
  const stop = async (): Promise<void> => {
    if (stopped) return;
    stopped = true;
    core.waitingReaders.stop();
    await Promise.all([api.stop(1000), core.eventStreams.stop()]);
    await worker?.stop(1000);
    await countDatabases();
    await Promise.all([...Object.values(pools), ownerSql].map((pool) => pool.end({ timeout: 5 })));
    await database.drop();
  };
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

export type StoppableDealkeep = Awaited<ReturnType<typeof runDealkeep>>;
export type TestDealkeep = Omit<StoppableDealkeep, 'stop'>;

const outOfTheWay = 1_000_000;

/** The password of every owner that tests make. */
export const ownerPassword = 'correct horse battery';

/**
 * A password's hash by the least work that Argon2 knows: how much it takes stands in the hash. Whoever is made by
 * `createUser` with a password has one that takes as much as in production.
 */
export function cheapHash(password: string): string {
  const nonce = randomBytes(16);
  const cost = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 };
  const hash = argon2Sync('argon2id', { ...cost, message: password, nonce });
  const [salt, tag] = [nonce, hash].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${salt}$${tag}`;
}

export const ownerPasswordHash = cheapHash(ownerPassword);

async function testOrganization(
  options: { sql: Database; clock: Clock; environment: Environment },
  { usualRateLimits = false }: OrganizationOptions,
): Promise<TestOrganization> {
  const slug = `test-${randomBytes(6).toString('hex')}`;
  const ownerEmail = `owner@${slug}.example`;
  const { id } = await createOrganization(options, { name: 'Test organization', slug });
  const ownerId = await createOwner(options, { id, email: ownerEmail, usualRateLimits });
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

/** By one statement, and the rate limits with it, because nearly every test begins with an organization. */
async function createOwner(
  { sql, clock }: { sql: Database; clock: Clock },
  { id, email, usualRateLimits }: { id: string; email: string; usualRateLimits: boolean },
): Promise<string> {
  const ownerId = randomUUIDv7();
  const now = clock.now().toISOString();
  await sql`
    with account as (
      insert into users (id, email, email_verified, password_hash, created_at, updated_at)
      values (${ownerId}, ${email}, true, ${ownerPasswordHash}, ${now}, ${now}) returning id),
    raised as (
      update organizations set requests_per_minute = ${outOfTheWay}, org_requests_per_minute = ${outOfTheWay}
      where id = ${id} and not ${usualRateLimits})
    insert into memberships (organization_id, id, person_id, name, created_at, updated_at)
    select ${id}, id, id, 'Jana Horváthová', ${now}, ${now} from account`;
  return ownerId;
}
