import { type Booking, resources } from '@dealkeep/contract';
import { countRecords, listRecords, recordList } from '../../change/paging/list-page.ts';
import { contains, hasEmail } from '../../change/paging/search.ts';
import { monthOf, sumRecords } from '../../change/paging/sum-records.ts';
import { defineRecord, moment, number, oneOf, text, uuid } from '../../change/record-tables/define-record.ts';
import { type ReadContext, reads } from '../../change/verb/verb.ts';
import { named, reference } from '../../identity/reference-data/reference-data.ts';

export const bookings = defineRecord({
  schema: resources.booking.schema,
  table: 'bookings',
  alias: 'b',
  columns: {
    id: uuid,
    status: oneOf<Booking['status']>(),
    source: oneOf<Booking['source']>(),
    starts_at: moment,
    ends_at: moment,
    confirmed_at: moment.orNull,
    completed_at: moment.orNull,
    cancelled_at: moment.orNull,
    cancellation_reason: text.orNull,
    price: number.orNull,
    currency: text.orNull,
    client_id: uuid.orNull,
    lead_id: uuid.orNull,
    service_id: uuid,
    staff_id: uuid.orNull,
    customer_name: text,
    customer_email: text.orNull,
    customer_phone: text.orNull,
    customer_company: text.orNull,
    notes: text.orNull,
    created_at: moment,
    updated_at: moment,
  },
  searched: {
    texts: ['customer_name', 'customer_email'],
    identifiers: ['customer_email'],
    phones: ['customer_phone'],
    subtitle: `concat_ws(' · ', b.customer_company, b.customer_email)`,
  },
  joined: {
    client_name: text.orNull.from('c.name'),
    lead_name: text.orNull.from('l.name'),
  },
  joins: {
    k: {
      kind: 'client',
      table: 'clients',
      on: 'k.organization_id = b.organization_id and k.id = b.client_id',
    },
    c: {
      kind: 'company',
      table: 'companies',
      on: 'c.organization_id = k.organization_id and c.id = k.company_id',
    },
    l: { kind: 'lead', table: 'leads', on: 'l.organization_id = b.organization_id and l.id = b.lead_id' },
  },
  shown: (row, { referenceData, core }) => ({
    client: reference(row.client_id, row.client_name),
    lead: reference(row.lead_id, row.lead_name),
    service: named(referenceData.bookingServices, row.service_id),
    staff: named(referenceData.bookingStaff, row.staff_id),
    customer: {
      name: row.customer_name,
      email: row.customer_email,
      phone: row.customer_phone,
      company: row.customer_company,
      notes: row.notes,
    },
    app_url: `${core.origin}/bookings/${row.id}`,
  }),
});

export const getBooking = reads('bookings.get', (context, { path }) => bookings.get(context, path.id));

const bookingList = (context: ReadContext) => {
  const { sql } = context;
  return recordList({
    id: 'bookings.list',
    record: bookings,
    sorts: { starts_at: { column: 'starts_at', type: 'timestamptz' } },
    filters: {
      q: (text) => contains(sql, text, ...bookings.searchedTexts),
      status: (status) => sql`b.status = ${status}`,
      service_id: (id) => sql`b.service_id = ${id}`,
      staff_id: (id) => sql`b.staff_id = ${id}`,
      client_id: (id) => sql`b.client_id = ${id}`,
      email: (email) => hasEmail(context, bookings, 'customer_email', email),
      starts_after: (moment) => sql`b.starts_at > ${moment}::timestamptz`,
      starts_before: (moment) => sql`b.starts_at < ${moment}::timestamptz`,
    },
    items: (rows) => bookings.records(context, rows),
  });
};

export const listBookings = reads('bookings.list', (context, { query }) =>
  listRecords(context, query, bookingList(context)),
);

export const countBookings = reads('bookings.count', (context, { query }) =>
  countRecords(context, query, bookingList(context)),
);

export const sumBookings = reads('bookings.sum', async (context, { query: { by, ...query } }) => {
  const { sql } = context;
  const referenceData = await context.referenceData();
  return sumRecords(context, { by, query }, bookingList(context), {
    amount: sql`b.price`,
    currency: sql`b.currency`,
    groupings: {
      status: { of: sql`b.status` },
      service: { of: sql`b.service_id`, named: referenceData.bookingServices },
      staff: { of: sql`b.staff_id`, named: referenceData.bookingStaff },
      starts_month: { of: monthOf.moment(sql, 'b.starts_at', referenceData) },
    },
  });
});

/** The most that a calendar reads. */
export const mostInCalendar = 500;

/** What takes place between two moments. A booking takes a day at most, so one that began before that is over. */
export const listCalendar = reads('bookings.calendar', async (context, { query }) => {
  const { sql, organization } = context;
  const { from, to, staff_id } = query;
  const ofStaff = staff_id === undefined ? sql`true` : sql`b.staff_id = ${staff_id}`;
  const rows = await bookings.rows(
    context,
    sql`b.organization_id = ${organization} and b.status <> 'cancelled' and ${ofStaff}
      and b.starts_at >= ${from}::timestamptz - interval '1 day' and b.starts_at < ${to}::timestamptz
      and b.ends_at > ${from}::timestamptz
      order by b.starts_at, b.id limit ${mostInCalendar}`,
  );
  return bookings.records(context, rows);
});
