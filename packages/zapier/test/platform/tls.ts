import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** An authority of one's own and what it signed for `localhost`, both good for a day, made by openssl in a folder. */
export interface Authority {
  /** The file of the authority's certificate, for `NODE_EXTRA_CA_CERTS`. */
  readonly path: string;
  readonly own: Certificate;
  readonly localhost: Certificate;
}

export async function makeAuthority(folder: string): Promise<Authority> {
  const path = (name: string) => join(folder, name);
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  await run('openssl', [
    ...['req', '-x509', ...newKey, '-subj', '/CN=Authority', '-addext', 'subjectAltName=DNS:localhost'],
    ...['-keyout', path('authority.key'), '-out', path('authority.pem')],
  ]);
  await run('openssl', [
    ...['req', '-x509', ...newKey, '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
    ...['-addext', 'basicConstraints=critical,CA:FALSE'],
    ...['-CA', path('authority.pem'), '-CAkey', path('authority.key')],
    ...['-keyout', path('localhost.key'), '-out', path('localhost.pem')],
  ]);
  const read = async (name: string): Promise<Certificate> => ({
    cert: await readFile(path(`${name}.pem`), 'utf8'),
    key: await readFile(path(`${name}.key`), 'utf8'),
  });
  return { path: path('authority.pem'), own: await read('authority'), localhost: await read('localhost') };
}

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
