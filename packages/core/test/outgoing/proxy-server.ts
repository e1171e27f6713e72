import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Certificate } from '@dealkeep/testing/certificates';
import { onTestFinished } from 'vitest';

export interface ProxyServer {
  readonly url: string;
  readonly port: number;
  /** What was asked for, such as `127.0.0.1:443`, and with which credentials. */
  readonly asked: { authority: string; authorization: string | undefined }[];
}

/** What the proxy does with a CONNECT: the status it answers with, or where it leads in place of the target. */
export type ProxyManner = (authority: string) => number | string;

/** A proxy on this machine that knows CONNECT. Ends with the test. */
export async function startProxyServer(
  manner: ProxyManner = (authority) => authority,
  certificate?: Certificate,
): Promise<ProxyServer> {
  const asked: { authority: string; authorization: string | undefined }[] = [];
  const open = new Set<Duplex>();
  const server: Server = certificate ? createSecureServer({ ...certificate }) : createServer();
  server.on('connect', ({ url: authority = '', headers }: IncomingMessage, client: Socket) => {
    asked.push({ authority, authorization: headers['proxy-authorization'] });
    const keep = (socket: Duplex): void => {
      open.add(socket);
      socket.on('error', () => socket.destroy());
    };
    keep(client);
    const to = manner(authority);
    if (typeof to === 'number') return void client.end(`HTTP/1.1 ${to} No\r\ncontent-length: 0\r\n\r\n`);
    const { hostname, port } = new URL(`http://${to}`);
    const target = connect(Number(port), hostname.replace(/^\[|\]$/g, ''), () => {
      client.write('HTTP/1.1 200 Connected\r\n\r\n');
      client.pipe(target).pipe(client);
    });
    keep(target);
    target.once('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return { url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`, port, asked };
}
