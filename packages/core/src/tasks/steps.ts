import type { Task } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { sweptRecordsAtOnce } from '../operating-limits.ts';
import { sweepOrganizations } from '../organizations/sweep-organizations.ts';
import { type OrganizationName, transact } from '../verb/transact.ts';
import type { Changing } from '../verb/verb.ts';
import { lockTask, tasks } from './record.ts';

export type TaskStep = 'complete' | 'reopen' | 'move' | 'archive';

/** What can be done with a task as it is; nothing, once it is archived. */
export function possibleTaskSteps({
  completed_at,
  archived_at,
  project,
}: Pick<Task, 'completed_at' | 'archived_at' | 'project'>): TaskStep[] {
  if (archived_at !== null) return [];
  return [completed_at === null ? 'complete' : 'reopen', ...(project ? (['move'] as const) : []), 'archive'];
}

/** Changes columns of a locked task and emits its events. Answers it as GET does. */
export async function changeTask(
  context: Changing,
  id: string,
  changes: Parameters<typeof tasks.update>[2],
): Promise<Task> {
  const changed = await tasks.recordOf(context, await tasks.update(context, id, changes));
  if (changes.stage_id !== undefined) context.emit('task.moved', changed);
  if (changes.completed_at) context.emit('task.completed', changed);
  return changed;
}

/**
 * Archives a task, which the API has no operation and the catalog no event for. Answers the task as GET does. Raises
 * NOT_FOUND, and CONFLICT when it is archived already.
 */
export const archiveTask = (
  core: Core,
  organization: OrganizationName,
  { id }: { id: string },
): Promise<Task> =>
  transact(core, organization, async (context) => {
    const task = await lockTask(context, id);
    const archivedAt = laterOf(context.now, task.updated_at);
    const row = await tasks.update(context, id, { archived_at: archivedAt, updated_at: archivedAt });
    return tasks.recordOf(context, row);
  });

/**
 * Tells of every open task whose due moment has passed (`task.overdue`), once for each due moment; the task itself
 * stays as it is. Any number of workers may run it at once. Answers how many were told of.
 */
export async function tellOverdueTasks(core: Core): Promise<number> {
  const { sql, clock } = core;
  const organizations = await sql<OrganizationName[]>`
    select distinct o.id, o.slug from tasks t join organizations o on o.id = t.organization_id
    where ${untold(sql, clock.now().toISOString())}`;
  return sweepOrganizations(core, organizations, tellBatch);
}

async function tellBatch(context: Changing): Promise<number> {
  const { sql, organization, now } = context;
  const told = await sql<{ id: string }[]>`
    with due as (
      select t.id from tasks t join organizations o on o.id = t.organization_id
      where t.organization_id = ${organization} and ${untold(sql, now)}
      order by t.id limit ${sweptRecordsAtOnce} for no key update of t)
    update tasks t set overdue_told_of = t.due_local from due
    where t.organization_id = ${organization} and t.id = due.id
    returning t.id`;
  const ids = told.map(({ id }) => id);
  const rows = await tasks.rows(
    sql,
    sql`t.organization_id = ${organization} and t.id = any(${ids}::uuid[]) order by t.due_local, t.id`,
  );
  for (const task of await tasks.records(context, rows)) context.emit('task.overdue', task);
  return rows.length;
}

/**
 * Open tasks (alias `t`, with their organization `o`) that are due and not told of. The first line is what the index
 * finds: no clock on earth is more than 14 hours ahead of UTC.
 */
const untold = (sql: Statements, now: string): Fragment => sql`
  t.due_local <= ${now}::timestamptz at time zone 'UTC' + interval '14 hours'
  and t.due_local at time zone o.time_zone <= ${now}::timestamptz
  and t.completed_at is null and t.archived_at is null
  and (t.overdue_told_of is null or t.overdue_told_of <> t.due_local)`;
