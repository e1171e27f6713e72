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

/** Longer than a delivery is handled, from when n8n loads the memory of the node until it writes it. */
const handled = 60_000;

/** What this process has received of late, by node: the deliveries, and when each came. */
const received = new Map<string, Map<string, number>>();

/**
 * Whether a delivery came before, and remembers that it came now.
 *
 * What the memory of the node holds survives restarts, but is written only after a delivery was handled; that of
 * this process catches those that arrive together. It forgets quickly, so that a delivery whose workflow could not
 * be started is not taken for a duplicate when the API repeats it. Deliveries that are handled at once each write
 * the memory that they found: so each also writes what the others have received meanwhile, or the last one would
 * undo it.
 *
 * @param node names the node among all nodes of this n8n; workflows that were copied share node ids
 */
export function isRepeated(memory: Memory, node: string, deliveryId: string, now: number): boolean {
  const lately = receivedLately(node, now);
  const seen = new Set(textsOf(memory.get('seen')));
  const at = lately.get(deliveryId);
  const repeated = seen.has(deliveryId) || (at !== undefined && now - at <= simultaneous);
  if (!repeated) {
    // Behind those that came before it.
    lately.delete(deliveryId);
    lately.set(deliveryId, now);
  }
  const known = seen.size;
  for (const each of lately.keys()) seen.add(each);
  if (seen.size > known) memory.set('seen', [...seen].slice(-rememberedDeliveries));
  return repeated;
}

function receivedLately(node: string, now: number): Map<string, number> {
  const lately = received.get(node) ?? new Map<string, number>();
  received.set(node, lately);
  for (const [id, at] of lately) {
    if (now - at <= handled && lately.size < rememberedDeliveries) break;
    lately.delete(id);
  }
  return lately;
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
