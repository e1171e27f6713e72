import { mcpPath } from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import type { Credential, RequestOrigin } from '@dealkeep/core/identity';
import type { Hono } from 'hono';
import { answerCounted } from './answer-request.ts';
import type { ApiContext, ApiEnvironment } from './api-environment.ts';
import { receiveBody } from './receive-body.ts';
import { originOf, storyOf, told } from './request-story.ts';
import { respond, type Wanted, wantedBy } from './respond.ts';

/**
 * What answers AI assistants: their protocol is another app's business, credentials, limits and the log are the
 * API's.
 */
export interface Assistants {
  answer(request: {
    readonly request: Request;
    readonly body: Uint8Array;
    readonly path: string;
    readonly credential: Credential;
    readonly from: RequestOrigin;
    countAnother(): Promise<void>;
    tell(tool: string): void;
  }): Promise<Response>;
}

/** The addresses of AI assistants: `/mcp` and all below it. */
export function mcpRoutes(app: Hono<ApiEnvironment>, core: Core, assistants: Assistants): void {
  for (const path of [mcpPath, `${mcpPath}/*`]) {
    app.all(path, (c) => told(core, c, () => answerAssistant(core, c, assistants)));
  }
}

const none = { bytes: new Uint8Array() };

async function answerAssistant(core: Core, c: ApiContext, assistants: Assistants): Promise<Response> {
  const started = performance.now();
  const story = storyOf(c);
  story.operation = 'mcp';
  const response = await answerCounted(core, c, async (credential, headers, countAs) => {
    const { method } = c.req;
    const { bytes } = method === 'POST' ? await receiveBody(core, c, credential) : none;
    const answer = await assistants.answer({
      request: c.req.raw,
      body: bytes,
      path: c.req.path,
      credential,
      from: { ...originOf(core, c), assistant: true },
      // As the one that it is counted as already, and one more.
      countAnother: () => countAs(2),
      tell(tool) {
        story.tool = tool;
      },
    });
    return inOnePiece(answer, headers, wantedBy(method, c.env.incoming.headers));
  });
  core.metrics.countRequest('mcp', response.status, (performance.now() - started) / 1000);
  return response;
}

/**
 * The answer made anew with the headers of every response: setting headers on one that another part of the program
 * has made costs more than that. A stream of the protocol is short, and so is sent whole.
 */
async function inOnePiece(
  answer: Response,
  headers: Record<string, string>,
  wanted: Wanted,
): Promise<Response> {
  const { status } = answer;
  const body = await answer.text();
  const allowed = answer.headers.get('Allow');
  if (allowed !== null) headers['Allow'] = allowed;
  const type = answer.headers.get('Content-Type');
  if (body === '' || type?.startsWith('application/json')) {
    return respond({ status, body, noStore: true }, headers, wanted);
  }
  return new Response(body, {
    status,
    headers: { ...headers, 'Cache-Control': 'no-store', 'Content-Type': type ?? 'text/plain' },
  });
}
