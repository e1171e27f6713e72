import { namedRows } from '../../accounts/organizations/default-lookups.ts';
import { derivedId } from '../../foundations/database/new-id.ts';
import { activities } from '../../records/activities/record.ts';
import { bookings } from '../../records/bookings/record.ts';
import { tasks } from '../../records/tasks/record.ts';
import { type DemoPlace, demoId, insertingDemo, pick } from './made-up.ts';

/** What is done about a lead, the activity type it is of, and how long it takes. */
const subjects = [
  { subject: 'Introductory call', type: 'Phone call', minutes: 30 },
  { subject: 'Product presentation', type: 'Meeting', minutes: 60 },
  { subject: 'Answer to questions about the offer', type: 'E-mail', minutes: 15 },
  { subject: 'Demonstration', type: 'Video call', minutes: 45 },
  { subject: 'Measuring on site', type: 'Site visit', minutes: 120 },
  { subject: 'Negotiation of the price', type: 'Meeting', minutes: 90 },
  { subject: 'Follow-up call', type: 'Phone call', minutes: 15 },
];
const notes = ['Bring the catalogue.', 'Ask about the delivery date.', 'Send the minutes afterwards.'];

/**
 * An activity for each third lead that has none, on a working hour of the weeks after the lead was made: what is
 * past is closed or canceled, what lies ahead is open.
 */
export async function seedActivities(place: DemoPlace): Promise<number> {
  const { tx, organization, now } = place;
  const chosen = (values: readonly string[]) => pick(tx, values, 'n / 3');
  const rows = await tx`${insertingDemo(place, activities, 'n', {
    id: demoId(place, 'activities', 'n'),
    name: tx`plan.subject`,
    status: tx`done.status`,
    importance: tx`case when n % 7 = 0 then 'high' when n % 5 = 0 then 'low' else 'normal' end`,
    start_at: tx`plan.start_at`,
    end_at: tx`span.end_at`,
    completed_at: tx`case when done.status = 'closed' then span.end_at end`,
    location: tx`case when plan.type = 'Site visit' or plan.type = 'Meeting' then c.street || ', ' || c.city end`,
    note: tx`case when n % 2 = 0 then ${pick(tx, notes, 'n')} end`,
    video_call_url: tx`
      case when plan.type = 'Video call' then 'https://meet.example.com/' || substr(l.id::text, 25) end`,
    type_id: tx`kinds.id`,
    owner_id: tx`l.owner_id`,
    assignee_id: tx`l.owner_id`,
    company_id: tx`l.company_id`,
    contact_id: tx`l.contact_id`,
    lead_id: tx`l.id`,
    created_at: tx`l.created_at`,
    updated_at: tx`case when done.status = 'open' then l.created_at else span.end_at end`,
  })}
    from (select *, (row_number() over (order by created_at, id))::integer + ${place.first.leads} as n
          from leads x where organization_id = ${organization} and owner_id is not null
            and not exists (select 1 from activities a where a.organization_id = ${organization}
                            and a.lead_id = x.id)) as l
    cross join (select time_zone, currency from organizations where id = ${organization}) o
    left join companies c on c.organization_id = ${organization} and c.id = l.company_id,
      lateral (select ${chosen(subjects.map(({ subject }) => subject))} as subject,
                      ${chosen(subjects.map(({ type }) => type))} as type,
                      ${chosen(subjects.map(({ minutes }) => String(minutes)))}::integer as minutes,
                      (date_trunc('day', l.created_at at time zone o.time_zone)
                        + (2 + n * 5 % 45) * interval '1 day' + (8 + n % 8) * interval '1 hour')
                        at time zone o.time_zone as start_at) as plan
      left join (select distinct on (name) id, name from activity_types where organization_id = ${organization}
                 order by name, id) as kinds on kinds.name = plan.type,
      lateral (select plan.start_at + plan.minutes * interval '1 minute' as end_at) as span,
      lateral (select case when span.end_at > ${now} then 'open' when n % 4 = 0 then 'canceled'
                           else 'closed' end as status) as done
    where n % 3 = 0`;
  return rows.count;
}

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
async function seedProjects({ tx, organization, now }: DemoPlace): Promise<void> {
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
 * completed. Every second task stands in a project. Overdue ones are marked as told of, because a seed makes no
 * events.
 */
export async function seedTasks(place: DemoPlace): Promise<number> {
  const { tx, organization, now } = place;
  await seedProjects(place);
  const told = { overdue_told_of: tx`case when plan.due_at <= ${now} then plan.due_local end` };
  const values = {
    id: demoId(place, 'tasks', 'n'),
    title: pick(tx, titles, 'n / 2'),
    description: tx`case when n % 3 = 0 then ${pick(tx, descriptions, 'n')} end`,
    priority: tx`case when n % 7 = 0 then 'high' when n % 5 = 0 then 'low' else 'normal' end`,
    start_date: tx`case when n % 4 = 0 then plan.due_date - 3 end`,
    due_date: tx`plan.due_date`,
    due_time: tx`plan.due_time`,
    completed_at: tx`done.completed_at`,
    assignee_ids: tx`case when l.owner_id is null then '{}' else array[l.owner_id] end`,
    company_id: tx`l.company_id`,
    lead_id: tx`l.id`,
    project_id: tx`s.project_id`,
    stage_id: tx`s.id`,
    created_at: tx`l.created_at`,
    updated_at: tx`coalesce(done.completed_at, l.created_at)`,
  };
  const rows = await tx`${insertingDemo(place, tasks, 'n', values, told)}
    from (select *, (row_number() over (order by created_at, id))::integer + ${place.first.leads} as n
          from leads x where organization_id = ${organization}
            and not exists (select 1 from tasks t where t.organization_id = ${organization} and t.lead_id = x.id)) as l
    cross join (select time_zone, currency from organizations where id = ${organization}) o
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

const services = [
  { name: 'Consultation', duration_minutes: 60, price: 45 },
  { name: 'Installation', duration_minutes: 120, price: 90 },
  { name: 'Service check', duration_minutes: 30, price: 25 },
];
const staff = ['Marek Urban', 'Jana Kováčová', 'Tomáš Hudák'];
/** More would not fit into the calendars of three people. */
const clientsWithWork = 300;

/**
 * Services, the people who render them, and two bookings for each client that has none, in the weeks before and
 * after now: what is past is completed, cancelled or missed, what lies ahead is pending or confirmed.
 */
export async function seedBookings(place: DemoPlace): Promise<number> {
  const { tx, organization: id, now } = place;
  await seedServices(place);
  const rows = await tx`${insertingDemo(place, bookings, 'm', {
    id: demoId(place, 'bookings', 'm'),
    status: tx`done.status`,
    source: tx`case when m % 3 = 0 then 'console' else 'api' end`,
    starts_at: tx`span.starts_at`,
    ends_at: tx`span.ends_at`,
    confirmed_at: tx`
      case when done.status in ('confirmed', 'completed', 'no_show') then made.created_at + interval '2 hours' end`,
    completed_at: tx`case when done.status = 'completed' then span.ends_at end`,
    cancelled_at: tx`case when done.status = 'cancelled' then made.created_at + interval '1 day' end`,
    cancellation_reason: tx`case when done.status = 'cancelled' then 'Another time suits better.' end`,
    price: tx`s.price`,
    currency: tx`s.currency`,
    client_id: tx`k.id`,
    service_id: tx`s.id`,
    staff_id: tx`people.ids[1 + m % cardinality(people.ids)]`,
    customer_name: tx`t.name`,
    customer_email: tx`t.email`,
    customer_phone: tx`t.phone`,
    customer_company: tx`c.name`,
    notes: tx`case when m % 4 = 0 then 'First visit.' end`,
    created_at: tx`made.created_at`,
    updated_at: tx`
      case done.status when 'pending' then made.created_at when 'confirmed' then made.created_at + interval '2 hours'
                       when 'cancelled' then made.created_at + interval '1 day' else span.ends_at end`,
  })}
    from (select x.id, x.company_id, (row_number() over (order by x.created_at, x.id))::integer as n,
                 least(count(*) over (), ${clientsWithWork})::integer as total
          from clients x where x.organization_id = ${id}
            and not exists (select 1 from bookings b where b.organization_id = ${id} and b.client_id = x.id)
         ) as k
    cross join (select time_zone, currency from organizations where id = ${id}) o
    join companies c on c.organization_id = ${id} and c.id = k.company_id
    join contacts t on t.organization_id = ${id} and t.company_id = k.company_id and t.is_primary
    cross join generate_series(0, 1) as visit
    cross join (select array_agg(id order by name) as ids from booking_staff where organization_id = ${id}) as people,
      lateral (select (k.n - 1) * 2 + visit as m) as number
    join (select *, row_number() over (order by name) - 1 as place, count(*) over () as places
          from booking_services where organization_id = ${id}) as s
      on s.place = m / 2 % s.places,
      lateral (select (date_trunc('day', ${now}::timestamptz at time zone o.time_zone)
                       + (m - k.total) / greatest(1, k.total / 30) * interval '1 day'
                       + (9 + m / 3 % 4 * 2) * interval '1 hour') at time zone o.time_zone as starts_at) as start,
      lateral (select start.starts_at, start.starts_at + s.duration_minutes * interval '1 minute' as ends_at) as span,
      lateral (select case when span.ends_at > ${now} then (array['confirmed', 'pending'])[1 + m % 2]
                           when m % 5 = 0 then 'cancelled' when m % 7 = 0 then 'no_show'
                           else 'completed' end as status) as done,
      lateral (select least(span.starts_at, ${now}) - interval '9 days' + m % 5 * interval '1 day' as created_at) as made
    where k.n <= ${clientsWithWork}
    on conflict do nothing`;
  return rows.count;
}

async function seedServices({ tx, organization: id, currency, now }: DemoPlace): Promise<void> {
  const [present] = await tx`select 1 from booking_services where organization_id = ${id} limit 1`;
  if (!present) {
    const rows = namedRows(
      id,
      now,
      services.map(({ name }) => name),
      (name) => derivedId(id, 'booking_services', name),
    ).map((row, index) => ({ ...row, ...services[index], currency }));
    await tx`insert into booking_services ${tx(rows)}`;
  }
  const [existing] = await tx`select 1 from booking_staff where organization_id = ${id} limit 1`;
  if (existing) return;
  const people = namedRows(id, now, staff, (name) => derivedId(id, 'booking_staff', name));
  await tx`insert into booking_staff ${tx(people)}`;
}
