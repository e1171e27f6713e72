import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asciiLowerCase, limits } from '@dealkeep/contract';
import { getRequestListener } from '@hono/node-server';
import { answerMalformed, type Fetch, malformedAnswer } from './answer-malformed.ts';

export interface RunningServer {
  port: number;
  /**
   * Goes on answering, but asks to be left alone: `/readyz` says 503, and every response ends its connection. So a
   * load balancer finds elsewhere to go before nobody listens here any more.
   */
  drain(): void;
  /** Stops accepting, lets what runs finish within the limit, then ends the rest. */
  stop(limitMs: number): Promise<void>;
}

export interface ServeAddress {
  port: number;
  host: string;
  /** Milliseconds within which a request must have come whole, its body included; 60 s when absent. */
  patienceMs?: number;
  /** Headers of every response, whoever answers: the API, the console, a page of health. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Tells browsers to keep to https for a year (RFC 6797), for an `origin` that has it. Subdomains are left alone:
 * other services may live there.
 */
export const transportSecurity = (origin: string | undefined): Record<string, string> =>
  origin?.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {};

/**
 * Listens for HTTP. Whoever sends a request more slowly than the patience allows, is answered BAD_REQUEST and cut
 * off, at most half as long again after that. Rejects with the operating system's error, such as EADDRINUSE.
 */
export async function serve(
  { fetch }: { fetch: Fetch },
  { port, host, patienceMs = limits.requestSeconds * 1000, headers = {} }: ServeAddress,
): Promise<RunningServer> {
  let draining = false;
  const answer: Fetch = (request, env) => fetch(request, draining ? { ...env, stopping: true } : env);
  // HTTP/1.0 has no Host header, and some health checks still speak it; nothing here depends on it.
  const listener = getRequestListener(answer, {
    hostname: 'localhost',
    errorHandler: () => malformedAnswer(fetch, 'request.malformed'),
  });
  const refuse = getRequestListener(() => malformedAnswer(fetch, 'request.malformed'), {
    hostname: 'localhost',
  });
  const options = {
    requestTimeout: patienceMs,
    connectionsCheckingInterval: patienceMs / 2,
    // Node would answer by itself, without a body and our headers.
    requireHostHeader: false,
  };
  const server = createServer(options, (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (draining) response.setHeader('Connection', 'close');
    return (isMalformed(request) ? refuse : listener)(request, response);
  });
  // An `Expect` header that Node does not know is ignored: the request is answered as it stands, not refused with
  // 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error, socket) => answerMalformed(fetch, { error, socket, headers }));
  // CONNECT is answered as malformed; Node would close the connection without an answer.
  server.on('connect', (_, socket) => answerMalformed(fetch, { socket, headers }));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const bound = server.address() as AddressInfo;
  return {
    port: bound.port,
    drain() {
      draining = true;
    },
    stop: (limitMs) => stop(server, limitMs),
  };
}

/**
 * Malformed requests that Node's parser lets through: a request line without a version, HTTP/1.1 without a host, and
 * any with two of them (RFC 9112, 3.2). A proxy in front may have judged the request by the one that Node drops.
 */
function isMalformed({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return true;
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && asciiLowerCase(name) === 'host').length;
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1');
}

function stop(server: Server, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = setTimeout(() => server.closeAllConnections(), limitMs);
    // Closes idle connections again and again, because one becomes idle only when its request is answered, and its
    // client would keep it open for seconds.
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
    server.close(() => {
      clearTimeout(end);
      clearInterval(sweep);
      resolve();
    });
  });
}

const sweepMs = 50;
