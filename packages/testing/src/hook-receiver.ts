import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, onTestFinished, TestRunner } from 'vitest';
import type { Certificate } from './certificates.ts';
import { eventually } from './time.ts';

export interface HookRequest {
  headers: Record<string, string>;
  /** As they stand on the wire: name, value, name, value. */
  rawHeaders: string[];
  path: string;
  body: string;
  envelope: { id: string; type: string; data: { id: string } & Record<string, unknown> };
  /** Milliseconds of `performance.now()`. */
  at: number;
}

/** A status, a whole answer, or no answer at all. */
export type Reply = number | { status: number; headers?: Record<string, string>; body?: string } | 'hang';

export interface HookReceiver {
  url: string;
  requests: HookRequest[];
  /** What is answered from now on; 200 at first. */
  answerWith(reply: Reply | ((request: HookRequest) => Reply | Promise<Reply>)): void;
  /** Waits until so many requests have come. */
  received(count: number): Promise<HookRequest[]>;
  stop(): Promise<void>;
}

/**
 * What a subscriber runs: it keeps what it was sent. Stops with the test, or with the file when made outside of one.
 */
export async function startHookReceiver(certificate?: Certificate): Promise<HookReceiver> {
  let answer: (request: HookRequest) => Reply | Promise<Reply> = () => 200;
  const requests: HookRequest[] = [];
  const server: Server = certificate ? createSecureServer({ ...certificate }) : createServer();
  server.on('request', async (request, response) => {
    const at = performance.now();
    const body = await text(request);
    const received: HookRequest = {
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ),
      rawHeaders: request.rawHeaders,
      path: request.url ?? '',
      body,
      envelope: JSON.parse(body),
      at,
    };
    requests.push(received);
    const reply = await answer(received);
    if (reply === 'hang') return;
    const {
      status,
      headers = {},
      body: answered = '',
    } = typeof reply === 'number' ? { status: reply } : reply;
    response.writeHead(status, headers).end(answered);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let stopped: Promise<unknown> | undefined;
  const stop = async (): Promise<void> => {
    stopped ??= once(server.close(), 'close');
    server.closeAllConnections();
    await stopped;
  };
  const test = TestRunner.getCurrentTest();
  if (test && !test.concurrent) onTestFinished(stop);
  else afterAll(stop);
  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}/hook`,
    requests,
    answerWith(reply) {
      answer = typeof reply === 'function' ? reply : () => reply;
    },
    async received(count) {
      await eventually(() => {
        if (requests.length < count) throw new Error(`${requests.length} of ${count} requests have come`);
      });
      return requests;
    },
    stop,
  };
}
