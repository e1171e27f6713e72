import { randomUUIDv7 } from 'node:crypto';
import { apiVersion, type EventType } from '@dealkeep/contract';
import type { Transaction } from '../database/connect.ts';
import type { EventRecord } from '../verb/verb.ts';

interface Entry {
  id: string;
  type: EventType;
  recordId: string;
  envelope: string;
}

/** The events of one transaction, written at its end together with the deliveries that they cause. */
export class EventBook {
  readonly #organization: { readonly id: string; readonly slug: string };
  readonly #now: string;
  readonly #entries: Entry[] = [];

  constructor(organization: { readonly id: string; readonly slug: string }, now: string) {
    this.#organization = organization;
    this.#now = now;
  }

  add(type: EventType, record: EventRecord, changedFields?: readonly string[]): void {
    const id = `evt_${randomUUIDv7().replaceAll('-', '')}`;
    const { id: organizationId, slug } = this.#organization;
    const envelope = JSON.stringify({
      id,
      type,
      timestamp: this.#now,
      api_version: apiVersion,
      organization: { id: organizationId, slug },
      test: false,
      data: record,
      ...(changedFields ? { changed_fields: changedFields } : {}),
    });
    this.#entries.push({ id, type, recordId: record.id, envelope });
  }

  addUpdated(type: EventType, before: EventRecord, after: EventRecord): boolean {
    const changed = changedFields(before, after);
    if (changed.length > 0) this.add(type, after, changed);
    return changed.length > 0;
  }

  /** One statement for all. Answers whether any delivery was made. */
  async write(tx: Transaction): Promise<boolean> {
    if (this.#entries.length === 0) return false;
    const { id: organization } = this.#organization;
    const deliveries = await tx`
      with event as (
        insert into events (organization_id, id, type, record_id, occurred_at, envelope)
        select ${organization}, id, type, record_id, ${this.#now}::timestamptz, envelope
        from unnest(${this.#entries.map((entry) => entry.id)}::text[],
                    ${this.#entries.map((entry) => entry.type)}::text[],
                    ${this.#entries.map((entry) => entry.recordId)}::uuid[],
                    ${this.#entries.map((entry) => entry.envelope)}::text[]) as e (id, type, record_id, envelope)
        returning id, type)
      insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
      select gen_random_uuid(), ${organization}, w.id, event.id, ${this.#now}, ${this.#now}
      from event
      join webhooks w on w.organization_id = ${organization} and w.events @> array[event.type]
      returning 1`;
    return deliveries.length > 0;
  }
}

/** The top-level fields that differ; `updated_at` says nothing by itself. */
function changedFields(before: object, after: object): string[] {
  const old = new Map(Object.entries(before));
  return Object.entries(after)
    .filter(([key, value]) => key !== 'updated_at' && JSON.stringify(old.get(key)) !== JSON.stringify(value))
    .map(([key]) => key);
}
