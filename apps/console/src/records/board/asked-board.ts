import type { AnswerOf, EveryOperation, Lead } from '@dealkeep/contract';
import { reachFor, runAsUser } from '@dealkeep/core/operations';
import { type ConsoleContext, sessionOf } from '../../context.ts';
import type { QueryPairs } from '../../values/shown-record.ts';
import { moneyOf, numberOf } from '../../values/shown-value.ts';

export type Pipeline = AnswerOf<EveryOperation['pipelines.list']>;
export type Stage = Pipeline['stages'][number];

/** Which leads a board shows: those of a pipeline, of everybody or of the user, and what they are searched by. */
export interface AskedBoard {
  readonly pipeline: Pipeline;
  readonly isMine: boolean;
  readonly q: string;
}

const mostPipelines = 100;

/** Every pipeline with its stages, the default one first. */
export async function pipelinesOf(c: ConsoleContext): Promise<readonly Pipeline[]> {
  const query = [
    ['limit', String(mostPipelines)],
    ['sort', 'name'],
  ] as const;
  const { data } = await runAsUser(c.get('core'), sessionOf(c), 'pipelines.list', { query });
  return data.toSorted((a, b) => Number(b.is_default) - Number(a.is_default));
}

/** The board that a query asks for, the first pipeline where it names none; undefined where there is no pipeline. */
export function askedBoard(pipelines: readonly Pipeline[], asked: URLSearchParams): AskedBoard | undefined {
  const pipeline = pipelines.find(({ id }) => id === asked.get('pipeline_id')) ?? pipelines[0];
  return pipeline && { pipeline, isMine: asked.get('owner') === 'mine', q: (asked.get('q') ?? '').trim() };
}

/** The query of a board's address. */
export function boardQuery({ pipeline, isMine, q }: AskedBoard): URLSearchParams {
  const query = new URLSearchParams({ pipeline_id: pipeline.id });
  if (isMine) query.set('owner', 'mine');
  if (q !== '') query.set('q', q);
  return query;
}

/** Whether the user sees leads of others, and can choose to see only their own. */
export const seesAll = (c: ConsoleContext): boolean => reachFor(sessionOf(c), 'leads.list') === 'all';

/** What a board narrows the leads by, as parameters of their list and of their totals. */
function narrowing(c: ConsoleContext, { pipeline, isMine, q }: AskedBoard): QueryPairs {
  return [
    ['pipeline_id', pipeline.id],
    ...(isMine ? [['owner_id', sessionOf(c).user.id] as const] : []),
    ...(q === '' ? [] : [['q', q] as const]),
  ];
}

/** The leads of a stage, those changed last first. */
export async function leadsIn(
  c: ConsoleContext,
  board: AskedBoard,
  { stage, limit, cursor }: { stage: string; limit: number; cursor?: string | undefined },
): Promise<{ data: readonly Lead[]; next_cursor: string | null }> {
  const query: QueryPairs = [
    ...narrowing(c, board),
    ['stage_id', stage],
    ['archived', 'false'],
    ['sort', '-updated_at'],
    ['limit', String(limit)],
    ...(cursor === undefined ? [] : [['cursor', cursor] as const]),
  ];
  return runAsUser(c.get('core'), sessionOf(c), 'leads.list', { query });
}

/** What stands in each stage, as it is said above its column; of assigned records alone, where the role says so. */
export async function totalsOf(c: ConsoleContext, board: AskedBoard): Promise<ReadonlyMap<string, string>> {
  const query = narrowing(c, board);
  const totals = await runAsUser(c.get('core'), sessionOf(c), 'leads.totals', { query });
  const known = new Map(totals.map((each) => [each.stage_id, each]));
  return new Map(
    board.pipeline.stages.map(({ id }) => {
      const { leads, value } = known.get(id) ?? { leads: 0, value: 0 };
      return [id, `${numberOf(c, leads)} · ${moneyOf(c, value)}`];
    }),
  );
}
