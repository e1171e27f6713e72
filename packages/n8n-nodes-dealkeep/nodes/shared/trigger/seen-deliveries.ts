import { firstRepetition, heldEvents } from '../generated/limits.ts';
import type { Memory } from './node-memory.ts';

/**
 * Deliveries are repeated for days, and may be sent again by hand after that. What was held while the workflow was
 * not published comes one after another, though Catch Up has read all of it before.
 */
const rememberedDeliveries = 2 * heldEvents;

/**
 * How long two arrivals of one delivery count as simultaneous: amply shorter than until the API's first repetition.
 */
const simultaneous = 0.6 * firstRepetition;

const arriving = new Map<string, number>();

/**
 * Whether a delivery came before, and remembers that it came now.
 *
 * What the memory of the node holds survives restarts, but is written only after a delivery was handled; that of
 * this process catches those that arrive together. It forgets quickly, so that a delivery whose workflow could not
 * be started is not taken for a duplicate when the API repeats it.
 *
 * @param node names the node among all nodes of this n8n; workflows that were copied share node ids
 */
export function isRepeated(memory: Memory, node: string, deliveryId: string, now: number): boolean {
  for (const [key, at] of arriving) if (now - at > simultaneous) arriving.delete(key);
  const key = `${node} ${deliveryId}`;
  const seen = textsOf(memory.get('seen'));
  if (seen.includes(deliveryId) || arriving.has(key)) return true;
  arriving.set(key, now);
  memory.set('seen', [...seen, deliveryId].slice(-rememberedDeliveries));
  return false;
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
