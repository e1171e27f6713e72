import type { FieldProblem } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import type { Directory } from '../directory/directory.ts';
import { invalidFields } from '../problem.ts';
import { writes } from '../verb/verb.ts';
import { emitStageEvents } from './emit-stage-events.ts';
import { enterStage, lostReasonProblems } from './enter-stage.ts';
import { type LeadColumns, readLead } from './lead-record.ts';
import { lockLead } from './lock-lead.ts';

export const moveLead = writes('leads.move', async (context, { path, body }) => {
  const { core, sql, organization, now } = context;
  const lead = await lockLead(context, path.id);
  const directory = await core.directories.current(sql, organization);
  const stage = directory.stages.get(body.stage_id);
  const entered = stage && stage.id !== lead.stage_id ? stage : undefined;
  const problems = [
    ...stageProblems(lead, body.stage_id, directory),
    ...lostReasonProblems(entered, body, directory),
  ];
  if (problems.length > 0) throw invalidFields(problems);
  if (!entered) return readLead(context, path.id);

  const movedAt = laterOf(now, lead.updated_at);
  await sql`
    update leads set ${sql({ ...enterStage(lead, entered, movedAt, body), updated_at: movedAt })}
    where organization_id = ${organization} and id = ${path.id}`;
  const moved = await readLead(context, path.id);
  emitStageEvents(context, lead.status, moved);
  return moved;
});

function stageProblems(lead: LeadColumns, stageId: string, directory: Directory): FieldProblem[] {
  const stage = directory.stages.get(stageId);
  if (!stage) return [{ path: 'stage_id', key: 'field.not_found' }];
  if (stage.pipeline_id === lead.pipeline_id) return [];
  return [{ path: 'stage_id', key: 'field.stage_of_other_pipeline' }];
}
