import { TaskTarget } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import { invalidField, Problem } from '../problem.ts';
import { changeTask } from '../tasks/change-task.ts';
import { checkInput } from '../verb/check-input.ts';
import type { Changing } from '../verb/verb.ts';
import type { LookupEntry, LookupRules, LookupValues } from './lookup-rules.ts';

/** Their events stand in the same transaction, while a person waits. */
const mostMoved = 1000;

/** Tasks, archived ones too, go to another stage of the project, or to none. */
export const projectStageRules: LookupRules = {
  async beforeRemoving(changing, entry, where) {
    const { sql, organization, now } = changing;
    const stageId = await targetOf(changing, entry, where);
    const tasks = await sql<{ id: string; updated_at: string }[]>`
      select id, updated_at from tasks
      where organization_id = ${organization} and project_id = ${String(entry['project_id'])} and stage_id = ${entry.id}
      order by id for no key update`;
    const count = tasks.length;
    if (count > mostMoved) throw new Problem('project_stage.too_many_tasks', { count, max: mostMoved });
    for (const { id, updated_at } of tasks) {
      await changeTask(changing, id, { stage_id: stageId, updated_at: laterOf(now, updated_at) });
    }
  },
};

async function targetOf(
  { core, sql, organization }: Changing,
  { id, project_id }: LookupEntry,
  where: LookupValues,
): Promise<string | null> {
  const { stage_id: wanted } = checkInput(TaskTarget, where);
  if (!wanted) return null;
  const { projectStages } = await core.directories.current(sql, organization);
  if (wanted === id || projectStages.get(wanted)?.project_id !== project_id) {
    throw invalidField('stage_id', 'field.not_found');
  }
  return wanted;
}
