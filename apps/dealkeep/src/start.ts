import { createApi, type RunningServer, serve } from '@dealkeep/api';
import { type CoreOptions, connect, createCore, systemClock } from '@dealkeep/core';
import { type RunningWorker, startWorker } from '@dealkeep/worker';
import type { Logger } from 'pino';
import type { Configuration } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';
import { createDemoOrganization } from './demo-organization.ts';
import { createLogger } from './logging.ts';
import { ensureMigrated, openDatabase } from './open-database.ts';
import { loadSecrets } from './secrets-key.ts';
import { welcome } from './welcome.ts';

/** What runs may finish within this time when the process is told to stop. */
const stopLimitMs = 10_000;
const slowConnections = 3;

/** Runs the chosen roles until a signal comes or the database is lost. Answers the exit code. */
export async function start(configuration: Configuration): Promise<number> {
  const log = createLogger(configuration);
  const stopped = stopSignal(log);
  const database = await openDatabase(configuration, (line) => log.info(line));
  const closers: (() => Promise<unknown>)[] = [() => database.close()];
  try {
    const sql = connect(database.url, { connections: configuration.databasePool, name: 'dealkeep' });
    const slowSql = connect(database.url, { connections: slowConnections, name: 'dealkeep slow' });
    closers.unshift(() => Promise.all([sql.end({ timeout: 5 }), slowSql.end({ timeout: 5 })]));
    const applied = await ensureMigrated(sql, database.url);
    if (applied.length > 0) log.info({ migrations: applied }, 'The database is up to date');

    const { environment, origin, allowedTargets, roles } = configuration;
    const secrets = await loadSecrets(configuration);
    const shared: CoreOptions = {
      sql,
      slowSql,
      clock: systemClock,
      log,
      origin,
      environment,
      secrets,
      allowedTargets,
    };
    const core = createCore(shared);
    const worker = roles.has('worker') ? await runWorker(configuration, core, database.url) : undefined;
    if (worker) closers.unshift(() => worker.stop(stopLimitMs));
    const server = roles.has('api') ? await listen(configuration, core) : undefined;
    if (server) closers.unshift(() => server.stop(stopLimitMs));
    // Last of all, so that a start that failed has not shown its key to nobody.
    const demo = database.embedded ? await createDemoOrganization(shared) : undefined;

    process.stdout.write(welcome(configuration, { demo, port: server?.port }));
    const lost = await Promise.race([stopped, database.lost]);
    if (lost === undefined) return 0;
    log.fatal({ last_words: lost }, 'The embedded PostgreSQL ended by itself');
    return 1;
  } finally {
    // The API first, the database last.
    for (const close of closers) {
      await close().catch((error) => log.error({ error }, 'Something did not stop cleanly'));
    }
    log.info('Stopped');
  }
}

function runWorker(
  { webhookConcurrency }: Configuration,
  core: ReturnType<typeof createCore>,
  databaseUrl: string,
): Promise<RunningWorker> {
  return startWorker({ core, databaseUrl, concurrency: webhookConcurrency });
}

async function listen(
  { port, host }: Configuration,
  core: ReturnType<typeof createCore>,
): Promise<RunningServer> {
  try {
    return await serve(createApi({ core }), { port, host });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') throw new ConfigurationError('PORT', `${port} is in use; set another one`);
    if (code === 'EACCES') throw new ConfigurationError('PORT', `${port} is not allowed for this user`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new ConfigurationError('HOST', `takes an address of this machine, not "${host}"`);
    }
    throw error;
  }
}

/** Resolved by the first SIGINT or SIGTERM. */
function stopSignal(log: Logger): Promise<undefined> {
  return new Promise((resolve) => {
    let asked = false;
    const ask = (signal: NodeJS.Signals): void => {
      // `npm start` passes on the Ctrl-C that the terminal has sent to everybody already.
      if (asked) return;
      asked = true;
      log.info({ signal }, 'Stopping');
      resolve(undefined);
    };
    process.on('SIGINT', ask);
    process.on('SIGTERM', ask);
  });
}
