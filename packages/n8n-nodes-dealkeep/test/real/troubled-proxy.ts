import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Certificate } from '@dealkeep/testing/certificates';

export type Trouble = 'pass' | 'lose the answer' | 'hang' | 'time out' | 'answer 503' | Refusal | Warning;

/** By the rate limit, for so many seconds. */
interface Refusal {
  readonly retryAfter: number;
}

/** The answer of the API, which says that so few of 20 requests are left for so many seconds. */
interface Warning {
  readonly left: number;
  readonly reset: number;
}

/** What came through; `status` and `retryAfter` (seconds) as the API answered, where it was asked. */
export interface SeenRequest {
  at: number;
  idempotencyKey: string | undefined;
  status?: number;
  retryAfter?: string;
}

export interface TroubledProxy {
  origin: string;
  /** What happens to the next requests, one after another; then all pass. Forgets what was seen. */
  next(troubles: readonly Trouble[]): void;
  /** From now on nothing gets through, or everything again. */
  cut(isCut: boolean): void;
  seen(): SeenRequest[];
  stop(): Promise<void>;
}

export interface ProxyOptions {
  /** How much faster the clock of the API runs; the seconds that it answers are shortened accordingly. */
  speed?: number;
  /** Speaks https with it. */
  certificate?: Certificate;
}

/** Stands between n8n and the real API, and fails as networks and busy services do. */
export async function startTroubledProxy(
  target: string,
  { speed = 1, certificate }: ProxyOptions = {},
): Promise<TroubledProxy> {
  let troubles: Trouble[] = [];
  let cut = false;
  let seen: SeenRequest[] = [];

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (cut) {
      response.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const key = request.headers['idempotency-key'];
    const entry: SeenRequest = {
      at: Date.now(),
      idempotencyKey: typeof key === 'string' ? key : undefined,
    };
    seen.push(entry);
    const trouble = troubles.shift() ?? 'pass';
    if (trouble === 'answer 503') {
      respond(response, 503, 'SERVICE_UNAVAILABLE', {});
      return;
    }
    if (typeof trouble === 'object' && 'retryAfter' in trouble) {
      const seconds = String(trouble.retryAfter);
      respond(response, 429, 'RATE_LIMITED', {
        'retry-after': seconds,
        'x-ratelimit-limit': '20',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': seconds,
      });
      return;
    }
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(request.headers)) {
      if (typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name))
        headers[name] = value;
    }
    const answer = await fetch(target + (request.url ?? ''), {
      method: request.method ?? 'GET',
      headers,
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    if (trouble === 'lose the answer') {
      response.destroy();
      return;
    }
    // The API has done its work, but nobody will ever hear of it.
    if (trouble === 'hang') return;
    // A gateway that has waited for long enough; the API has done its work nevertheless.
    if (trouble === 'time out') {
      response.writeHead(504, { 'content-type': 'text/html' });
      response.end('<h1>Gateway time-out</h1>');
      return;
    }
    const shown: Record<string, string> = {};
    for (const name of ['content-type', 'x-ratelimit-limit', 'x-ratelimit-remaining']) {
      const value = answer.headers.get(name);
      if (value !== null) shown[name] = value;
    }
    for (const name of ['retry-after', 'x-ratelimit-reset']) {
      const seconds = answer.headers.get(name);
      if (seconds !== null) shown[name] = String(Math.ceil(Number(seconds) / speed));
    }
    if (typeof trouble === 'object') {
      const { left, reset } = trouble;
      shown['x-ratelimit-limit'] = '20';
      shown['x-ratelimit-remaining'] = String(left);
      shown['x-ratelimit-reset'] = String(reset);
    }
    Object.assign(entry, { status: answer.status, retryAfter: shown['retry-after'] });
    response.writeHead(answer.status, shown);
    response.end(body);
  };

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch(() => response.destroy());
  };
  const server = certificate ? createSecureServer({ ...certificate }, answer) : createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The proxy has no port');
  return {
    origin: `http${certificate ? 's' : ''}://127.0.0.1:${address.port}`,
    next: (wanted) => {
      troubles = [...wanted];
      seen = [];
    },
    cut: (isCut) => {
      cut = isCut;
    },
    seen: () => seen,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function respond(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ error: { code, message: 'Trouble' } }));
}
