import { type createApi, type RunningServer, serve, transportSecurity } from '@dealkeep/api';
import type { Configuration } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';

type Api = ReturnType<typeof createApi>;

/**
 * Listens where the configuration says. The API may come later than the port, which with PORT=0 is known only then:
 * requests wait for it. Raises ConfigurationError when the address cannot be had.
 */
export async function listen(
  { port, host, origin }: Configuration,
  api: Promise<Api>,
): Promise<RunningServer> {
  const fetch: Api['fetch'] = async (...request) => (await api).fetch(...request);
  try {
    return await serve({ fetch }, { port, host, headers: transportSecurity(origin) });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new ConfigurationError('PORT', `takes a port that is free: ${port} is in use on ${host}`);
    }
    if (code === 'EACCES') {
      throw new ConfigurationError('PORT', `takes a port that this user may use: ${port} is not allowed`);
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      throw new ConfigurationError('HOST', `takes an address of this machine, not ${JSON.stringify(host)}`);
    }
    throw error;
  }
}
