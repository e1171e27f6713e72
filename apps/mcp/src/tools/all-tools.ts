import { operationIds, operations } from '@dealkeep/contract';
import type { Credential } from '@dealkeep/core/identity';
import type { McpAddress } from '../address.ts';
import { isSetOn, mayChange } from '../switches.ts';
import { isUsable } from './allowed.ts';
import { fetchTool } from './fetch.ts';
import { getMeTool } from './get-me.ts';
import { operationTool } from './operation-tool.ts';
import { searchTool } from './search.ts';
import { sumTools } from './sum.ts';
import type { Tool } from './tool.ts';
import { whatChangedTool } from './what-changed.ts';

/** Every tool by its name, in the order of the contract. */
const allTools = (): ReadonlyMap<string, Tool> => {
  tools ??= new Map(
    [
      searchTool(),
      fetchTool(),
      whatChangedTool(),
      getMeTool(),
      ...operationIds.filter(isOffered).map((id) => operationTool(id, operations[id])),
      ...sumTools(),
    ].map((tool) => [tool.listed.name, tool]),
  );
  return tools;
};

/** Made for the first who asks: a process that no assistant talks to has none. */
let tools: ReadonlyMap<string, Tool> | undefined;

/**
 * A batch is for programs: an assistant's calls are shown to a person one by one. Others have a tool of their own
 * form.
 */
const isOffered = (id: keyof typeof operations): boolean =>
  operations[id].kind !== 'batch' && id !== 'search.all' && id !== 'events.list' && id !== 'me.get';

/** The tools that a credential has at an address. */
export const toolsAt = (address: McpAddress, credential: Credential): Tool[] =>
  [...allTools().values()].filter((tool) => isOfferedTo(tool, address, credential));

/** One of them by its name; undefined where the credential has none of that name at the address. */
export function toolNamed(name: string, address: McpAddress, credential: Credential): Tool | undefined {
  const tool = allTools().get(name);
  return tool && isOfferedTo(tool, address, credential) ? tool : undefined;
}

const isOfferedTo = (tool: Tool, address: McpAddress, credential: Credential): boolean =>
  isAt(tool, address) && mayUse(credential, tool);

function isAt({ set, usual, changes }: Tool, { tools: asked, readonly }: McpAddress): boolean {
  if (readonly && changes) return false;
  if (asked === 'all') return true;
  return asked === 'usual' ? usual : set === undefined || set === asked;
}

/** Whether the credential may use any of the operations behind a tool, and its owner lets assistants do so. */
const mayUse = (credential: Credential, { operations: behind, set, changes, everySet }: Tool): boolean =>
  isSetOn(credential.assistants, set) &&
  (!everySet || credential.assistants.toolSets === null) &&
  (!changes || mayChange(credential)) &&
  behind.some((declaration) => isUsable(credential, declaration));
