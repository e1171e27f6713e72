import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen } from './listen.ts';

interface RpcCall {
  readonly id: string;
  readonly storeKey: string | null;
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface RpcServer {
  readonly url: string;
  /** While true, every call fails, as when Zapier's cache is down. */
  broken: boolean;
  /** What the run left in the cache, by key. */
  readonly cache: ReadonlyMap<string, unknown>;
  /** The cursors of paged dropdowns, by trigger; Zapier forgets them after an hour. */
  readonly cursors: Map<string, unknown>;
  close(): Promise<void>;
}

/**
 * Zapier's own services as an integration calls them during a run: the cursor of a paged dropdown, and the cache.
 */
export async function startRpcServer(): Promise<RpcServer> {
  const cache = new Map<string, unknown>();
  const cursors = new Map<string, unknown>();
  const state = { broken: false };

  const answer = ({ method, params, storeKey }: RpcCall): unknown => {
    const [first, value, , , onlyIfAbsent] = params;
    const key = String(first);
    switch (method) {
      case 'get_cursor':
        return cursors.get(String(storeKey)) ?? null;
      case 'set_cursor':
        cursors.set(String(storeKey), first);
        return null;
      case 'zcache_get':
        return cache.get(key) ?? null;
      case 'zcache_set':
        if (onlyIfAbsent === true && cache.has(key)) return false;
        cache.set(key, value);
        return true;
      default:
        throw new Error(`Nothing answers ${method}.`);
    }
  };

  const server = createServer(async (request, response) => {
    const call = await callIn(request);
    response.setHeader('Content-Type', 'application/json');
    response.statusCode = state.broken ? 400 : 200;
    response.end(
      JSON.stringify(state.broken ? { id: call.id, error: 'broken' } : { id: call.id, result: answer(call) }),
    );
  });
  const url = await listen(server);
  return Object.assign(state, {
    url,
    cache,
    cursors,
    close: () => close(server),
  });
}

const callIn = async (request: IncomingMessage): Promise<RpcCall> => JSON.parse(await text(request));
