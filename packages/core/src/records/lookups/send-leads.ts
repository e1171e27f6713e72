import { type FieldProblem, type Lead, LeadTargets } from '@dealkeep/contract';
import type { Changing, ReadContext } from '../../change/verb/verb.ts';
import { recordsMovedAtOnce } from '../../foundations/operating-limits.ts';
import { invalidFields, Problem } from '../../foundations/problem.ts';
import type { Stage } from '../../identity/directory/directory.ts';
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

/**
 * Moves every lead, archived ones too, out of a locked stage, or of all of a pipeline's, each with its events. Open
 * leads go to the open stage that `where` names, won and lost ones likewise, so that nothing is won or lost by it; a
 * lost lead keeps the reason that it has or has not. Raises VALIDATION_ERROR where leads have no stage to go to, and
 * CONFLICT when there are too many.
 */
export async function sendLeads(changing: Changing, from: LeadPlace, where: LookupValues): Promise<void> {
  const { sql } = changing;
  const counts = await countLeads(changing, from);
  const count = counts.reduce((sum, each) => sum + each.count, 0);
  if (count === 0) return;
  if (count > recordsMovedAtOnce)
    throw new Problem('stage.too_many_leads', { count, max: recordsMovedAtOnce });
  const targets = await targetsOf(changing, { from, where, counts });
  for (const lead of await leads.lockAll(changing, sql`${sql(`l.${from.in}`)} = ${from.id}`)) {
    const target = targets.get(lead.status);
    if (!target) throw new Error('Unreachable: the stages are locked, so no lead came into them');
    await placeLead(changing, lead, target);
  }
}

interface Leaving {
  readonly from: LeadPlace;
  readonly where: LookupValues;
  readonly counts: readonly LeadCount[];
}

async function targetsOf(
  { core, sql, organization }: Changing,
  { from, where, counts }: Leaving,
): Promise<Map<Lead['status'], Stage>> {
  const { stages } = await core.directories.current(sql, organization);
  const { targets, problems } = chooseTargets(LeadTargets.parse(where), stages, { from, counts });
  if (problems.length > 0) throw invalidFields(problems);
  return targets;
}

/** What is wrong with where leads go, of what the contract takes. */
export async function leadTargetProblems(
  reading: ReadContext,
  from: LeadPlace,
  where: LookupValues,
): Promise<FieldProblem[]> {
  const counts = await countLeads(reading, from);
  const { stages } = await reading.directory();
  return chooseTargets(LeadTargets.parse(where), stages, { from, counts }).problems;
}

type Wanted = Readonly<Partial<Record<Lead['status'], string | null | undefined>>>;

function chooseTargets(
  wanted: Wanted,
  stages: ReadonlyMap<string, Stage>,
  { from, counts }: Omit<Leaving, 'where'>,
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
