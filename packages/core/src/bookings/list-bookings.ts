import { textBytes } from '../lists/cut-page.ts';
import { containsPattern, listPage } from '../lists/list-page.ts';
import { reads } from '../verb/verb.ts';
import { bookingRecord, bookingRows } from './booking-record.ts';

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
