import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type createApi, type RunningServer, serve, transportSecurity } from '@dealkeep/api';
import { OperatorError } from '@dealkeep/core/foundations';
import type { Configuration } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';

type Api = ReturnType<typeof createApi>;

interface Patience {
  log: (line: string) => void;
  /** Ends the waiting. */
  signal: AbortSignal;
}

type Place = Pick<Configuration, 'port' | 'host'>;

/**
 * Listens where the configuration says. The API may come later than the port, which with PORT=0 is known only then:
 * requests wait for it. A port that is in use is waited for, because whoever had it may be about to end. Raises
 * ConfigurationError when the address cannot be had, and OperatorError when the port stays in use.
 */
export async function listen(
  { port, host, origin }: Configuration,
  api: Promise<Api>,
  patience: Patience,
): Promise<RunningServer> {
  const fetch: Api['fetch'] = async (...request) => (await api).fetch(...request);
  return whenFree({ port, host }, patience, () =>
    serve({ fetch }, { port, host, headers: transportSecurity(origin) }),
  );
}

/**
 * Raises what `listen` would, and keeps nothing: a start that cannot listen is to say so before it makes a database.
 * The port is not kept meanwhile, so that a load balancer finds nobody there rather than somebody who does not
 * answer.
 */
export async function requirePort({ port, host }: Configuration, patience: Patience): Promise<void> {
  await whenFree({ port, host }, patience, async () => {
    const server = createServer((socket) => socket.destroy()).listen(port, host);
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
  });
}

/** Takes a port, and waits for one that is in use. */
async function whenFree<Taken>(
  { port, host }: Place,
  { log, signal }: Patience,
  take: () => Promise<Taken>,
): Promise<Taken> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await take();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== 'EADDRINUSE') throw problemOf(error, code, { port, host });
      if (tries === mostTries) throw new OperatorError(`PORT ${port} is in use on ${host}`);
      if (tries === 1) log(`Waiting for port ${port}, which is in use on ${host}`);
      await sleep(portTriedAgainMs);
      signal.throwIfAborted();
    }
  }
}

const mostTries = 25;
const portTriedAgainMs = 200;

function problemOf(error: unknown, code: unknown, { port, host }: Place): unknown {
  if (code === 'EACCES') {
    return new ConfigurationError('PORT', `takes a port that this user may use: ${port} is not allowed`);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new ConfigurationError('HOST', `takes an address of this machine, not ${JSON.stringify(host)}`);
  }
  return error;
}
