import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, onTestFinished, TestRunner } from 'vitest';
import { createAuthority, issueCertificate } from './certificates.ts';

/** What is answered: an object as JSON, or whatever a test makes of the response. */
export type HostedDocument = object | ((response: ServerResponse) => void);

export interface AssistantHost {
  /** The address of a document, which is its client_id. */
  address(path?: string): string;
  /** What a good document at an address says, but for what a test changes. */
  document(changes?: Readonly<Record<string, unknown>>, path?: string): Record<string, unknown>;
  /** What is answered from now on, and with which headers. */
  serve(document: HostedDocument, headers?: Readonly<Record<string, string>>, path?: string): void;
  /** The paths that were asked for, and the headers that came. */
  readonly requests: { readonly path: string; readonly headers: NodeJS.Dict<string | string[]> }[];
}

/**
 * The server of an assistant's makers, on https: it tells what its client is (a Client ID Metadata Document).
 * Whoever runs in this process trusts it. Ends with the test, or with the file when made outside of one.
 */
export async function startAssistantHost(names: readonly string[] = ['127.0.0.1']): Promise<AssistantHost> {
  // Others may trust an authority of theirs in this process: of two of one name, only the first would be looked at.
  const authority = createAuthority(`Authority ${randomUUID()}`);
  const trusted = getCACertificates();
  setDefaultCACertificates([...trusted, authority.cert]);
  const served = new Map<string, (response: ServerResponse) => void>();
  const requests: AssistantHost['requests'] = [];
  const server = createServer({ ...issueCertificate(authority, [...names]) }, (request, response) => {
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers });
    const answer = served.get(path);
    if (answer) answer(response);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    setDefaultCACertificates(trusted);
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  if (TestRunner.getCurrentTest()) onTestFinished(stop);
  else afterAll(stop);
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The host has no port');
  const usual = '/oauth/client.json';
  const address = (path = usual) => `https://${names[0]}:${bound.port}${path}`;
  return {
    address,
    requests,
    document: (changes = {}, path = usual) => ({
      client_id: address(path),
      client_name: 'Claude',
      redirect_uris: [
        'https://claude.example/callback',
        'http://localhost/callback',
        'http://127.0.0.1/callback',
      ],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...changes,
    }),
    serve(document, headers = {}, path = usual) {
      served.set(path, (response) => {
        if (typeof document === 'function') return document(response);
        response.writeHead(200, { 'content-type': 'application/json', ...headers });
        response.end(JSON.stringify(document));
      });
    },
  };
}
