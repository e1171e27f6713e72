import type { Transaction } from '../database/connect.ts';
import { namedRows } from '../organizations/default-lists.ts';
import { derivedId } from '../organizations/derived-id.ts';
import { demoId } from './demo-id.ts';
import { pick } from './pick.ts';

const projects = ['Website relaunch', 'Autumn trade fair', 'Warehouse move'];
const stages = [
  { name: 'To do', category: 'to_do' },
  { name: 'In progress', category: 'in_progress' },
  { name: 'Review', category: 'in_progress' },
  { name: 'Done', category: 'done' },
];
const titles = [
  'Send the contract',
  'Prepare the price offer',
  'Check the delivery address',
  'Update the product photographs',
  'Call about the open invoice',
  'Order the printed leaflets',
  'Write the minutes of the meeting',
  'Confirm the date of the installation',
];
const descriptions = [
  'Two copies, both signed.',
  'Ask the accountant first.',
  'See the notes of the last call.',
];

/** Three projects of four stages, unless the organization has projects. */
async function seedProjects(tx: Transaction, organization: string, now: string): Promise<void> {
  const [present] = await tx`select 1 from projects where organization_id = ${organization} limit 1`;
  if (present) return;
  const rows = namedRows(organization, now, projects, (name) =>
    derivedId(organization, 'projects', name),
  ).map((row, index) => ({
    ...row,
    status: index === 2 ? 'on_hold' : 'active',
  }));
  await tx`insert into projects ${tx(rows)}`;
  const stageRows = rows.flatMap(({ id }) =>
    stages.map((stage, position) => ({
      organization_id: organization,
      id: derivedId('project_stages', id, stage.name),
      project_id: id,
      ...stage,
      position,
    })),
  );
  await tx`insert into project_stages ${tx(stageRows)}`;
}

/**
 * A task for each second lead that has none, due in the weeks after the lead was made; most of what is past is
 * completed. Every second task stands in a project. What is overdue counts as told of: a seed makes no events.
 */
export async function seedTasks(tx: Transaction, organization: string, now: string): Promise<number> {
  await seedProjects(tx, organization, now);
  const rows = await tx`
    insert into tasks (organization_id, id, title, description, priority, start_date, due_date, due_time,
                       overdue_told_of, completed_at, assignee_ids, company_id, lead_id, project_id, stage_id,
                       created_at, updated_at)
    select ${organization}, ${demoId(tx, organization, 'tasks', 'n')}, ${pick(tx, titles, 'n / 2')},
      case when n % 3 = 0 then ${pick(tx, descriptions, 'n')} end,
      case when n % 7 = 0 then 'high' when n % 5 = 0 then 'low' else 'normal' end,
      case when n % 4 = 0 then plan.due_date - 3 end, plan.due_date, plan.due_time,
      case when plan.due_at <= ${now} then plan.due_local end, done.completed_at,
      case when l.owner_id is null then '{}' else array[l.owner_id] end, l.company_id, l.id, s.project_id, s.id,
      l.created_at, coalesce(done.completed_at, l.created_at)
    from (select *, (row_number() over (order by created_at, id))::integer as n
          from leads x where organization_id = ${organization}
            and not exists (select from tasks t where t.organization_id = x.organization_id and t.lead_id = x.id)) as l
    join organizations o on o.id = l.organization_id
    cross join (
      select array_agg(id order by project_id, position) filter (where category <> 'done') as open,
             array_agg(id order by project_id, position) filter (where category = 'done') as done
      from project_stages where organization_id = ${organization}) as known
    cross join lateral (
      select (l.created_at at time zone o.time_zone)::date + 3 + n * 5 % 60 as due_date,
             case when n % 6 = 0 then time '16:00' when n % 10 = 0 then time '09:30' end as due_time) as due
    cross join lateral (
      select due.due_date, due.due_time, due.due_date + coalesce(due.due_time, '24:00') as due_local,
             (due.due_date + coalesce(due.due_time, '24:00')) at time zone o.time_zone as due_at) as plan
    cross join lateral (
      select case when plan.due_at <= ${now} and n % 10 <> 4
                  then greatest(l.created_at, plan.due_at - interval '20 hours') end as completed_at) as done
    left join project_stages s on s.organization_id = ${organization} and n % 4 = 0 and s.id =
      case when done.completed_at is null then known.open[1 + n / 4 % cardinality(known.open)]
           else known.done[1 + n / 4 % cardinality(known.done)] end
    where n % 2 = 0`;
  return rows.count;
}
