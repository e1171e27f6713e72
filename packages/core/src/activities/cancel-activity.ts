import type { Activity } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import { Problem } from '../problem.ts';
import { type OrganizationName, transact } from '../verb/transact.ts';
import { readActivity } from './activity-record.ts';
import { lockActivity } from './lock-activity.ts';

/**
 * Cancels an open activity, which the API has no operation for; a canceled one stays as it is, without an event.
 * Answers the activity as GET does. Raises NOT_FOUND, and CONFLICT when it is closed.
 */
export const cancelActivity = (
  core: Core,
  organization: OrganizationName,
  { id }: { id: string },
): Promise<Activity> =>
  transact(core, organization, async (context) => {
    const { sql, now } = context;
    const activity = await lockActivity(context, id);
    if (activity.status === 'closed') throw new Problem('record.wrong_state', { state: activity.status });
    if (activity.status === 'canceled') return readActivity(context, id);
    await sql`
      update activities set status = 'canceled', updated_at = ${laterOf(now, activity.updated_at)}
      where organization_id = ${organization.id} and id = ${id}`;
    const canceled = await readActivity(context, id);
    context.emit('activity.cancelled', canceled);
    return canceled;
  });
