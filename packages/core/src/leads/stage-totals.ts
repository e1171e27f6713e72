import type { Scope } from '../verb/verb.ts';

/** The leads in a stage that are not archived: how many, and what they are worth together. */
export interface StageTotal {
  readonly stage_id: string;
  readonly leads: number;
  readonly value: number;
}

/** Totals of the stages of a pipeline; a stage without leads is not among them. `owner` counts only a person's own. */
export async function stageTotals(
  { sql, organization }: Pick<Scope, 'sql' | 'organization'>,
  { pipeline, owner }: { pipeline: string; owner?: string },
): Promise<StageTotal[]> {
  const owned = owner === undefined ? sql`true` : sql`l.owner_id = ${owner}`;
  return sql<StageTotal[]>`
    select l.stage_id, count(*)::integer as leads, coalesce(sum(l.value), 0)::float8 as value
    from leads l
    where l.organization_id = ${organization} and l.pipeline_id = ${pipeline} and l.archived_at is null and ${owned}
    group by l.stage_id`;
}
