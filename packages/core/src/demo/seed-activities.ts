import type { Transaction } from '../database/connect.ts';
import { demoId } from './demo-id.ts';
import { pick } from './pick.ts';

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
 * An activity for each third lead that has none, on a working hour of the weeks after the lead was made: what is past
 * is closed or canceled, what lies ahead is open.
 */
export async function seedActivities(tx: Transaction, organization: string, now: string): Promise<number> {
  const chosen = (values: readonly string[]) => pick(tx, values, 'n / 3');
  const rows = await tx`
    insert into activities (organization_id, id, name, status, importance, start_at, end_at, completed_at, location,
                            note, video_call_url, type_id, owner_id, assignee_id, company_id, contact_id, lead_id,
                            created_at, updated_at)
    select ${organization}, ${demoId(tx, organization, 'activities', 'n')}, plan.subject, done.status,
      case when n % 7 = 0 then 'high' when n % 5 = 0 then 'low' else 'normal' end, plan.start_at, span.end_at,
      case when done.status = 'closed' then span.end_at end,
      case when plan.type = 'Site visit' or plan.type = 'Meeting' then c.street || ', ' || c.city end,
      case when n % 2 = 0 then ${pick(tx, notes, 'n')} end,
      case when plan.type = 'Video call' then 'https://meet.example.com/' || substr(l.id::text, 25) end,
      kinds.id, l.owner_id, l.owner_id, l.company_id, l.contact_id, l.id, l.created_at,
      case when done.status = 'open' then l.created_at else span.end_at end
    from (select *, (row_number() over (order by created_at, id))::integer as n
          from leads x where organization_id = ${organization} and owner_id is not null
            and not exists (select from activities a where a.organization_id = x.organization_id
                            and a.lead_id = x.id)) as l
    join organizations o on o.id = l.organization_id
    left join companies c on c.organization_id = l.organization_id and c.id = l.company_id,
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
