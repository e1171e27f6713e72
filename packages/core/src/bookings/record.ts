import type { Booking } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { type Directory, named } from '../directory/directory.ts';
import { textBytes } from '../paging/cursor.ts';
import { containsPattern, listPage } from '../paging/list-page.ts';
import { notFound } from '../problem.ts';
import { reads, type Scope } from '../verb/verb.ts';

/** The booking's own columns. */
export interface BookingColumns {
  id: string;
  status: Booking['status'];
  source: Booking['source'];
  starts_at: string;
  ends_at: string;
  confirmed_at: string | null;
  completed_at: string | null;
  cancelled_at: string | null;
  cancellation_reason: string | null;
  price: number | null;
  currency: string | null;
  client_id: string | null;
  lead_id: string | null;
  service_id: string;
  staff_id: string | null;
  customer_name: string;
  customer_email: string | null;
  customer_phone: string | null;
  customer_company: string | null;
  notes: string | null;
  created_at: string;
  updated_at: string;
}

interface BookingRow extends BookingColumns {
  client_name: string | null;
  lead_name: string | null;
  directory_version: number;
  sort_value: string | null;
}

/** Rows of bookings (alias `b`) with what their records need; services and staff come from the directory. */
const bookingRows = (sql: Statements, rest: Fragment, sortValue: Fragment = sql`null`) =>
  sql<BookingRow[]>`
    select b.*, c.name as client_name, l.name as lead_name, o.directory_version, ${sortValue} as sort_value
    from bookings b
    join organizations o on o.id = b.organization_id
    left join clients k on k.organization_id = b.organization_id and k.id = b.client_id
    left join companies c on c.organization_id = k.organization_id and c.id = k.company_id
    left join leads l on l.organization_id = b.organization_id and l.id = b.lead_id
    where ${rest}`;

const bookingRecord = (row: BookingRow, directory: Directory, core: Core): Booking => ({
  id: row.id,
  status: row.status,
  source: row.source,
  starts_at: row.starts_at,
  ends_at: row.ends_at,
  confirmed_at: row.confirmed_at,
  completed_at: row.completed_at,
  cancelled_at: row.cancelled_at,
  cancellation_reason: row.cancellation_reason,
  price: row.price,
  currency: row.currency,
  client: row.client_id === null ? null : { id: row.client_id, name: row.client_name ?? '' },
  lead: row.lead_id === null ? null : { id: row.lead_id, name: row.lead_name ?? '' },
  service: named(directory.bookingServices, row.service_id),
  staff: named(directory.bookingStaff, row.staff_id),
  customer: {
    name: row.customer_name,
    email: row.customer_email,
    phone: row.customer_phone,
    company: row.customer_company,
    notes: row.notes,
  },
  created_at: row.created_at,
  app_url: `${core.origin}/bookings/${row.id}`,
});

/** A booking as GET answers it. Raises NOT_FOUND. */
export async function readBooking({ core, sql, organization }: Scope, id: string): Promise<Booking> {
  const [row] = await bookingRows(sql, sql`b.organization_id = ${organization} and b.id = ${id}`);
  if (!row) throw notFound();
  return bookingRecord(row, await core.directories.at(sql, organization, row.directory_version), core);
}

export const getBooking = reads('bookings.get', (context, { path }) => readBooking(context, path.id));

export const listBookings = reads('bookings.list', (context, { query }) => {
  const { core, sql, organization } = context;
  return listPage(context, query, {
    id: 'bookings.list',
    alias: 'b',
    weight: textBytes(sql, ['b.notes', 'b.cancellation_reason']),
    sorts: { starts_at: { column: 'starts_at', type: 'timestamptz' } },
    filters: {
      q: (text) => {
        const pattern = containsPattern(text);
        return sql`(b.customer_name ilike ${pattern} or b.customer_email ilike ${pattern})`;
      },
      status: (status) => sql`b.status = ${status}`,
      service_id: (id) => sql`b.service_id = ${id}`,
      staff_id: (id) => sql`b.staff_id = ${id}`,
      client_id: (id) => sql`b.client_id = ${id}`,
      email: (email) => sql`lower(b.customer_email) = lower(${email})`,
      starts_after: (moment) => sql`b.starts_at > ${moment}::timestamptz`,
      starts_before: (moment) => sql`b.starts_at < ${moment}::timestamptz`,
    },
    rows: ({ where, order, sortValue, limit }) =>
      bookingRows(sql, sql`${where} order by ${order} limit ${limit}`, sortValue),
    items: async (rows) => {
      const version = Math.max(...rows.map((row) => row.directory_version), 0);
      const directory = await core.directories.at(sql, organization, version);
      return rows.map((row) => bookingRecord(row, directory, core));
    },
  });
});
