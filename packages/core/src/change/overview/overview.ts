import { LRUCache } from 'lru-cache';
import type { Clock } from '../../foundations/clock.ts';
import type { Database } from '../../foundations/database/connect.ts';
import { rememberedDays } from '../../foundations/operating-limits.ts';

/** What happened on one day of the organization's time zone. */
export interface DayCount {
  /** YYYY-MM-DD */
  day: string;
  /** Those of tests, too. */
  events: number;
  /** Attempts of deliveries that were answered well, and those that were not. */
  delivered: number;
  failed: number;
}

/** How long after midnight a day counts as complete: what began before it is written by then. */
const settledAfterMs = 3_600_000;

/**
 * Events and attempts by day, counted along indexes alone. A day that is over does not change any more within the
 * time that events are kept, so it is counted once in a process: of a million events, only those of today are
 * counted again.
 */
export class DayCounts {
  readonly #past = new LRUCache<string, DayCount>({ max: rememberedDays });

  /** The last days with today, the oldest first. */
  async last(
    { sql, clock }: { sql: Database; clock: Clock },
    { id: organization, timeZone }: { id: string; timeZone: string },
    days: number,
  ): Promise<DayCount[]> {
    const dayOf = new Intl.DateTimeFormat('sv-SE', { timeZone });
    const today = dayOf.format(clock.now());
    const wanted = Array.from({ length: days }, (_, index) => dayBefore(today, days - 1 - index));
    const settledBefore = dayOf.format(clock.now().getTime() - settledAfterMs);
    const keyOf = (day: string): string => `${organization} ${timeZone} ${day}`;
    const unknown = wanted.filter((day) => !this.#past.has(keyOf(day)));
    const counted = await sql<DayCount[]>`
      select to_char(day, 'YYYY-MM-DD') as day, events, attempts - failed as delivered, failed
      from unnest(${unknown}::text[]) as named (date)
      cross join lateral (select date::timestamp as day) days
      cross join lateral (select day at time zone ${timeZone} as start,
                                 (day + interval '1 day') at time zone ${timeZone} as stop) bounds
      cross join lateral (
        select count(*)::integer as events from events
        where organization_id = ${organization} and occurred_at >= start and occurred_at < stop) e
      cross join lateral (
        select count(*)::integer as attempts from attempts
        where organization_id = ${organization} and started_at >= start and started_at < stop) a
      cross join lateral (
        select count(*)::integer as failed from attempts
        where organization_id = ${organization} and started_at >= start and started_at < stop
          and coalesce(status, 0) not between 200 and 299) f`;
    const fresh = new Map(counted.map((count) => [count.day, count]));
    for (const [day, count] of fresh) if (day < settledBefore) this.#past.set(keyOf(day), count);
    return wanted.flatMap((day) => fresh.get(day) ?? this.#past.get(keyOf(day)) ?? []);
  }
}

function dayBefore(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - days);
  return date.toISOString().slice(0, 10);
}
