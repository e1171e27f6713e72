import { type Activity, type FieldProblem, usualActivityMinutes } from '@dealkeep/contract';
import { type ReadContext, writes } from '../../change/verb/verb.ts';
import { laterOf } from '../../foundations/clock.ts';
import type { Fragment } from '../../foundations/database/connect.ts';
import { newId } from '../../foundations/database/new-id.ts';
import { changesOf } from '../../foundations/database/values.ts';
import { invalidFields, Problem } from '../../foundations/problem.ts';
import { canChoose, type ReferenceData } from '../../identity/reference-data/reference-data.ts';
import { type ActivityRow, activities } from './record.ts';

interface ActivityReferences {
  type_id?: string | null | undefined;
  assignee_id?: string | null | undefined;
  company_id?: string | null | undefined;
  contact_id?: string | null | undefined;
  lead_id?: string | null | undefined;
}

/** What records show of what a body refers to. */
interface JoinedToActivity {
  company_name?: string | null;
  contact_name?: string | null;
  lead_name?: string | null;
}

/** What an activity's body refers to; answers the failing fields where it does not exist. */
async function findActivityReferences(
  { sql, organization }: ReadContext,
  body: ActivityReferences,
  referenceData: ReferenceData,
): Promise<{ joined: JoinedToActivity; problems: FieldProblem[] }> {
  const { type_id, assignee_id, company_id, contact_id, lead_id } = body;
  const missing: string[] = [];
  const joined: JoinedToActivity = {};
  if (assignee_id && !referenceData.users.has(assignee_id)) missing.push('assignee_id');
  if (type_id && !canChoose(referenceData.activityTypes, type_id)) missing.push('type_id');
  if (company_id || contact_id || lead_id) {
    const nameIn = (
      table: 'companies' | 'contacts' | 'leads',
      id: string | null | undefined,
    ): Fragment => sql`
      (select json_build_array(name) from ${sql(table)} where organization_id = ${organization} and id = ${id ?? null})`;
    const [found] = await sql<{ [Name in 'company' | 'contact' | 'lead']: [string | null] | null }[]>`
      select ${nameIn('companies', company_id)} as company, ${nameIn('contacts', contact_id)} as contact,
             ${nameIn('leads', lead_id)} as lead`;
    for (const name of ['company', 'contact', 'lead'] as const) {
      const [id, named] = [body[`${name}_id`], found?.[name]];
      if (named) joined[`${name}_name`] = named[0];
      else if (id) missing.push(`${name}_id`);
    }
  }
  return { joined, problems: missing.map((path) => ({ path, key: 'field.not_found' })) };
}

/**
 * The problem of an activity that ends before it starts, named at `path`. Both moments are RFC 3339 in UTC with
 * milliseconds.
 */
const orderProblems = (
  startAt: string | null,
  endAt: string | null,
  path: 'start_at' | 'end_at',
): FieldProblem[] =>
  startAt !== null && endAt !== null && endAt < startAt ? [{ path, key: 'field.before_start' }] : [];

export const createActivity = writes('activities.create', {
  async check(context, { body }) {
    const { joined, problems: ofReferences } = await findActivityReferences(
      context,
      body,
      await context.referenceData(),
    );
    const problems = [
      ...orderProblems(body.start_at ?? null, body.end_at ?? null, 'end_at'),
      ...ofReferences,
    ];
    if (problems.length > 0) throw invalidFields(problems);
    return joined;
  },

  async run(context, { body }, found) {
    const { actor, now } = context;
    const activity = {
      ...activities.valuesOf(body),
      id: newId(),
      status: 'open',
      importance: body.importance ?? 'normal',
      end_at: body.end_at ?? usualEnd(body.start_at),
      owner_id: actor.user.id,
      assignee_id: body.assignee_id ?? actor.user.id,
      created_at: now,
      updated_at: now,
    } as const;
    const joined = { company_name: null, contact_name: null, lead_name: null, ...found };
    const row = await activities.insertWhole(context, activity, { joined });
    const created = await activities.recordOf(context, row);
    context.emit('activity.created', created);
    return created;
  },
});

const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

/** Date-times end with the year 9999, so an activity at its very end is shorter. */
const usualEnd = (startAt: string): string =>
  new Date(Math.min(Date.parse(startAt) + usualActivityMinutes * 60_000, lastMoment)).toISOString();

/** Allowed in every status, because people correct afterwards what was planned. The catalog has no event for it. */
export const updateActivity = writes('activities.update', {
  async check(context, { path, body, isRefused }) {
    const row = await activities.ofChange(context, path.id);
    const changes = changesOf(row, activities.valuesOf(body));
    if (!changes) return { row, changes, joined: {} };
    const { joined, problems: ofReferences } = await findActivityReferences(
      context,
      changes,
      await context.referenceData(),
    );
    const isTimed = !['start_at', 'end_at'].some(isRefused);
    const problems = [...(isTimed ? timeProblems(row, changes) : []), ...ofReferences];
    if (problems.length > 0) throw invalidFields(problems);
    return { row, changes, joined };
  },

  async run(context, _, { row, changes, joined }) {
    if (!changes) return activities.recordOf(context, row);
    const changed = { ...changes, updated_at: laterOf(context.now, row.updated_at) };
    return activities.recordOf(context, await activities.update(context, row, changed, { joined }));
  },
});

type Times = Pick<ActivityRow, 'start_at' | 'end_at'>;

const timeProblems = (row: Times, changes: { [Name in keyof Times]?: Times[Name] | undefined }) => {
  const { start_at = row.start_at, end_at = row.end_at } = changes;
  return orderProblems(start_at, end_at, changes.end_at === undefined ? 'start_at' : 'end_at');
};

export const completeActivity = writes('activities.complete', async (context, { path }) => {
  const activity = await activities.lock(context, path.id);
  if (activity.status === 'canceled') throw new Problem('activity.canceled');
  if (activity.status === 'closed') return activities.recordOf(context, activity);
  const completedAt = laterOf(context.now, activity.updated_at);
  const row = await activities.update(context, activity, {
    status: 'closed',
    completed_at: completedAt,
    updated_at: completedAt,
  });
  const completed = await activities.recordOf(context, row);
  context.emit('activity.completed', completed);
  return completed;
});

/** A canceled one stays as it is, without an event; a closed one raises CONFLICT. */
export const cancelActivity = writes('activities.cancel', async (context, { path }) => {
  const activity = await activities.lock(context, path.id);
  if (activity.status === 'closed') throw new Problem('record.wrong_state', { state: activity.status });
  if (activity.status === 'canceled') return activities.recordOf(context, activity);
  const canceledAt = laterOf(context.now, activity.updated_at);
  const row = await activities.update(context, activity, { status: 'canceled', updated_at: canceledAt });
  const canceled = await activities.recordOf(context, row);
  context.emit('activity.cancelled', canceled);
  return canceled;
});

/** What can be done with an activity as it is: once closed or canceled, it stays so. */
export const possibleActivitySteps = ({
  status,
}: Pick<Activity, 'status'>): ('activities.complete' | 'activities.cancel')[] =>
  status === 'open' ? ['activities.complete', 'activities.cancel'] : [];
