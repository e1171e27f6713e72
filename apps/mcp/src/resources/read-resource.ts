import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import { resolveArguments } from '../arguments/resolve.ts';
import { refusalOf } from '../tools/refusal.ts';
import { runOperation } from '../tools/run-operation.ts';
import type { Caller } from '../tools/tool.ts';
import { kindAt, type ResourceKind } from './kinds.ts';
import { wholeList } from './whole-list.ts';

/**
 * A resource as its operation answers it. In the place of an id whatever names a record is taken, as by a tool. Raises the
 * protocol's error for what there is not, and what its operation raises.
 */
export async function readResource(
  caller: Caller,
  kinds: readonly ResourceKind[],
  uri: string,
): Promise<unknown> {
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
