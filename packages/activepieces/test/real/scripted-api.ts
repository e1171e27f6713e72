import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export type ScriptedAnswer =
  | 'hang up'
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    };

export interface SeenRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Answers of an API in trouble, which the real one cannot be made to give on demand; the last one is repeated. */
export async function startScriptedApi(answers: readonly [ScriptedAnswer, ...ScriptedAnswer[]]) {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    await text(request);
    const answer = answers[Math.min(seen.length, answers.length - 1)] ?? answers[0];
    seen.push({ path: request.url ?? '', headers: request.headers });
    if (answer === 'hang up') {
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
  return { baseUrl: await listen(server), seen };
}

/** Stands before the real API and hangs up instead of giving back the first answers; the requests have arrived. */
export async function startLossyProxy(target: string, lost: number): Promise<string> {
  let count = 0;
  const server = createServer(async (request, response) => {
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(`${new URL(target).origin}${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      body: await text(request),
    });
    const body = await answer.text();
    count += 1;
    if (count <= lost) {
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(body);
  });
  return listen(server);
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
