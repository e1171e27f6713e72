import type { FieldProblem } from '@dealkeep/contract';
import { canChoose, type Directory } from '../directory/directory.ts';
import type { Refused } from '../verb/further-problems.ts';

/** Where a task stands; a stage never stands without its project. */
export interface Place {
  project_id: string | null;
  stage_id: string | null;
}

/** What a body says of it: absent stays, null clears. */
export interface WantedPlace {
  project_id?: string | null | undefined;
  stage_id?: string | null | undefined;
}

/**
 * The place that a body means. A stage brings its project along when the task has none and none is given; another
 * project without a stage begins in its first one; without a project there is no stage.
 */
export function placeTask(
  directory: Directory,
  now: Place,
  wanted: WantedPlace,
): { place: Place } | { problems: FieldProblem[] } {
  const projectId = wanted.project_id === undefined ? now.project_id : wanted.project_id;
  const project = projectId === null ? undefined : directory.projects.get(projectId);
  const chosen = (id: string): boolean => canChoose(directory.projects, id, now.project_id);
  const known = wanted.stage_id ? directory.projectStages.get(wanted.stage_id) : undefined;
  const stage = known && chosen(known.project_id) ? known : undefined;
  const problems: FieldProblem[] = [];
  if (wanted.project_id && !chosen(wanted.project_id))
    problems.push({ path: 'project_id', key: 'field.not_found' });
  if (wanted.stage_id && !stage) problems.push({ path: 'stage_id', key: 'field.not_found' });
  if (problems.length > 0) return { problems };

  if (stage) {
    const fits = stage.project_id === projectId || (projectId === null && wanted.project_id === undefined);
    return fits
      ? { place: { project_id: stage.project_id, stage_id: stage.id } }
      : { problems: [{ path: 'stage_id', key: 'field.stage_of_other_project' }] };
  }
  if (wanted.stage_id === null) return { place: { project_id: projectId, stage_id: null } };
  if (projectId === now.project_id) return { place: now };
  return { place: { project_id: projectId, stage_id: project?.stages[0]?.id ?? null } };
}

/** What is wrong with the place in a body that is refused for something else. */
export function furtherPlaceProblems(
  directory: Directory,
  now: Place,
  { part, isRefused }: Refused<WantedPlace>,
): FieldProblem[] {
  if (isRefused('project_id') || isRefused('stage_id')) return [];
  const placed = placeTask(directory, now, part);
  return 'problems' in placed ? placed.problems : [];
}
