import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Hono } from 'hono';
import type { ApiEnvironment, Malformation } from './api-environment.ts';

export type Fetch = Hono<ApiEnvironment>['fetch'];

/** The answer to what is no valid request, in the form that every error has. */
export const malformedAnswer = (fetch: Fetch, malformed: Malformation): Response | Promise<Response> =>
  fetch(new Request('http://localhost/'), { malformed });

const timeoutCode = 'ERR_HTTP_REQUEST_TIMEOUT';

export interface MalformedRequest {
  socket: Duplex;
  /** Why it could not be read. */
  error?: Error & { code?: string };
  /** Headers of every response. */
  headers: Readonly<Record<string, string>>;
}

/** Answers on a connection whose bytes are no HTTP, which Node would do without a body and our headers. */
export async function answerMalformed(
  fetch: Fetch,
  { socket, error, headers: further }: MalformedRequest,
): Promise<void> {
  if (error?.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const response = await malformedAnswer(
    fetch,
    error?.code === timeoutCode ? 'request.too_slow' : 'request.malformed',
  );
  const body = Buffer.from(await response.arrayBuffer());
  response.headers.set('Content-Length', String(body.length));
  response.headers.set('Connection', 'close');
  for (const [name, value] of Object.entries(further)) response.headers.set(name, value);
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}\r\n${headers}\r\n`;
  socket.end(Buffer.concat([Buffer.from(head, 'latin1'), body]));
}
