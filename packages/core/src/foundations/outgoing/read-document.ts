import type { Dispatcher } from 'undici';
import { RequestFailure, requestFailure, timedOut } from './request-failure.ts';

export interface DocumentRequest {
  /** Milliseconds for everything together: resolving, connecting, TLS, head and body. */
  readonly limitMs: number;
  /** A longer body is refused. */
  readonly limitBytes: number;
  /** The header `Accept`. */
  readonly accept: string;
}

export interface ReadDocument {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly cacheControl: string | undefined;
  readonly expires: string | undefined;
  readonly date: string | undefined;
  /** Undefined when it is longer than was asked for. */
  readonly body: Buffer | undefined;
}

/**
 * Gets a document once: no redirect is followed, nothing is sent of whoever asks. Raises RequestFailure for trouble
 * of the network. The agent is the caller's, who destroys it: a request that has no connection yet ends only so.
 */
export async function readDocument(
  agent: Dispatcher,
  url: URL,
  { limitMs, limitBytes, accept }: DocumentRequest,
): Promise<ReadDocument> {
  const limit = new AbortController();
  // undici heeds no signal while it resolves and connects, so the wait is ended here.
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const failure = timedOut(limitMs);
      limit.abort(failure);
      reject(failure);
    }, limitMs);
  });
  try {
    return await Promise.race([late, get(agent, url, { limitBytes, accept, signal: limit.signal })]);
  } finally {
    clearTimeout(timer);
  }
}

async function get(
  agent: Dispatcher,
  url: URL,
  { limitBytes, accept, signal }: { limitBytes: number; accept: string; signal: AbortSignal },
): Promise<ReadDocument> {
  let begun: number | undefined;
  try {
    const { statusCode, headers, body } = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: { accept, 'user-agent': 'Dealkeep' },
      signal,
    });
    begun = statusCode;
    const document = {
      status: statusCode,
      contentType: oneOf(headers['content-type']),
      cacheControl: oneOf(headers['cache-control']),
      expires: oneOf(headers['expires']),
      date: oneOf(headers['date']),
    };
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of body) {
      const bytes = Buffer.from(piece);
      length += bytes.length;
      // Leaving the loop ends the connection.
      if (length > limitBytes) return { ...document, body: undefined };
      pieces.push(bytes);
    }
    return { ...document, body: Buffer.concat(pieces) };
  } catch (error) {
    throw signal.aborted && signal.reason instanceof RequestFailure ? signal.reason : asFailure(error, begun);
  }
}

function asFailure(error: unknown, status: number | undefined): RequestFailure {
  const { reason, detail } = requestFailure(error, status);
  return new RequestFailure(reason, { ...(detail === undefined ? {} : { detail }), cause: error });
}

const oneOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;
