import { setTimeout as sleep } from 'node:timers/promises';
import { type createApi, type RunningServer, serve, transportSecurity } from '@dealkeep/api';
import { OperatorError } from '@dealkeep/core';
import type { Configuration } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';

type Api = ReturnType<typeof createApi>;

/**
 * Listens where the configuration says. The API may come later than the port, which with PORT=0 is known only then:
 * requests wait for it. A port that is in use is waited for, because whoever had it may be about to end. Raises
 * ConfigurationError when the address cannot be had, and OperatorError when the port stays in use.
 */
export async function listen(
  { port, host, origin }: Configuration,
  api: Promise<Api>,
  { log, signal }: { log: (line: string) => void; signal: AbortSignal },
): Promise<RunningServer> {
  const fetch: Api['fetch'] = async (...request) => (await api).fetch(...request);
  for (let tries = 1; ; tries += 1) {
    try {
      return await serve({ fetch }, { port, host, headers: transportSecurity(origin) });
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

function problemOf(
  error: unknown,
  code: unknown,
  { port, host }: Pick<Configuration, 'port' | 'host'>,
): unknown {
  if (code === 'EACCES') {
    return new ConfigurationError('PORT', `takes a port that this user may use: ${port} is not allowed`);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new ConfigurationError('HOST', `takes an address of this machine, not ${JSON.stringify(host)}`);
  }
  return error;
}
