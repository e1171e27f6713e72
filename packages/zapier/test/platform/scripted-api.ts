import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen } from './listen.ts';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export type ScriptedAnswer =
  | 'hang up'
  | {
      status: number;
      headers?: Record<string, string>;
      body?: unknown;
      /** Called before it is given. */
      before?: () => void;
    };

export interface ScriptedApi {
  readonly baseUrl: string;
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

/** Answers of an API in trouble, which the real one cannot be made to give on demand; the last one is repeated. */
export async function startScriptedApi(
  answers: readonly [ScriptedAnswer, ...ScriptedAnswer[]],
): Promise<ScriptedApi> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const content = await text(request);
    const answer = answers[Math.min(seen.length, answers.length - 1)] ?? answers[0];
    seen.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ),
      body: bodyOf(content),
    });
    if (answer === 'hang up') {
      request.socket.destroy();
      return;
    }
    answer.before?.();
    const isText = typeof answer.body === 'string';
    response.writeHead(answer.status, {
      'Content-Type': isText ? 'text/html' : 'application/json',
      ...answer.headers,
    });
    response.end(isText ? answer.body : JSON.stringify(answer.body));
  });
  const origin = await listen(server);
  return {
    baseUrl: `${origin}/api/v1/public`,
    seen,
    close: () => close(server),
  };
}

const bodyOf = (content: string): unknown => {
  if (content === '') return undefined;
  return content.startsWith('{') ? JSON.parse(content) : content;
};
