import type { Core } from '@dealkeep/core';
import type { Mcp } from './mcp.ts';

export type { Mcp, McpRequest } from './mcp.ts';

/**
 * Makes the face of core that assistants see; `version` is that of this program. The protocol's parts are loaded for
 * the first who asks: a process that no assistant talks to starts without them.
 */
export function createMcp(core: Core, version: string): Mcp {
  let made: Promise<Mcp> | undefined;
  const load = async (): Promise<Mcp> => (await import('./mcp.ts')).createMcp(core, version);
  return {
    async answer(request) {
      made ??= load();
      return (await made).answer(request);
    },
  };
}
