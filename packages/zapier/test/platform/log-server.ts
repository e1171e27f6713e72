import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen } from './listen.ts';

export interface LogServer {
  readonly url: string;
  /** Everything that was reported so far, JSON lines. */
  text(): string;
  close(): Promise<void>;
}

/** The side of Zapier that keeps the log of runs, which users and the publisher read. */
export async function startLogServer(): Promise<LogServer> {
  let reported = '';
  const server = createServer(async (request, response) => {
    reported += await text(request);
    response.end();
  });
  return { url: await listen(server), text: () => reported, close: () => close(server) };
}
