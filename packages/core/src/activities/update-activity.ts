import { laterOf } from '../clock.ts';
import { changesOf } from '../database/changes.ts';
import { invalidFields } from '../problem.ts';
import { type InputOf, type ResultOf, type Writing, writes } from '../verb/verb.ts';
import { activityReferenceProblems, orderProblems } from './activity-problems.ts';
import { type ActivityColumns, readActivity } from './activity-record.ts';
import { findActivity, lockActivity } from './lock-activity.ts';

const update = async (
  context: Writing,
  { path, body }: InputOf<'activities.update'>,
): Promise<ResultOf<'activities.update'>> => {
  const { sql, organization, now } = context;
  const row = await lockActivity(context, path.id);
  const changes = changesOf(row, body);
  if (!changes) return readActivity(context, path.id);

  const problems = [
    ...timeProblems(row, changes),
    ...(await activityReferenceProblems(context, changes, await context.directory())),
  ];
  if (problems.length > 0) throw invalidFields(problems);
  await sql`
    update activities set ${sql({ ...changes, updated_at: laterOf(now, row.updated_at) })}
    where organization_id = ${organization} and id = ${path.id}`;
  return readActivity(context, path.id);
};

/** Whatever the status: what was planned may be put right afterwards. The catalog has no event for it. */
export const updateActivity = writes('activities.update', update, {
  further: async (context, { part, isRefused }, { id }) => {
    const row = await findActivity(context, id);
    const changes = row && changesOf(row, part);
    if (!changes) return [];
    const isTimeClear = !isRefused('start_at') && !isRefused('end_at');
    const directory = await context.directory();
    return [
      ...(isTimeClear ? timeProblems(row, changes) : []),
      ...(await activityReferenceProblems(context, changes, directory)),
    ];
  },
});

type Times = Pick<ActivityColumns, 'start_at' | 'end_at'>;

const timeProblems = (row: Times, changes: { [Name in keyof Times]?: Times[Name] | undefined }) => {
  const { start_at = row.start_at, end_at = row.end_at } = changes;
  return orderProblems(start_at, end_at, changes.end_at === undefined ? 'start_at' : 'end_at');
};
