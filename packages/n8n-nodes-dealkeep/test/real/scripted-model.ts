import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { at, listAt } from './json.ts';
import { freePort } from './n8n-server.ts';

/** A call of a tool, with what is known by then. */
interface Call {
  readonly tool: string;
  readonly input: (results: readonly unknown[]) => Record<string, unknown>;
}

/** What the model does in one turn: calls one tool or several at once, or says something. */
export type Turn = Call | readonly Call[] | { readonly say: string };

export interface ScriptedModel {
  /** The base URL of its API. */
  url: string;
  /** The tools that it was offered. */
  tools(): { name: string; description: string; parameters: unknown }[];
  /** What the tools answered, one after another. */
  results(): unknown[];
  stop(): void;
}

/** Speaks OpenAI's chat completions, and does as it was told instead of thinking. */
export async function startScriptedModel(turns: readonly Turn[]): Promise<ScriptedModel> {
  let tools: ReturnType<ScriptedModel['tools']> = [];
  let results: unknown[] = [];
  const left = [...turns];
  const server = createServer(async (request, response) => {
    const question = await json(request);
    tools = listAt(question, 'tools').map((tool) => ({
      name: String(at(tool, 'function', 'name')),
      description: String(at(tool, 'function', 'description')),
      parameters: at(tool, 'function', 'parameters'),
    }));
    results = listAt(question, 'messages')
      .filter((message) => at(message, 'role') === 'tool')
      .map((message) => JSON.parse(String(at(message, 'content'))));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(completion(left.shift() ?? { say: 'Nothing more to do' }, results)));
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}/v1`,
    tools: () => tools,
    results: () => results,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function completion(turn: Turn, results: readonly unknown[]): Record<string, unknown> {
  const message =
    'say' in turn
      ? { role: 'assistant', content: turn.say }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [turn].flat().map(({ tool, input }, index) => ({
            id: `call_${results.length + index}`,
            type: 'function',
            function: { name: tool, arguments: JSON.stringify(input(results)) },
          })),
        };
  return {
    id: `chatcmpl-${results.length}`,
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, message, finish_reason: 'say' in turn ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}
