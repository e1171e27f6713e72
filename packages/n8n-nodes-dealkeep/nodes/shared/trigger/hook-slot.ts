import { isRecord } from '../record.ts';
import type { Memory } from './node-memory.ts';

/** A subscription as the node remembers it. */
export interface HookSlot {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly events: readonly string[];
  /** When it was made, ISO 8601, by the clock of Dealkeep. */
  readonly since: string;
  /** The workflow that made it, of which n8n. A copy can come with the memory of its original. */
  readonly owner: string;
}

/** Test and production subscriptions live apart: testing a published workflow must not touch what is published. */
export type SlotName = 'test' | 'production';

export function readSlot(memory: Memory, name: SlotName): HookSlot | undefined {
  const slot = memory.get(name);
  if (!isRecord(slot)) return undefined;
  const { id, url, secret, events, since, owner } = slot;
  if (typeof id !== 'string' || typeof url !== 'string') return undefined;
  if (typeof secret !== 'string' || typeof since !== 'string' || typeof owner !== 'string') return undefined;
  return { id, url, secret, events: Array.isArray(events) ? events.map(String) : [], since, owner };
}

export function writeSlot(memory: Memory, name: SlotName, slot: HookSlot | undefined): void {
  if (slot === undefined) memory.delete(name);
  else memory.set(name, { ...slot, events: [...slot.events] });
}
