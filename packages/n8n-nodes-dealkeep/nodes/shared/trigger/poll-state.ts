import { isRecord } from '../record.ts';
import { type FeedPosition, readPosition } from './feed.ts';
import { type MemoryContext, placeOf } from './node-memory.ts';

// How far the poll trigger has come is kept twice. By the node's name, which is what n8n stores together with the
// execution where it keeps cursors durably; and by its id, which it keeps when it is renamed.

export interface PollState {
  /** Undefined before the first poll. */
  readonly position: FeedPosition | undefined;
  /** The filters whose values were there, as JSON. */
  readonly filters: unknown;
}

/** What is known by the name and by the id: the one of the two that has come further. */
export function readState(context: MemoryContext): PollState {
  const byName = stateOf(context.getWorkflowStaticData('node'));
  const byId = stateOf(context.getWorkflowStaticData('global')[placeOf(context.getNode().id)]);
  // Under the name of a node that was renamed or removed, another one may have left its own.
  const isOthers = byName.node !== undefined && byName.node !== context.getNode().id;
  if (!byId.position) return byName;
  return !isOthers && byName.position && byName.position.at >= byId.position.at ? byName : byId;
}

export function writeState(context: MemoryContext, position: FeedPosition, filters: string): void {
  const state = () => ({ position: { ...position }, filters, node: context.getNode().id });
  Object.assign(context.getWorkflowStaticData('node'), state());
  context.getWorkflowStaticData('global')[placeOf(context.getNode().id)] = state();
}

function stateOf(stored: unknown): PollState & { readonly node: unknown } {
  const { position, filters, node } = isRecord(stored) ? stored : {};
  return { position: readPosition(position), filters, node };
}
