import { apiVersion, type EventType } from '@dealkeep/contract';
import type { EventRecord } from '../verb/verb.ts';

export interface Envelope {
  id: string;
  type: EventType;
  /** When it happened; RFC 3339, UTC. */
  timestamp: string;
  data: EventRecord;
  /** Of an `x.updated` event: the top-level fields that differ. */
  changedFields?: readonly string[] | undefined;
}

/** What is sent of an event, as text: it is stored once and never written again (specification, Events). */
export const envelopeText = (
  { id: organizationId, slug }: { readonly id: string; readonly slug: string },
  { id, type, timestamp, data, changedFields }: Envelope,
): string =>
  JSON.stringify({
    id,
    type,
    timestamp,
    api_version: apiVersion,
    organization: { id: organizationId, slug },
    test: false,
    data,
    ...(changedFields ? { changed_fields: changedFields } : {}),
  });
