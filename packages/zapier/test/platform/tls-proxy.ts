import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Certificate } from '@dealkeep/testing/certificates';

/** What stands before a service that speaks plain http, as a reverse proxy does: https in, http on. */
export function tlsProxy(certificate: Certificate, port: string): Server {
  return createServer(certificate, (incoming, outgoing) => {
    const { method, url, headers, socket } = incoming;
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': socket.remoteAddress };
    const onward = request(
      { host: '127.0.0.1', port, method, path: url, headers: { ...headers, ...forwarded } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(outgoing);
      },
    );
    onward.once('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
}
