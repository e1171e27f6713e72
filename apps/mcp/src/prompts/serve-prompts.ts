import {
  type Prompt as Listed,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server';
import type { McpAddress } from '../address.ts';
import { toolsAt } from '../tools/all-tools.ts';
import type { Caller } from '../tools/tool.ts';
import { type Prompt, prompts } from './prompts.ts';

/** Serves the prompts whose tools the credential has at an address. */
export function servePrompts(server: Server, { credential }: Caller, address: McpAddress): void {
  server.setRequestHandler('prompts/list', () => ({ prompts: promptsAt(address, credential).map(listed) }));
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: given = {} } }) => {
    const prompt = promptsAt(address, credential).find((each) => each.name === name);
    if (!prompt) throw invalid(`There is no prompt ${name} here, or this credential lacks a tool for it`);
    requireFitting(prompt, given);
    return {
      description: prompt.description,
      messages: [{ role: 'user', content: { type: 'text', text: prompt.instruct(given) } }],
    };
  });
}

/** Those whose tools a credential has at an address. */
export function promptsAt(address: McpAddress, credential: Caller['credential']): readonly Prompt[] {
  const offered = new Set(
    toolsAt(address, credential).flatMap(({ operations }) => operations.map(({ id }) => id)),
  );
  return prompts.filter(({ tools }) => tools.every((id) => offered.has(id)));
}

const listed = ({ name, title, description, arguments: taken }: Prompt): Listed => ({
  name,
  title,
  description,
  arguments: taken.map((each) => ({
    name: each.name,
    title: each.title,
    description: each.description,
    required: each.required,
  })),
});

/** Raises the protocol's error for an argument that is missing, or that there is not. */
function requireFitting({ arguments: taken }: Prompt, given: Readonly<Record<string, string>>): void {
  const unknown = Object.keys(given).find((name) => !taken.some((each) => each.name === name));
  if (unknown !== undefined) throw invalid(`There is no argument ${unknown}`);
  const missing = taken.find(({ name, required }) => required && !given[name]?.trim());
  if (missing) throw invalid(`The argument ${missing.name} is missing`);
}

const invalid = (message: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message);
