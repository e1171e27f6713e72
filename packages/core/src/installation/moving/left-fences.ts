import type { Database } from '../../foundations/database/connect.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { takeFenceAway } from './fence.ts';

/** An organization whose triggers are on the tables. */
interface LeftFence {
  readonly id: string;
  /**
   * Of one that has moved, whose rows its triggers keep as they are; null where a command that was killed left them.
   */
  readonly moved: string | null;
}

const leftFences = (sql: Database): Promise<LeftFence[]> => sql<LeftFence[]>`
  select fence.id, o.slug as moved
  from (select distinct substring(t.tgname from 7 for 32)::uuid as id from pg_trigger t
        join pg_class c on c.oid = t.tgrelid
        where c.relnamespace = 'public'::regnamespace and t.tgname ~ '^moves_[0-9a-f]{32}_') fence
  left join organizations o on o.id = fence.id and o.moved_at is not null
  order by o.slug`;

/**
 * Raises OperatorError while triggers keep still what organizations left that have moved: Citus distributes no table
 * with a trigger.
 */
export async function requireNoFences(sql: Database): Promise<void> {
  const kept = (await leftFences(sql)).flatMap(({ moved }) => moved ?? []);
  if (kept.length === 0) return;
  throw new OperatorError(
    `Organizations that moved have left rows here (${kept.join(', ')}), which triggers keep as they are, and Citus distributes no table with a trigger: forget each of them; where a move was not ended, run that again first`,
  );
}

/** Takes away what commands left that were killed. Nobody may be moving an organization meanwhile. */
export async function takeLeftFencesAway(sql: Database): Promise<void> {
  for (const { id, moved } of await leftFences(sql)) if (moved === null) await takeFenceAway(sql, id);
}
