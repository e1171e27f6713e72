import type { Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';

/** Listens on a free port of this machine and returns the address. */
export async function listen(server: Server | SecureServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return `http://127.0.0.1:${address.port}`;
}

/** Ends a server and every connection to it. */
export async function close(server: Server | SecureServer): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
