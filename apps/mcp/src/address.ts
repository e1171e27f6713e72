import { mcpPath, type ToolSetName, toolSetNames } from '@dealkeep/contract';

/** What an address offers: the usual tools, one set, or all; `readonly` leaves out what changes anything. */
export interface McpAddress {
  readonly tools: 'usual' | 'all' | ToolSetName;
  readonly readonly: boolean;
}

/**
 * What the path of a request means: `/mcp`, `/mcp/sales`, `/mcp/all`, each with `/readonly`; undefined for any
 * other.
 */
export function parseAddress(path: string): McpAddress | undefined {
  const parts = path.slice(mcpPath.length).split('/').slice(1);
  if (parts.at(-1) === '') parts.pop();
  const readonly = parts.at(-1) === 'readonly';
  if (readonly) parts.pop();
  const [name, ...further] = parts;
  if (further.length > 0) return undefined;
  if (name === undefined) return { tools: 'usual', readonly };
  const tools = name === 'all' ? name : toolSetNames.find((each) => each === name);
  return tools && { tools, readonly };
}
