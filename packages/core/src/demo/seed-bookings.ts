import type { Transaction } from '../database/connect.ts';
import { namedRows } from '../organizations/default-lists.ts';
import { derivedId } from '../organizations/derived-id.ts';
import { demoId } from './demo-id.ts';

const services = [
  { name: 'Consultation', duration_minutes: 60, price: 45 },
  { name: 'Installation', duration_minutes: 120, price: 90 },
  { name: 'Service check', duration_minutes: 30, price: 25 },
];
const staff = ['Marek Urban', 'Jana Kováčová', 'Tomáš Hudák'];
/** More would not fit into the calendars of three people. */
const mostClients = 300;

/**
 * Services, the people who render them, and two bookings for each client that has none, in the weeks before and after
 * now: what is past is completed, cancelled or missed, what lies ahead is pending or confirmed.
 */
export async function seedBookings(
  tx: Transaction,
  organization: { id: string; currency: string },
  now: string,
): Promise<number> {
  await seedServices(tx, organization, now);
  const { id } = organization;
  const rows = await tx`
    insert into bookings (organization_id, id, status, source, starts_at, ends_at, confirmed_at, completed_at,
                          cancelled_at, cancellation_reason, price, currency, client_id, service_id, staff_id,
                          customer_name, customer_email, customer_phone, customer_company, notes, created_at,
                          updated_at)
    select ${id}, ${demoId(tx, id, 'bookings', 'm')}, done.status, case when m % 3 = 0 then 'console' else 'api' end,
      span.starts_at, span.ends_at,
      case when done.status in ('confirmed', 'completed', 'no_show') then made.created_at + interval '2 hours' end,
      case when done.status = 'completed' then span.ends_at end,
      case when done.status = 'cancelled' then made.created_at + interval '1 day' end,
      case when done.status = 'cancelled' then 'Another time suits better.' end,
      s.price, s.currency, k.id, s.id, people.ids[1 + m % cardinality(people.ids)],
      t.name, t.email, t.phone, c.name, case when m % 4 = 0 then 'First visit.' end, made.created_at,
      case done.status when 'pending' then made.created_at when 'confirmed' then made.created_at + interval '2 hours'
                       when 'cancelled' then made.created_at + interval '1 day' else span.ends_at end
    from (select x.id, x.company_id, (row_number() over (order by x.created_at, x.id))::integer as n,
                 least(count(*) over (), ${mostClients})::integer as total
          from clients x where x.organization_id = ${id}
            and not exists (select from bookings b where b.organization_id = x.organization_id and b.client_id = x.id)
         ) as k
    join organizations o on o.id = ${id}
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
    where k.n <= ${mostClients}
    on conflict do nothing`;
  return rows.count;
}

async function seedServices(
  tx: Transaction,
  { id, currency }: { id: string; currency: string },
  now: string,
): Promise<void> {
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
  const [person] = await tx`select 1 from booking_staff where organization_id = ${id} limit 1`;
  if (person) return;
  const people = namedRows(id, now, staff, (name) => derivedId(id, 'booking_staff', name));
  await tx`insert into booking_staff ${tx(people)}`;
}
