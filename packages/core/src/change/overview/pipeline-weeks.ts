import { LRUCache } from 'lru-cache';
import type { Statements } from '../../foundations/database/connect.ts';
import { rememberedPipelines } from '../../foundations/operating-limits.ts';

/** Whose leads, and by whose clock days begin. */
interface Whose {
  readonly organization: string;
  readonly timeZone: string;
  /** Of everybody when absent. */
  readonly owner: string | undefined;
}

/** What leads that ended or not by a week's beginning are worth together, by the weeks in which they were open. */
interface Bucket {
  /** How many of the weeks had begun when they were made. */
  made: number;
  /** The same when they were won, lost or archived; more than all for those that are open. */
  ended: number;
  value: number;
}

/**
 * What was open as weeks began, by what the leads say of themselves now: when they were made, won, lost and
 * archived. All leads are read for it, so it is done once for each week in a process, and remembered.
 */
export class PipelineWeeks {
  readonly #known = new LRUCache<string, readonly number[]>({ max: rememberedPipelines });

  /**
   * The value of what was open as each of these days began, in their order.
   *
   * @param days YYYY-MM-DD, none in the future, the oldest first
   */
  async values(
    sql: Statements,
    { organization, timeZone, owner }: Whose,
    days: readonly string[],
  ): Promise<readonly number[]> {
    const key = [organization, timeZone, owner, ...days].join(' ');
    const known = this.#known.get(key);
    if (known) return known;
    const owned = owner === undefined ? sql`true` : sql`owner_id = ${owner}`;
    const buckets = await sql<Bucket[]>`
      with asked as materialized (
        select array_agg(day::timestamp at time zone ${timeZone} order by day) as weeks
        from unnest(${[...days]}::text[]) as named (day))
      select width_bucket(created_at, weeks) as made,
             width_bucket(coalesce(least(won_at, lost_at, archived_at), 'infinity'), weeks) as ended,
             coalesce(sum(value), 0)::float8 as value
      from leads cross join asked
      where organization_id = ${organization} and ${owned}
      group by made, ended`;
    const values = days.map((_, week) =>
      buckets
        .filter(({ made, ended }) => made <= week && ended > week)
        .reduce((sum, { value }) => sum + value, 0),
    );
    this.#known.set(key, values);
    return values;
  }
}
