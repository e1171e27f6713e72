import { isRecord, type JsonRecord } from '../record.ts';

/** What a delivery's body says (rule events 10). */
export interface Envelope {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: JsonRecord;
  /** Only in updated events: the fields of `data` that differ from before. */
  readonly changedFields?: readonly string[];
  /** Everything, as it came. */
  readonly whole: JsonRecord;
}

/** Undefined when the body is no envelope. */
export function readEnvelope(body: unknown): Envelope | undefined {
  if (!isRecord(body)) return undefined;
  const { id, type, timestamp, data, changed_fields: changed } = body;
  if (typeof id !== 'string' || typeof type !== 'string' || !isRecord(data)) return undefined;
  return {
    id,
    type,
    timestamp: String(timestamp),
    data,
    whole: body,
    ...(Array.isArray(changed) ? { changedFields: changed.map(String) } : {}),
  };
}

/** The record with the event's particulars beside its fields: what workflows use most, at the top level. */
export function recordOutput(envelope: Envelope): JsonRecord {
  return {
    ...envelope.data,
    event_id: envelope.id,
    event_type: envelope.type,
    event_timestamp: envelope.timestamp,
    ...(envelope.changedFields ? { changed_fields: envelope.changedFields } : {}),
  };
}
