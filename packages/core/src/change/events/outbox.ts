import { randomUUIDv7 } from 'node:crypto';
import { apiVersion, type EventType, isUpdate, limits } from '@dealkeep/contract';
import { laterOf } from '../../foundations/clock.ts';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { invalidField } from '../../foundations/problem.ts';
import { requireStorage, type StorageState } from '../../identity/tenancy/measure-storage.ts';
import type { Caused } from './caused-deliveries.ts';
import { type EventFacts, factsOf } from './event-facts.ts';

/** A record as an event carries it. */
export type EventRecord = ({ readonly id: string } | { readonly uuid: string }) & {
  readonly updated_at?: string | null;
};

/** An event of a change that is not written yet. */
export interface BookedEvent {
  readonly type: EventType;
  readonly record: EventRecord;
  readonly before: EventRecord | undefined;
  /** The entry of the audit log by which it came about. */
  auditEntry: string | null;
}

/** An event as it is stored. */
interface EventRow {
  readonly id: string;
  readonly type: EventType;
  readonly recordId: string;
  readonly occurredAt: string;
  readonly envelope: string;
  /** By which webhooks choose; not stored. */
  readonly facts: EventFacts;
  readonly auditEntry: string | null;
}

/** What was written of an event. */
export interface EmittedEvent {
  event_id: string;
  type: string;
  record_id: string;
  organization_id: string;
  /** Webhooks that it is on its way to. */
  deliveries: number;
  /** Webhooks that it is held for. */
  held: number;
}

/** Whose events they are. */
interface EventfulOrganization {
  readonly id: string;
  readonly slug: string;
  readonly storage?: StorageState;
}

/** The events of one transaction, written at its end together with the deliveries that they cause. */
export class Outbox {
  readonly #organization: EventfulOrganization;
  readonly #now: string;
  readonly #entries: BookedEvent[] = [];

  constructor(organization: EventfulOrganization, now: string) {
    this.#organization = organization;
    this.#now = now;
  }

  /**
   * Raises VALIDATION_ERROR for a record that is too large to be sent, and LIMIT_EXCEEDED for one that is made where
   * the storage is used up, or changed far beyond that.
   *
   * @param before the record as it was, of an event that tells what it was
   */
  add(type: EventType, record: EventRecord, before?: EventRecord): void {
    requireStorage(this.#organization, type.endsWith('.created') ? 'making' : 'changing');
    // Only what is made or changed is measured, so that a record from before the limit can still take its steps.
    if (type.endsWith('.created') || type.endsWith('.updated')) requireSendable(record);
    this.#entries.push({ type, record, before, auditEntry: null });
  }

  addUpdated(type: EventType, before: EventRecord, after: EventRecord): boolean {
    const isChanged = changedFields(before, after).length > 0;
    if (isChanged) this.add(type, after, before);
    return isChanged;
  }

  get length(): number {
    return this.#entries.length;
  }

  /** Those behind the first ones. */
  since(first: number): readonly BookedEvent[] {
    return this.#entries.slice(first);
  }

  /** Forgets all events but the first ones. */
  keepOnly(first: number): void {
    this.#entries.length = first;
  }

  /**
   * The events as they are written at the end of the transaction.
   *
   * @param entry of the audit log, for those that came about by no other
   */
  rows(entry: string | null = null): EventRow[] {
    const ids = newEventIds(this.#entries.length).values();
    const rows: EventRow[] = [];
    for (const { type, record: data, before, auditEntry } of this.#entries) {
      const differing = before && changedFields(before, data);
      const changed = isUpdate(type) ? differing : undefined;
      const { value: id = '' } = ids.next();
      // No earlier than the record's `updated_at` (rule events 13): the request may have waited for another change
      // of the record.
      const occurredAt = laterOf(this.#now, data.updated_at ?? null);
      const envelope = envelopeText(this.#organization, {
        id,
        type,
        timestamp: occurredAt,
        data,
        changedFields: changed,
        previous: before && differing && formerValues(before, differing),
      });
      const recordId = 'id' in data ? data.id : data.uuid;
      const facts = factsOf(type, data, changed);
      rows.push({ id, type, recordId, occurredAt, envelope, facts, auditEntry: auditEntry ?? entry });
    }
    return rows;
  }
}

/** The part `happened` of a statement: the events with their facts. */
export const happened = (sql: Statements, rows: readonly EventRow[]): Fragment => sql`
  happened as (
    select id, type, record_id, occurred_at, envelope, facts::jsonb, audit_entry_id
    from unnest(${rows.map((row) => row.id)}::text[],
                ${rows.map((row) => row.type)}::text[],
                ${rows.map((row) => row.recordId)}::uuid[],
                ${rows.map((row) => row.occurredAt)}::timestamptz[],
                ${rows.map((row) => row.envelope)}::text[],
                ${rows.map((row) => JSON.stringify(row.facts))}::text[],
                ${rows.map((row) => row.auditEntry)}::uuid[])
         as e (id, type, record_id, occurred_at, envelope, facts, audit_entry_id))`;

/** The part behind `happened` by which they go in. */
export const insertEvents = (sql: Statements, organization: string): Fragment => sql`
  event as (
    insert into events (organization_id, id, type, record_id, occurred_at, envelope, audit_entry_id)
    select ${organization}, id, type, record_id, occurred_at, envelope, audit_entry_id from happened)`;

/** What was written of each event, with how much it caused. */
export function emittedEvents(
  organization: string,
  rows: readonly EventRow[],
  caused: readonly Caused[],
): EmittedEvent[] {
  const byEvent = Map.groupBy(caused, ([event]) => event);
  return rows.map(({ id, type, recordId }) => {
    const all = byEvent.get(id) ?? [];
    const held = all.filter(([, , fate]) => fate === 'held').length;
    const deliveries = all.length - held;
    return { event_id: id, type, record_id: recordId, organization_id: organization, deliveries, held };
  });
}

/** Ids that sort in the order of the events; two UUIDs of one millisecond do not by themselves. */
const newEventIds = (count: number): string[] => Array.from({ length: count }, newEventId).sort();

/** The top-level fields that differ; `updated_at` says nothing by itself. */
export function changedFields(before: object, after: object): string[] {
  const old = new Map(Object.entries(before));
  return Object.entries(after)
    .filter(([key, value]) => key !== 'updated_at' && JSON.stringify(old.get(key)) !== JSON.stringify(value))
    .map(([key]) => key);
}

/** A new id of an event: `evt_` and a UUID that sorts by time. */
export const newEventId = (): string => `evt_${randomUUIDv7().replaceAll('-', '')}`;

interface Envelope {
  id: string;
  type: EventType;
  /** When it happened; RFC 3339, UTC. */
  timestamp: string;
  data: EventRecord;
  /** Of an `x.updated` event: the top-level fields that differ. */
  changedFields?: readonly string[] | undefined;
  /** What the top-level fields that differ were before, where the event tells. */
  previous?: Readonly<Record<string, unknown>> | undefined;
}

/** What is sent of an event, as text: it is stored once and never written again (rules events 10 and 11). */
function envelopeText(
  { id: organizationId, slug }: { readonly id: string; readonly slug: string },
  { id, type, timestamp, data, changedFields, previous }: Envelope,
): string {
  const text = JSON.stringify({
    id,
    type,
    timestamp,
    api_version: apiVersion,
    organization: { id: organizationId, slug },
    test: false,
    data,
    ...(changedFields ? { changed_fields: changedFields } : {}),
  });
  return previous ? `${text.slice(0, -1)},"previous":${fitting(previous, Buffer.byteLength(text))}}` : text;
}

/**
 * Former values as JSON; the longest are left out where the envelope would be too large with them (rule events 29).
 */
function fitting(previous: Readonly<Record<string, unknown>>, taken: number): string {
  const room = limits.envelopeBytes - taken - ',"previous":'.length;
  const kept = new Map(Object.entries(previous));
  const written = (): string => JSON.stringify(Object.fromEntries(kept));
  for (let text = written(); ; text = written()) {
    if (kept.size === 0 || Buffer.byteLength(text) <= room) return text;
    const lengths = [...kept].map(([name, value]) => [name, JSON.stringify(value).length] as const);
    const [longest] = lengths.sort(([, a], [, b]) => b - a);
    if (longest) kept.delete(longest[0]);
  }
}

/** What fields were; one that the record did not have was null. */
const formerValues = (before: object, fields: readonly string[]): Record<string, unknown> => {
  const old = new Map(Object.entries(before));
  return Object.fromEntries(fields.map((name) => [name, old.get(name) ?? null]));
};

/** Bytes of an envelope besides its record, rounded up amply. */
const aroundRecord = 2048;
/** Bytes of a record as JSON, at most, so that its envelope is never larger than the limit. */
export const mostRecordBytes = limits.envelopeBytes - aroundRecord;

/**
 * Refuses a record that is too large for an envelope, so that it is neither made nor changed like that. Raises
 * VALIDATION_ERROR for the field that takes most of it.
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
