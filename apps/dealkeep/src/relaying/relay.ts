import { Readable } from 'node:stream';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Implementation,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  SERVER_INFO_META_KEY,
  Server,
  type ServerCapabilities,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { oneLine } from '../one-line.ts';
import type { Surroundings } from '../surroundings.ts';
import { version } from '../version.ts';
import { askServer, type Question, type RelayTarget, ServerLost, serverRevision } from './ask-server.ts';
import { DiscoveringTransport } from './discovering-transport.ts';

/** What the server says of itself. */
interface Discovered {
  readonly capabilities: ServerCapabilities;
  readonly serverInfo: Implementation;
  readonly instructions?: string | undefined;
}

/** What can be asked, by the part of the server that answers it. */
const methods = {
  tools: ['tools/list', 'tools/call'],
  resources: ['resources/list', 'resources/templates/list', 'resources/read'],
  prompts: ['prompts/list', 'prompts/get'],
  completions: ['completion/complete'],
} as const satisfies Partial<Record<keyof ServerCapabilities, readonly string[]>>;

const parts = ['tools', 'resources', 'prompts', 'completions'] as const;

/** A JSON-RPC error of the relay's own; those of the server are handed on as they are. */
const relayError = -32_000;

/**
 * Answers the client behind stdin and stdout by what the server answers, until stdin ends and all that it asked is
 * answered. The client speaks its revision of the protocol, the server the newest; what the server asks of a person
 * is asked in the client's way. Answers whether the server could not be asked in the end.
 */
export async function relay(
  target: RelayTarget,
  { stdin, stdout, stderr }: Pick<Surroundings, 'stdin' | 'stdout' | 'stderr'>,
): Promise<boolean> {
  let told: string | undefined;
  /** One line for a trouble, and no second one as long as it lasts. */
  const tell = (trouble: string | undefined): void => {
    if (trouble !== undefined && trouble !== told) stderr.write(`${trouble}\n`);
    told = trouble;
  };
  const ask = async (question: Question): Promise<Record<string, unknown>> => {
    try {
      const reply = await askServer(target, question);
      tell(undefined);
      if ('result' in reply) return reply.result;
      const { code, message, data } = reply.error;
      throw new ProtocolError(code, message, data);
    } catch (error) {
      if (!(error instanceof ServerLost)) throw error;
      tell(error.message);
      throw new ProtocolError(relayError, error.message);
    }
  };
  // Ends later than stdin does: the transport answers nothing any more once its input has ended.
  const heard: Readable = Readable.from(untilAnswered(stdin, () => discovering.whenAnswered()));
  const client = new StdioServerTransport(heard, stdout);
  const discovering = new DiscoveringTransport(client, () => discover(ask));
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  serveStdio(() => serverFor(discovering.found, ask), {
    transport: discovering,
    onerror: (error) => tell(oneLine(error.message)),
  });
  heard.once('close', end);
  stdout.once('error', end);
  await ended;
  // Where stdout was closed first, it would keep the process alive.
  stdin.destroy();
  return told !== undefined;
}

/** What a stream says; it ends when its requests are answered. */
async function* untilAnswered(stream: Readable, whenAnswered: () => Promise<void>): AsyncGenerator<unknown> {
  try {
    yield* stream;
  } catch (error) {
    // A stream that is closed before its end says nothing more either.
    if (Object(error).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
  await whenAnswered();
}

type Ask = (question: Question) => Promise<Record<string, unknown>>;

const discoveredSchema = z.object({
  capabilities: z.looseObject({}),
  instructions: z.string().optional(),
  _meta: z.object({ [SERVER_INFO_META_KEY]: z.looseObject({ name: z.string(), version: z.string() }) }),
});

async function discover(ask: Ask): Promise<Discovered> {
  const found = await ask({
    method: 'server/discover',
    params: { _meta: metaOf({ name: 'dealkeep mcp', version: version() }, {}) },
  });
  const { _meta, ...told } = discoveredSchema.parse(found);
  return { ...told, serverInfo: _meta[SERVER_INFO_META_KEY] };
}

const metaOf = (client: Implementation | undefined, capabilities: unknown): Record<string, unknown> => ({
  [PROTOCOL_VERSION_META_KEY]: serverRevision,
  ...(client ? { [CLIENT_INFO_META_KEY]: client } : {}),
  [CLIENT_CAPABILITIES_META_KEY]: capabilities ?? {},
});

/** What looks to the client as the server does. */
function serverFor({ capabilities, serverInfo, instructions }: Discovered, ask: Ask): Server {
  const offered = Object.fromEntries(
    parts.filter((part) => capabilities[part]).map((part) => [part, capabilities[part]]),
  );
  const server = new Server(serverInfo, {
    capabilities: offered,
    ...(instructions === undefined ? {} : { instructions }),
  });
  for (const method of parts.filter((part) => offered[part]).flatMap((part) => methods[part])) {
    server.setRequestHandler(method, { params: z.looseObject({}) }, (params, { mcpReq }) =>
      ask({
        method,
        params: {
          ...params,
          // What a person has answered to what the server asked, with what the server remembers by.
          inputResponses: mcpReq.inputResponses,
          requestState: mcpReq.requestState(),
          _meta: {
            ...mcpReq._meta,
            ...metaOf(server.getClientVersion(), server.getClientCapabilities()),
            ...mcpReq.envelope,
          },
        },
        signal: mcpReq.signal,
        tell: (notification) => mcpReq.notify(notification),
      }),
    );
  }
  return server;
}
