import { limits } from '@dealkeep/contract';
import { invalidField } from '../problem.ts';
import type { EventRecord } from '../verb/verb.ts';

/** What an envelope holds besides its record, amply. */
const aroundRecord = 2048;
/** Of a record as JSON, so that its envelope is never larger than the limit. */
export const mostRecordBytes = limits.envelopeBytes - aroundRecord;

/**
 * Refuses a record that no webhook could be sent: it is made or changed no further. Raises VALIDATION_ERROR for the field
 * that takes most of it.
 */
export function requireSendable(record: EventRecord): void {
  const text = JSON.stringify(record);
  // Counting bytes is quick, and most records need not even that.
  if (text.length * 3 <= mostRecordBytes || Buffer.byteLength(text) <= mostRecordBytes) return;
  throw invalidField(heaviestField(record), 'field.makes_record_too_large', {
    max: limits.envelopeBytes / 1024,
  });
}

/** The path of the field that takes most; deeper as long as one part takes more than half. */
function heaviestField(value: object): string {
  let path = '';
  let [inner, size]: [unknown, number] = [value, 0];
  for (;;) {
    if (typeof inner !== 'object' || inner === null) return path;
    const parts = Object.entries(inner).map(
      ([key, part]) => [key, part, JSON.stringify(part)?.length ?? 0] as const,
    );
    const [heaviest] = parts.sort(([, , a], [, , b]) => b - a);
    if (!heaviest || heaviest[2] < size / 2) return path;
    const [key, part] = heaviest;
    path = Array.isArray(inner) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    [inner, size] = [part, heaviest[2]];
  }
}
