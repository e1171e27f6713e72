import { randomBytes } from 'node:crypto';
import { createApi, type RunningServer, serve } from '@dealkeep/api';
import type { Scope } from '@dealkeep/contract';
import {
  type Clock,
  connect,
  createApiKey,
  createCore,
  createOrganization,
  createUser,
  type DispatchTiming,
  type Environment,
  type Log,
  parseAllowedTargets,
  Secrets,
  systemClock,
} from '@dealkeep/core';
import { startWorker } from '@dealkeep/worker';
import { afterAll, onTestFinished, TestRunner } from 'vitest';
import { testDatabase } from './database.ts';

export interface DealkeepOptions {
  clock?: Clock;
  environment?: Environment;
  /** False leaves the worker out. */
  worker?: boolean;
  timing?: Partial<DispatchTiming>;
  /** As `WEBHOOK_ALLOWED_TARGETS`; loopback when absent. */
  allowedTargets?: string;
  log?: Log;
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
  const database = await testDatabase();
  const clock = options.clock ?? systemClock;
  const log = options.log ?? errorsOnly;
  const sql = connect(database.url, { connections: 10, name: 'test' });
  const slowSql = connect(database.url, { connections: 2, name: 'test slow' });
  const core = createCore({
    sql,
    slowSql,
    clock,
    log,
    origin: 'http://localhost:3000',
    environment: options.environment ?? 'live',
    secrets: new Secrets([randomBytes(32)]),
    allowedTargets: parseAllowedTargets(options.allowedTargets ?? '127.0.0.0/8,localhost,::1/128'),
  });
  const api: RunningServer = await serve(createApi({ core }), { port: 0, host: '127.0.0.1' });
  const worker =
    options.worker === false
      ? undefined
      : await startWorker({
          core,
          databaseUrl: database.url,
          concurrency: 50,
          ...(options.timing ? { timing: options.timing } : {}),
        });

  let stopped = false;
  const stop = async (): Promise<void> => {
    if (stopped) return;
    stopped = true;
    await api.stop(1000);
    await worker?.stop(1000);
    await Promise.all([sql.end({ timeout: 5 }), slowSql.end({ timeout: 5 })]);
    await database.drop();
  };
  const test = TestRunner.getCurrentTest();
  if (test && !test.concurrent) onTestFinished(stop);
  else afterAll(stop);

  const origin = `http://127.0.0.1:${api.port}`;
  return {
    core,
    sql,
    databaseUrl: database.url,
    origin,
    baseUrl: `${origin}/api/v1/public`,
    stop,
    /** A further organization; every test can have its own. */
    createOrganization: () => testOrganization({ sql, clock, environment: core.environment }),
  };
}

export type TestDealkeep = Awaited<ReturnType<typeof startDealkeep>>;

async function testOrganization(options: {
  sql: Parameters<typeof createOrganization>[0]['sql'];
  clock: Clock;
  environment: Environment;
}): Promise<TestOrganization> {
  const slug = `test-${randomBytes(6).toString('hex')}`;
  const ownerEmail = `owner@${slug}.example`;
  const { id } = await createOrganization(options, { name: 'Test organization', slug });
  const owner = await createUser(options, {
    organization: slug,
    name: 'Jana Horváthová',
    email: ownerEmail,
    password: 'correct horse battery',
    role: 'owner',
  });
  const createKey: TestOrganization['createKey'] = ({ scopes, legacy, expiresAt, name = 'Test key' } = {}) =>
    createApiKey(options, {
      organization: slug,
      name,
      grant: legacy ? { legacy } : scopes ? { scopes } : { preset: 'automation' },
      ...(expiresAt ? { expiresAt } : {}),
    });
  const key = await createKey();
  return { id, slug, ownerEmail, ownerId: owner.id, key: key.token, keyId: key.id, createKey };
}
