import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mcpPath } from '@dealkeep/contract';
import { afterAll } from 'vitest';

export interface TokenRelay {
  readonly origin: string;
  /** Where it leads to, and the token that requests for MCP are given. */
  lead(target: { readonly origin: string; readonly token: string }): void;
}

/**
 * Hands every request on to a server as it comes, with a token where it is for MCP: for a program that cannot be
 * told one. Ends with the file.
 */
export async function startTokenRelay(): Promise<TokenRelay> {
  let led = { origin: 'http://127.0.0.1:9', token: '' };
  const server = createServer((incoming, outgoing) => {
    const { hostname, port } = new URL(led.origin);
    const { method, url: path, headers } = incoming;
    const token = path?.startsWith(mcpPath) ? { authorization: `Bearer ${led.token}` } : {};
    const onward = request(
      { host: hostname, port, method, path, headers: { ...headers, ...token } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    lead(target) {
      led = target;
    },
  };
}
