import { instructionOf, limits, type OperationId, resources } from '@dealkeep/contract';
import {
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
  type Server,
} from '@modelcontextprotocol/server';
import type { McpAddress } from '../address.ts';
import { resolveArguments } from '../arguments/resolve.ts';
import { answered } from '../protocol-error.ts';
import { visible } from '../texts/visible.ts';
import { refusalOf } from '../tools/refusal.ts';
import { runOperation } from '../tools/run-operation.ts';
import type { Caller } from '../tools/tool.ts';
import { kindAt, type ResourceKind, resourceKindsAt } from './kinds.ts';

/** Lists to choose from are short; of one that is not, so many pages. */
const mostPages = 10;

/** A list to choose from, whole; `complete` is false where there is more than anybody chooses from. */
async function wholeList(
  caller: Caller,
  id: OperationId,
): Promise<{ items: readonly unknown[]; complete: boolean }> {
  const items: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const given = { limit: limits.pageSizeMaximum, ...(cursor === undefined ? {} : { cursor }) };
    const { data, next_cursor: next } = Object((await runOperation(caller, id, given)).value);
    if (Array.isArray(data)) items.push(...data);
    if (typeof next !== 'string') return { items, complete: true };
    cursor = next;
  }
  return { items, complete: false };
}

/**
 * A resource as its operation answers it. In the place of an id whatever names a record is taken, as by a tool.
 * Raises the protocol's error for what there is not, and what its operation raises.
 */
async function readResource(caller: Caller, kinds: readonly ResourceKind[], uri: string): Promise<unknown> {
  const found = kindAt(kinds, uri);
  if (!found) throw new ResourceNotFoundError(uri);
  try {
    return await answerOf(caller, found.kind, found.id);
  } catch (error) {
    throw refusalOf(error).code === 'NOT_FOUND' ? new ResourceNotFoundError(uri) : error;
  }
}

async function answerOf(
  caller: Caller,
  { id, declaration, idName, isList }: ResourceKind,
  record: string | undefined,
): Promise<unknown> {
  if (isList) return wholeList(caller, id);
  const given = idName === undefined ? {} : { [idName]: record };
  return (await runOperation(caller, id, await resolveArguments(caller, declaration, given))).value;
}

const mimeType = 'application/json';

/** Serves the records of an address as resources, by their ids, and the lists to choose from. */
export function serveResources(server: Server, caller: Caller, address: McpAddress): void {
  const kinds = () => resourceKindsAt(address, caller.credential);
  server.setRequestHandler('resources/list', () => ({
    resources: kinds()
      .filter(({ idName }) => idName === undefined)
      .map(listed),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: kinds()
      .filter(({ idName }) => idName !== undefined)
      .map(template),
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const value = await answered(caller, () => readResource(caller, kinds(), uri));
    return { contents: [{ uri, mimeType, text: visible(JSON.stringify(value)) }] };
  });
}

const listed = ({ uri, name, resource, declaration, isList }: ResourceKind): Resource => ({
  uri,
  name,
  title: resources[resource][isList ? 'plural' : 'label'].en,
  description: declaration.about.en,
  mimeType,
});

const template = ({ uri, name, resource, declaration }: ResourceKind): ResourceTemplateType => ({
  uriTemplate: uri,
  name,
  title: resources[resource].label.en,
  description: instructionOf(declaration).does,
  mimeType,
});
