import type { FieldProblem } from '@dealkeep/contract';
import type { Directory, Stage } from '../directory/directory.ts';
import { invalidFields } from '../problem.ts';
import type { Refused } from '../verb/further-problems.ts';
import { type InputOf, type Reading, type ResultOf, type Writing, writes } from '../verb/verb.ts';
import { lostReasonProblems } from './enter-stage.ts';
import { type LeadColumns, readLead } from './lead-record.ts';
import { findLead, lockLead } from './lock-lead.ts';
import { placeLead } from './place-lead.ts';

const move = async (
  context: Writing,
  { path, body }: InputOf<'leads.move'>,
): Promise<ResultOf<'leads.move'>> => {
  const lead = await lockLead(context, path.id);
  const directory = await context.directory();
  const entered = enteredStage(lead, body.stage_id, directory);
  const problems = [
    ...stageProblems(lead, body.stage_id, directory),
    ...lostReasonProblems(entered, body, directory, lead),
  ];
  if (problems.length > 0) throw invalidFields(problems);
  if (!entered) return readLead(context, path.id);

  return placeLead(context, lead, entered, body);
};

export const moveLead = writes('leads.move', move, { further });

async function further(
  context: Reading,
  { part, isRefused }: Refused<InputOf<'leads.move'>['body']>,
  { id }: InputOf<'leads.move'>['path'],
): Promise<FieldProblem[]> {
  const lead = await findLead(context, id);
  if (!lead) return [];
  const directory = await context.directory();
  const entered = part.stage_id ? enteredStage(lead, part.stage_id, directory) : undefined;
  return [
    ...(part.stage_id ? stageProblems(lead, part.stage_id, directory) : []),
    ...(isRefused('lost_reason_id') ? [] : lostReasonProblems(entered, part, directory, lead)),
  ];
}

/** The stage of that id, unless the lead stands in it. */
function enteredStage(lead: LeadColumns, stageId: string, directory: Directory): Stage | undefined {
  return stageId === lead.stage_id ? undefined : directory.stages.get(stageId);
}

function stageProblems(lead: LeadColumns, stageId: string, directory: Directory): FieldProblem[] {
  const stage = directory.stages.get(stageId);
  if (!stage) return [{ path: 'stage_id', key: 'field.not_found' }];
  if (stage.pipeline_id === lead.pipeline_id) return [];
  return [{ path: 'stage_id', key: 'field.stage_of_other_pipeline' }];
}
