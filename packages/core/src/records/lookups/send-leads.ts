import { type FieldProblem, type Lead, LeadTargets } from '@dealkeep/contract';
import type { Changing, ReadContext } from '../../change/verb/verb.ts';
import { recordsMovedAtOnce } from '../../foundations/operating-limits.ts';
import { invalidFields, Problem } from '../../foundations/problem.ts';
import type { Stage } from '../../identity/reference-data/reference-data.ts';
import { leads } from '../leads/record.ts';
import { placeLead } from '../leads/stages.ts';
import type { LookupValues } from './editable-lookups.ts';

/** What leads stand in. */
export interface LeadPlace {
  readonly in: 'pipeline_id' | 'stage_id';
  readonly id: string;
}

export interface LeadCount {
  readonly status: Lead['status'];
  readonly count: number;
}

/** How many leads stand somewhere, archived ones too. By the stages, whose index holds all that it asks for. */
export const countLeads = (
  { sql, organization }: Pick<ReadContext, 'sql' | 'organization'>,
  place: LeadPlace,
): Promise<LeadCount[]> => sql<LeadCount[]>`
  select s.kind as status, count(*)::integer as count
  from stages s join leads l on l.organization_id = s.organization_id and l.stage_id = s.id
  where s.organization_id = ${organization} and ${place.in === 'stage_id' ? sql`s.id` : sql`s.pipeline_id`} = ${place.id}
  group by s.kind order by s.kind`;

/** The stages that leads go to, by their status; none where there are no leads. */
type Targets = ReadonlyMap<Lead['status'], Stage>;

/**
 * Where the leads of a stage go, or those of a pipeline, archived ones too, as `where` says: open leads to an open
 * stage, won and lost ones likewise, so that nothing is won or lost by it. Raises VALIDATION_ERROR where leads have
 * no stage to go to, and CONFLICT when there are too many.
 */
export async function findTargets(
  context: ReadContext,
  from: LeadPlace,
  where: LookupValues,
): Promise<Targets> {
  const { core, sql, organization } = context;
  const counts = await countLeads(context, from);
  const count = counts.reduce((sum, each) => sum + each.count, 0);
  if (count === 0) return new Map();
  if (count > recordsMovedAtOnce)
    throw new Problem('stage.too_many_leads', { count, max: recordsMovedAtOnce });
  const { stages } = await core.referenceDataCache.current(sql, organization);
  const { targets, problems } = chooseTargets(LeadTargets.parse(where), stages, { from, counts });
  if (problems.length > 0) throw invalidFields(problems);
  return targets;
}

/** Moves every lead there, each with its events; a lost lead keeps the reason that it has or has not. */
export async function sendLeads(changing: Changing, from: LeadPlace, targets: Targets): Promise<void> {
  const { sql } = changing;
  if (targets.size === 0) return;
  for (const lead of await leads.lockAll(changing, sql`${sql(`l.${from.in}`)} = ${from.id}`)) {
    const target = targets.get(lead.status);
    if (!target) throw new Error('Unreachable: the stages are locked, so no lead came into them');
    await placeLead(changing, lead, target);
  }
}

interface Leaving {
  readonly from: LeadPlace;
  readonly counts: readonly LeadCount[];
}

type Wanted = Readonly<Partial<Record<Lead['status'], string | null | undefined>>>;

function chooseTargets(
  wanted: Wanted,
  stages: ReadonlyMap<string, Stage>,
  { from, counts }: Leaving,
): { targets: Map<Lead['status'], Stage>; problems: FieldProblem[] } {
  const targets = new Map<Lead['status'], Stage>();
  const problems: FieldProblem[] = [];
  for (const { status, count } of counts) {
    const id = wanted[status];
    const stage = id ? stages.get(id) : undefined;
    const stays = from.in === 'stage_id' ? stage?.id === from.id : stage?.pipeline_id === from.id;
    if (stage && stage.kind === status && !stays) targets.set(status, stage);
    else if (id) problems.push({ path: status, key: 'field.not_found' });
    else problems.push({ path: status, key: 'field.leads_need_stage', values: { count } });
  }
  return { targets, problems };
}
