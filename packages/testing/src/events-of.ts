import type { EventType } from '@dealkeep/contract';
import type { Database } from '@dealkeep/core/foundations';

/** An envelope as it is kept for delivery. */
export interface RecordedEvent {
  id: string;
  type: EventType;
  timestamp: string;
  api_version: string;
  organization: { id: string; slug: string };
  test: boolean;
  data: { id: string } & Record<string, unknown>;
  changed_fields?: string[];
  previous?: Record<string, unknown>;
  /** `data` exactly as it stands in the envelope. */
  dataText: string;
}

/** The events of an organization, or of one of its records, oldest first. */
export async function eventsOf(
  sql: Database,
  organization: string,
  record?: string,
): Promise<RecordedEvent[]> {
  const rows = await sql<{ envelope: string }[]>`
    select envelope from events
    where organization_id = ${organization} ${record === undefined ? sql`` : sql`and record_id = ${record}`}
    order by occurred_at, id`;
  return rows.map(({ envelope }) => {
    const event: Omit<RecordedEvent, 'dataText'> = JSON.parse(envelope);
    const dataText =
      /"data":(\{.*?\})(?:,"changed_fields":\[[^\]]*\])?(?:,"previous":\{.*\})?\}$/s.exec(envelope)?.[1] ??
      '';
    return { ...event, dataText };
  });
}
