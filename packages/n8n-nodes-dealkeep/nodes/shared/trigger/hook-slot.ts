import { isRecord } from '../record.ts';

/** A subscription as the node remembers it. */
export interface HookSlot {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly events: readonly string[];
}

/** Test and production subscriptions live apart: testing a published workflow must not touch what is published. */
export type SlotName = 'test' | 'production';

type StaticData = { [key: string]: unknown };

export function readSlot(staticData: StaticData, name: SlotName): HookSlot | undefined {
  const slot = staticData[name];
  if (!isRecord(slot)) return undefined;
  const { id, url, secret, events } = slot;
  if (typeof id !== 'string' || typeof url !== 'string' || typeof secret !== 'string') return undefined;
  return { id, url, secret, events: Array.isArray(events) ? events.map(String) : [] };
}

export function writeSlot(staticData: StaticData, name: SlotName, slot: HookSlot | undefined): void {
  if (slot === undefined) delete staticData[name];
  else staticData[name] = { ...slot, events: [...slot.events] };
}
