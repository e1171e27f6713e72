import { type EventType, isEventType } from '@dealkeep/contract';
import { type ApiRecord, isApiRecord } from '../records/api-record.ts';
import { type RawRequest, verifyDelivery } from './verify-delivery.ts';

/** An event as a genuine delivery told it. */
export interface DeliveredEvent {
  /** The same on every attempt of one event. */
  readonly id: string;
  readonly type: EventType;
  readonly envelope: ApiRecord;
}

/** Why a delivery starts nothing. */
export type Ignored = 'not genuine' | 'unknown event';

/** The event of a delivery that the hook's secret has signed, or why it is none. */
export function deliveredEvent(secret: string, request: RawRequest): DeliveredEvent | Ignored {
  const delivery = verifyDelivery(secret, request);
  if (!delivery) return 'not genuine';
  const envelope = envelopeIn(delivery.content);
  const type = envelope?.['type'];
  if (envelope === undefined || typeof type !== 'string' || !isEventType(type)) return 'unknown event';
  return { id: delivery.id, type, envelope };
}

/** Undefined when the content is no JSON object. */
function envelopeIn(content: string): ApiRecord | undefined {
  try {
    const envelope: unknown = JSON.parse(content);
    return isApiRecord(envelope) ? envelope : undefined;
  } catch {
    return undefined;
  }
}
