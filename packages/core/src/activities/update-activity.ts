import { laterOf } from '../clock.ts';
import { changesOf } from '../database/changes.ts';
import { invalidFields } from '../problem.ts';
import { writes } from '../verb/verb.ts';
import { activityReferenceProblems, orderProblems } from './activity-problems.ts';
import { readActivity } from './activity-record.ts';
import { lockActivity } from './lock-activity.ts';

/** Whatever the status: what was planned may be put right afterwards. The catalog has no event for it. */
export const updateActivity = writes('activities.update', async (context, { path, body }) => {
  const { core, sql, organization, now } = context;
  const row = await lockActivity(context, path.id);
  const changes = changesOf(row, body);
  if (!changes) return readActivity(context, path.id);

  const { start_at = row.start_at, end_at = row.end_at } = changes;
  const problems = [
    ...orderProblems(start_at, end_at, changes.end_at === undefined ? 'start_at' : 'end_at'),
    ...(await activityReferenceProblems(context, changes, await core.directories.current(sql, organization))),
  ];
  if (problems.length > 0) throw invalidFields(problems);
  await sql`
    update activities set ${sql({ ...changes, updated_at: laterOf(now, row.updated_at) })}
    where organization_id = ${organization} and id = ${path.id}`;
  return readActivity(context, path.id);
});
