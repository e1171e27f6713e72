import { limits } from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import { Problem } from '@dealkeep/core/foundations';
import type { Credential, RequestOrigin } from '@dealkeep/core/identity';
import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  originValidationResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type McpAddress, parseAddress } from './address.ts';
import { timeInstruction } from './arguments/read-time.ts';
import { serveCompletion } from './complete.ts';
import { servePrompts } from './prompts/serve-prompts.ts';
import { serveResources } from './resources/serve-resources.ts';
import { requireAssistants } from './switches.ts';
import { dataInstruction } from './texts/enclosed.ts';
import { inOneLine } from './texts/visible.ts';
import { toolNamed, toolsAt } from './tools/all-tools.ts';
import { isRefusal, refusalOf, refusedResult } from './tools/refusal.ts';
import type { Caller } from './tools/tool.ts';

/** A request of an assistant whose credential is known and counted. */
export interface McpRequest {
  readonly request: Request;
  /** Of a POST; read already, so that no second stream is made of it. */
  readonly body: Uint8Array;
  /** `/mcp/sales/readonly` */
  readonly path: string;
  readonly credential: Credential;
  /** For the audit log. */
  readonly from: RequestOrigin;
  /** Counts one request more, for what a call asks besides. Raises RATE_LIMITED. */
  countAnother(): Promise<void>;
  /** Says which tool is called, for the log of requests. */
  tell(tool: string): void;
}

/** The face that AI assistants see: the Model Context Protocol over Streamable HTTP. */
export interface Mcp {
  /**
   * Answers a request; nothing is remembered for the next one, so any process answers it. Raises NOT_FOUND for an
   * address that there is not, and FORBIDDEN where an owner has switched assistants off.
   */
  answer(request: McpRequest): Promise<Response>;
}

interface Addressed extends McpRequest {
  readonly address: McpAddress;
}

const instructions = [
  'Dealkeep keeps the business of an organization: companies, contacts, leads in pipelines, activities, tasks, invoices, bookings, orders and products.',
  'Where a tool asks for a record, its name is taken as well as its ID, and "me" for a person; what is ambiguous is answered with the candidates.',
  timeInstruction,
  dataInstruction,
].join(' ');

/** Makes the face of core that assistants see; `version` is that of this program. */
export function createMcp(core: Core, version: string): Mcp {
  const origins = [new URL(core.origin).hostname];
  // By what says who sent it: that alone is handed on as it is given, in every revision of the protocol.
  const asked = new WeakMap<AuthInfo, Addressed>();
  const makeHandler = () =>
    createMcpHandler(
      ({ authInfo }) => {
        const request = authInfo && asked.get(authInfo);
        if (!request) throw new Error('A server is asked for without a request');
        return serverFor(core, version, request);
      },
      {
        legacy: 'reject',
        onerror: (error) => core.log.debug({ error }, 'An assistant sent what is not the protocol'),
      },
    );
  const handler = makeHandler();
  return {
    async answer(asking) {
      const { request, path } = asking;
      const address = parseAddress(path);
      if (!address) throw new Problem('path.not_found');
      // A page of another site that a browser opens may not talk to this one, whatever name it has for it.
      const refused = originValidationResponse(request, origins);
      if (refused) return refused;
      requireAssistants(asking.credential, address);
      if (request.method !== 'POST') return refusal(405, -32_000, 'Method not allowed', { Allow: 'POST' });
      const parsedBody = parsed(asking.body);
      if (parsedBody === undefined) return refusal(400, ProtocolErrorCode.ParseError, 'The body is not JSON');
      // Neither revision has batches any more, and one would count as a single request, however many calls it makes.
      if (Array.isArray(parsedBody))
        return refusal(400, ProtocolErrorCode.InvalidRequest, 'One message at a time');
      const unbounded = beyondBounds(parsedBody);
      if (unbounded !== undefined) return refusal(400, ProtocolErrorCode.InvalidRequest, unbounded);
      if (await isLegacyRequest(request, parsedBody)) {
        return answerLegacy(serverFor(core, version, { ...asking, address }), request, parsedBody);
      }
      const { id, scopes } = asking.credential;
      // No tool needs the token, so none is handed on.
      const authInfo: AuthInfo = { token: '', clientId: id, scopes: [...scopes] };
      asked.set(authInfo, { ...asking, address });
      if (!isListening(parsedBody)) return handler.fetch(request, { authInfo, parsedBody });
      // Nothing is ever announced, so the stream of announcements is ended as it begins: nobody holds one open.
      const once = makeHandler();
      try {
        return await once.fetch(request, { authInfo, parsedBody });
      } finally {
        await once.close();
      }
    },
  };
}

/**
 * Answers a request of the older revision in one piece: the stream that the SDK opens by itself tells nothing more.
 */
async function answerLegacy(server: Server, request: Request, parsedBody: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

const isListening = (message: unknown): boolean => Object(message).method === 'subscriptions/listen';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Undefined where it is no JSON. */
function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}

/** Of the name of an unknown tool, as the answer repeats it. */
const longestToolName = 100;

/** No argument of a tool is nested half as deep; what looks into values of any kind would run out of stack. */
const deepest = 64;

/**
 * Why a message is larger than any tool needs; undefined where it is not. The SDK and the tools look at every value
 * several times, so the values are counted before either sees them, and the count ends at its limit.
 */
function beyondBounds(message: unknown): string | undefined {
  let counted = 0;
  const look = (value: unknown, levels: number): string | undefined => {
    if (typeof value !== 'object' || value === null) return undefined;
    if (levels === 0) return `At most ${deepest} levels of JSON`;
    const inner = Object.values(value);
    counted += inner.length;
    if (counted > limits.messageEntries) return `At most ${limits.messageEntries} values in a message`;
    for (const each of inner) {
      const why = look(each, levels - 1);
      if (why !== undefined) return why;
    }
    return undefined;
  };
  return look(message, deepest);
}

const refusal = (status: number, code: number, message: string, headers = {}): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });

/** What answers one request. */
function serverFor(core: Core, version: string, asked: Addressed): Server {
  const { address, credential, from, countAnother } = asked;
  const server = new Server(
    { name: 'dealkeep', title: 'Dealkeep', version },
    { capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} }, instructions },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: toolsAt(address, credential).map(({ listed }) => listed),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context: ServerContext) => {
    const { name, arguments: given = {} } = params;
    const tool = toolNamed(name, address, credential);
    if (!tool) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${inOneLine(name, longestToolName)} here, this credential may not use it, or an owner has switched it off for assistants`,
      );
    }
    asked.tell(name);
    try {
      return await tool.call({ core, credential, arguments: given, context, countAnother, from });
    } catch (error) {
      if (!isRefusal(error))
        core.log.error({ error, request_id: from.requestId, tool: name }, 'A tool failed');
      return refusedResult(refusalOf(error));
    }
  });
  const caller: Caller = { core, credential, countAnother, from };
  serveResources(server, caller, address);
  servePrompts(server, caller, address);
  serveCompletion(server, caller, address);
  return server;
}
