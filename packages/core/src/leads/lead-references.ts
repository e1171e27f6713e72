import type { FieldProblem } from '@dealkeep/contract';
import { canChoose, type Directory, type Stage } from '../directory/directory.ts';

interface LeadReferences {
  owner_id?: string | null | undefined;
  origin_id?: string | null | undefined;
  assignee_ids?: readonly string[] | null | undefined;
}

/** People and origins that a lead's body names must exist, for a lead that had these; answers the failing fields. */
export function leadReferenceProblems(
  body: LeadReferences,
  directory: Directory,
  had: { origin_id: string | null } = { origin_id: null },
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (body.owner_id && !directory.users.has(body.owner_id)) {
    problems.push({ path: 'owner_id', key: 'field.not_found' });
  }
  if (body.origin_id && !canChoose(directory.origins, body.origin_id, had.origin_id)) {
    problems.push({ path: 'origin_id', key: 'field.not_found' });
  }
  for (const [index, id] of (body.assignee_ids ?? []).entries()) {
    if (!directory.users.has(id)) problems.push({ path: `assignee_ids[${index}]`, key: 'field.not_found' });
  }
  return problems;
}

/** The stage that a pipeline and a stage, each perhaps absent, mean together. */
export function chooseStage(
  directory: Directory,
  pipelineId: string | null | undefined,
  stageId: string | null | undefined,
): { stage: Stage } | { problem: FieldProblem } {
  if (pipelineId && !directory.pipelines.has(pipelineId)) {
    return { problem: { path: 'pipeline_id', key: 'field.not_found' } };
  }
  if (stageId) {
    const stage = directory.stages.get(stageId);
    if (!stage) return { problem: { path: 'stage_id', key: 'field.not_found' } };
    if (pipelineId && stage.pipeline_id !== pipelineId) {
      return { problem: { path: 'stage_id', key: 'field.stage_of_other_pipeline' } };
    }
    return { stage };
  }
  const pipeline = pipelineId
    ? directory.pipelines.get(pipelineId)
    : [...directory.pipelines.values()].find((each) => each.is_default);
  if (!pipeline) return { problem: { path: 'pipeline_id', key: 'field.no_pipeline' } };
  const stage = pipeline.stages.find((each) => each.kind === 'open');
  return stage ? { stage } : { problem: { path: 'pipeline_id', key: 'field.no_open_stage' } };
}
