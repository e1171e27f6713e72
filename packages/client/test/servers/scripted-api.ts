import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './listen.ts';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How the server treats one request. */
export type Script = (response: ServerResponse) => void;

/**
 * An API in trouble, which the real one cannot be made to be on demand. Each request gets the next script, the last
 * one for good.
 */
export async function scriptedApi(...scripts: readonly [Script, ...Script[]]) {
  const seen: SeenRequest[] = [];
  const { origin } = await listen(async (request, response) => {
    const script = scripts[Math.min(seen.length, scripts.length - 1)] ?? scripts[0];
    // Seen before its body is read: what is aborted midway counts, too.
    const { method = '', url = '', headers } = request;
    const place = seen.push({ method, url, headers, body: '' }) - 1;
    seen[place] = { method, url, headers, body: await text(request) };
    script(response);
  });
  return { baseUrl: `${origin}/api/v1/public`, seen };
}

export const answer =
  (status: number, content: unknown, headers: Readonly<Record<string, string>> = {}): Script =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify(content));
  };

export const refuse = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
  detail?: unknown,
): Script =>
  answer(status, { error: { code, message: `It is ${code}.`, ...(detail ? { detail } : {}) } }, headers);

/** What a proxy shows when the API behind it is away. */
export const htmlPage =
  (status: number, headers: Readonly<Record<string, string>> = {}): Script =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'text/html', ...headers });
    response.end('<html><body><h1>It is not here</h1></body></html>');
  };

export const hangUp: Script = (response) => {
  response.socket?.destroy();
};

/** Headers and half a body, then the connection ends. */
export const halfAnswer: Script = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  response.write('{"data": {"id": "0198', () => response.socket?.destroy());
};

/** Half a body that a careless proxy has closed as if it were whole. */
export const cutJson: Script = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end('{"data": {"id": "0198');
};

/** Never answers. */
export const silence: Script = () => {};

/** Begins an answer and never ends it. */
export const trickle: Script = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.write('{"data": ');
};
