import { type Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Log } from '@dealkeep/core/foundations';

interface Line {
  readonly level: string;
  readonly fields: object;
  readonly sentence: string;
}

/** A log that keeps its lines. */
export function keptLog(): { readonly lines: Line[]; readonly log: Log } {
  const lines: Line[] = [];
  const write =
    (level: string) =>
    (fields: object, sentence: string): void =>
      void lines.push({ level, fields, sentence });
  const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  return { lines, log };
}

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Bounds the connections; as many as there are requests without one. */
  readonly agent?: Agent;
}

/** Sends requests as no client of the protocol does. */
export const rawSender =
  (origin: string, key: string) =>
  async ({ method = 'POST', path = '/mcp', headers = {}, body = '', agent }: Sent) => {
    const { promise, resolve, reject } = Promise.withResolvers<{
      status: number;
      body: string;
      allow: unknown;
    }>();
    const outgoing = request(`${origin}${path}`, {
      method,
      ...(agent ? { agent } : {}),
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    });
    outgoing.on('error', reject).on('response', async (answer) => {
      const { statusCode: status = 0, headers: told } = answer;
      resolve({ status, body: await text(answer), allow: told['allow'] });
    });
    outgoing.end(body);
    return promise;
  };

export const message = (method: string, params: object = {}, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
/** A message of the revision of 2026. */
export const modern = (method: string, params: Record<string, unknown> = {}): Sent => ({
  headers: {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}),
  },
  body: message(method, { ...params, _meta }),
});
