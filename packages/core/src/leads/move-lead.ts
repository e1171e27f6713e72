import type { FieldProblem } from '@dealkeep/contract';
import type { Directory } from '../directory/directory.ts';
import { invalidFields } from '../problem.ts';
import { writes } from '../verb/verb.ts';
import { lostReasonProblems } from './enter-stage.ts';
import { type LeadColumns, readLead } from './lead-record.ts';
import { lockLead } from './lock-lead.ts';
import { placeLead } from './place-lead.ts';

export const moveLead = writes('leads.move', async (context, { path, body }) => {
  const { core, sql, organization } = context;
  const lead = await lockLead(context, path.id);
  const directory = await core.directories.current(sql, organization);
  const stage = directory.stages.get(body.stage_id);
  const entered = stage && stage.id !== lead.stage_id ? stage : undefined;
  const problems = [
    ...stageProblems(lead, body.stage_id, directory),
    ...lostReasonProblems(entered, body, directory, lead),
  ];
  if (problems.length > 0) throw invalidFields(problems);
  if (!entered) return readLead(context, path.id);

  return placeLead(context, lead, entered, body);
});

function stageProblems(lead: LeadColumns, stageId: string, directory: Directory): FieldProblem[] {
  const stage = directory.stages.get(stageId);
  if (!stage) return [{ path: 'stage_id', key: 'field.not_found' }];
  if (stage.pipeline_id === lead.pipeline_id) return [];
  return [{ path: 'stage_id', key: 'field.stage_of_other_pipeline' }];
}
