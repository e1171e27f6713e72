/** Attempts of one delivery spread over 2.3 days at most, and deliveries may be sent again by hand after that. */
const rememberedDeliveries = 500;

/** How long two arrivals of one delivery count as simultaneous. The API's first repetition comes after 5 seconds. */
const simultaneous = 3000;

type StaticData = { [key: string]: unknown };

const arriving = new Map<string, number>();

/**
 * Whether a delivery came before, and remembers that it came now.
 *
 * What the static data remembers survives restarts, but is written only after a delivery was handled; the memory of
 * this process catches those that arrive together. It forgets quickly, so that a delivery whose workflow could not
 * be started is not taken for a duplicate when the API repeats it.
 *
 * @param node names the node among all nodes of this n8n; workflows that were copied share node ids
 */
export function isRepeated(staticData: StaticData, node: string, deliveryId: string, now: number): boolean {
  for (const [key, at] of arriving) if (now - at > simultaneous) arriving.delete(key);
  const key = `${node} ${deliveryId}`;
  const seen = Array.isArray(staticData['seen']) ? staticData['seen'].map(String) : [];
  if (seen.includes(deliveryId) || arriving.has(key)) return true;
  arriving.set(key, now);
  staticData['seen'] = [...seen, deliveryId].slice(-rememberedDeliveries);
  return false;
}
