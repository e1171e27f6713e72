import { randomUUIDv7 } from 'node:crypto';
import { invalidFields } from '../problem.ts';
import { type InputOf, type ResultOf, type Writing, writes } from '../verb/verb.ts';
import { activityReferenceProblems, orderProblems } from './activity-problems.ts';
import { readActivity } from './activity-record.ts';

const create = async (
  context: Writing,
  { body }: InputOf<'activities.create'>,
): Promise<ResultOf<'activities.create'>> => {
  const { sql, organization, credential, now } = context;
  const directory = await context.directory();
  const problems = [
    ...orderProblems(body.start_at, body.end_at ?? null, 'end_at'),
    ...(await activityReferenceProblems(context, body, directory)),
  ];
  if (problems.length > 0) throw invalidFields(problems);

  const activity = {
    organization_id: organization,
    id: randomUUIDv7(),
    name: body.name,
    status: 'open',
    importance: body.importance ?? 'normal',
    start_at: body.start_at,
    end_at: body.end_at ?? usualEnd(body.start_at),
    location: body.location ?? null,
    note: body.note ?? null,
    video_call_url: body.video_call_url ?? null,
    type_id: body.type_id ?? null,
    owner_id: credential.user.id,
    assignee_id: body.assignee_id ?? credential.user.id,
    company_id: body.company_id ?? null,
    contact_id: body.contact_id ?? null,
    lead_id: body.lead_id ?? null,
    created_at: now,
    updated_at: now,
  };
  await sql`insert into activities ${sql(activity)}`;
  const created = await readActivity(context, activity.id);
  context.emit('activity.created', created);
  return created;
};

export const createActivity = writes('activities.create', create, {
  further: async (context, { part, isRefused }) => {
    const start = isRefused('start_at') ? null : (part.start_at ?? null);
    return [
      ...orderProblems(start, part.end_at ?? null, 'end_at'),
      ...(await activityReferenceProblems(context, part, await context.directory())),
    ];
  },
});

const usualMinutes = 30; // ActivityBody, end_at
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

/** Date-times end with the year 9999, so an activity at its very end is shorter. */
const usualEnd = (startAt: string): string =>
  new Date(Math.min(Date.parse(startAt) + usualMinutes * 60_000, lastMoment)).toISOString();
