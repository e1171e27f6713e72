import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { createApi, createOperations } from '@dealkeep/api';
import { type CoreOptions, createCore } from '@dealkeep/core';
import {
  connectPools,
  findPlacement,
  type Secrets,
  stopLimitMs,
  systemClock,
  traceBy,
} from '@dealkeep/core/foundations';
import {
  enterInstallation,
  needsNoKeyYet,
  type ProcessFacts,
  ProcessPresence,
} from '@dealkeep/core/installation';
import { createMcp } from '@dealkeep/mcp';
import type { Logger } from 'pino';
import { requireDirect } from './check-pooler.ts';
import { type Configuration, localOrigin } from './configuration.ts';
import { asConfigured } from './configuration-error.ts';
import { connectionsOf } from './connections-of.ts';
import { keepDemoLogin } from './demo-login.ts';
import { createDemoOrganization } from './demo-organization.ts';
import { listen, requirePort } from './listen.ts';
import { createLogger } from './logging.ts';
import { ensureMigrated, openDatabase, requireRights } from './open-database.ts';
import { loadSecrets } from './secrets-key.ts';
import { aborted, StopAsked, stopSignal, unhurriedly } from './stop-signal.ts';
import type { Surroundings } from './surroundings.ts';
import { version } from './version.ts';
import { announce } from './welcome.ts';

type Closers = (() => Promise<unknown>)[];

/** Runs the chosen roles until a signal comes or something fails that they need. Answers the exit code. */
export async function start(configuration: Configuration, surroundings: Surroundings): Promise<number> {
  const log = createLogger(configuration, surroundings.stdout);
  const stop = stopSignal(surroundings, log);
  const { drainSeconds } = configuration;
  const closers: Closers = [];
  try {
    const { lost, drain } = await run(configuration, surroundings, { log, stop, closers });
    await Promise.race([aborted(stop), lost, firstFailure(surroundings, log)]);
    if (drain && drainSeconds > 0 && stop.reason instanceof StopAsked && stop.reason.unhurried) {
      drain();
      await unhurriedly(surroundings, drainSeconds);
    }
    return stop.aborted ? 0 : 1;
  } catch (error) {
    if (error instanceof StopAsked) return 0;
    throw error;
  } finally {
    for (const close of closers) {
      await close().catch((error) => log.error({ error }, 'Something did not stop cleanly'));
    }
    log.info('Stopped');
  }
}

/** Starts everything, and writes down how to end it, in the order in which it is to end. */
async function run(
  configuration: Configuration,
  surroundings: Surroundings,
  { log, stop, closers }: { log: Logger; stop: AbortSignal; closers: Closers },
): Promise<{ lost: Promise<void>; drain: (() => void) | undefined }> {
  const { stdout } = surroundings;
  const { environment, allowedTargets, roles, mail, metricsToken, securityContacts } = configuration;
  const { webhookConcurrency: concurrency, outboundProxy, deliveriesHeld } = configuration;
  if (configuration.tracesEndpoint !== undefined) {
    const stopTracing = await trace(configuration.tracesEndpoint, surroundings.env, log);
    closers.unshift(stopTracing);
  }
  const report = (line: string): void => log.info(line);
  // A process that is only a worker listens for nothing but metrics.
  const serves = roles.has('api') || roles.has('console');
  const listens = serves || metricsToken !== undefined;
  if (listens) await requirePort(configuration, { log: report, signal: stop });
  const database = await openDatabase(configuration, { log: report, wait: true, signal: stop });
  closers.unshift(() => database.close());
  stop.throwIfAborted();

  const pools = connectPools(database.url, configuration.databasePool);
  const { sql } = pools;
  closers.unshift(() => Promise.all(Object.values(pools).map((pool) => pool.end({ timeout: 5 }))));
  const applied = await ensureMigrated(database, configuration.migrate);
  if (applied.length > 0) {
    const migrations = { migrations: applied.length, first: applied[0], last: applied.at(-1) };
    log.info(migrations, 'The database is up to date');
  }
  await requireRights(database.url);
  const given = await loadSecrets(configuration, () => needsNoKeyYet(sql));
  const facts = processFacts(configuration, given);
  const entering = enterInstallation(sql, { environment, secrets: given, process: facts });
  const secrets = await asConfigured(configuration, entering);
  const presence = new ProcessPresence(sql, facts, log);
  // After API and worker, before the connections close.
  closers.unshift(() => presence.stop());
  if (roles.has('worker')) await requireDirect(database.directUrl, 'a worker');
  stop.throwIfAborted();

  // API and worker end together, so that both share the one limit.
  const stoppers: Closers = [];
  closers.unshift(() => Promise.all(stoppers.map((each) => each())));
  const { promise: api, resolve: offer } = Promise.withResolvers<ReturnType<typeof createApi>>();
  const server = listens ? await listen(configuration, api, { log: report, signal: stop }) : undefined;
  if (server) stoppers.push(() => server.stop(stopLimitMs));
  const origin = configuration.origin ?? localOrigin(server?.port ?? configuration.port);
  const shared: CoreOptions = {
    ...pools,
    databaseUrl: database.directUrl,
    clock: systemClock,
    log,
    origin,
    environment,
    secrets,
    allowedTargets,
    outboundProxy,
    deliveriesHeld,
    placement: await findPlacement(sql),
    mailIsSetUp: mail !== undefined,
    accessLog: configuration.accessLog,
    trustProxy: configuration.trustProxy,
    retention: configuration.retention,
    storageQuotaMb: configuration.storageQuotaMb,
  };
  const core = createCore(shared);
  if (metricsToken !== undefined) {
    core.metrics.collectProcess();
    if (database.embedded) core.metrics.observeDisk(configuration.dataDir);
  }
  stoppers.push(() => core.eventStreams.stop());
  stoppers.push(async () => core.waitingReaders.stop());
  if (roles.has('worker')) {
    const databaseFolder = database.embedded ? configuration.dataDir : undefined;
    const backups = configuration.backups && {
      ...configuration.backups,
      version: version(),
      databaseFolder,
    };
    const { startWorker } = await import('@dealkeep/worker');
    const worker = await startWorker({ core, databaseUrl: database.directUrl, concurrency, mail, backups });
    stoppers.push(() => worker.stop(stopLimitMs));
  }
  stop.throwIfAborted();

  // Last of all, so that a start that failed has not made a key that nobody has seen.
  const demo = database.embedded
    ? await createDemoOrganization(shared, (access) => keepDemoLogin(configuration, access, stdout))
    : undefined;
  announce(configuration, log, stdout, { demo, port: serves ? server?.port : undefined });
  if (server && !serves) log.info({ port: server.port }, 'Health and metrics are served');
  // Requests that came early are answered from here on, when everything is in place and the key is printed.
  // Loaded with its role alone, as the worker: it takes a quarter of what a start costs.
  const elsewhere = roles.has('console')
    ? (await import('@dealkeep/console')).createConsole({ core })
    : undefined;
  surroundings.begins?.();
  const assistants = createMcp(core, version());
  const answers = roles.has('api') ? createApi : createOperations;
  offer(answers({ core, elsewhere, assistants, metricsToken, securityContacts }));
  const lost = database.lost.then((lastWords) =>
    log.fatal({ last_words: lastWords }, 'The embedded PostgreSQL ended by itself'),
  );
  const drain = (): void => {
    server?.drain();
    core.waitingReaders.stop();
  };
  return { lost, drain: serves ? drain : undefined };
}

/** Nothing of it is loaded where nobody asks for traces. Answers what hands over the last of them. */
async function trace(
  endpoint: string,
  variables: NodeJS.ProcessEnv,
  log: Logger,
): Promise<() => Promise<void>> {
  const { startTracing } = await import('./tracing/open-telemetry.ts');
  const { tracing, stop } = startTracing({ endpoint, version: version(), variables, log });
  traceBy(tracing);
  return async () => {
    traceBy(undefined);
    await stop();
  };
}

const processFacts = (configuration: Configuration, secrets: Secrets): ProcessFacts => ({
  id: randomUUID(),
  host: hostname(),
  version: version(),
  roles: [...configuration.roles],
  secretsKeys: secrets.fingerprints,
  deliveriesHeld: configuration.deliveriesHeld,
  connections: connectionsOf(configuration),
});

/** Fulfilled by an error that nothing has caught: a fault of ours. What runs may end in order. */
function firstFailure(surroundings: Surroundings, log: Logger): Promise<void> {
  return new Promise((resolve) => {
    surroundings.on('uncaughtException', (error) => {
      log.fatal({ error }, 'Something failed that nothing expected');
      resolve();
    });
  });
}
