import { laterOf } from '../clock.ts';
import { Problem } from '../problem.ts';
import { writes } from '../verb/verb.ts';
import { readActivity } from './activity-record.ts';
import { lockActivity } from './lock-activity.ts';

export const completeActivity = writes('activities.complete', async (context, { path }) => {
  const { sql, organization, now } = context;
  const activity = await lockActivity(context, path.id);
  if (activity.status === 'canceled') throw new Problem('activity.canceled');
  if (activity.status === 'closed') return readActivity(context, path.id);
  const completedAt = laterOf(now, activity.updated_at);
  await sql`
    update activities set status = 'closed', completed_at = ${completedAt}, updated_at = ${completedAt}
    where organization_id = ${organization} and id = ${path.id}`;
  const completed = await readActivity(context, path.id);
  context.emit('activity.completed', completed);
  return completed;
});
