import { randomUUIDv7 } from 'node:crypto';
import type { Booking } from '@dealkeep/contract';
import type { Answer } from '../answer.ts';
import type { TestDealkeep } from '../start-dealkeep.ts';
import { type Business, openBusiness } from './business.ts';

export interface Salon extends Business {
  name: { id: string; slug: string };
  /** A service of an hour for 45 EUR. */
  service: string;
  staff: string;
  addService(columns?: { name?: string; duration_minutes?: number; price?: number | null }): Promise<string>;
  addStaff(name?: string, email?: string | null): Promise<string>;
  /** Books the service for Eva. */
  book(startsAt: string, more?: object): Promise<Answer<Booking>>;
}

/** A business that can be booked. Its services and people are written as the console writes them. */
export async function openSalon(dealkeep: TestDealkeep): Promise<Salon> {
  const business = await openBusiness(dealkeep);
  const { organization } = business;
  const insert = async (table: string, columns: object): Promise<string> => {
    const { sql } = dealkeep;
    const id = randomUUIDv7();
    const now = new Date().toISOString();
    const row = { organization_id: organization.id, id, created_at: now, updated_at: now, ...columns };
    await sql`insert into ${sql(table)} ${sql(row)}`;
    await sql`
      update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
    return id;
  };
  const addService: Salon['addService'] = ({
    name = 'Bike fitting',
    duration_minutes = 60,
    price = 45,
  } = {}) => insert('booking_services', { name, duration_minutes, price, currency: 'EUR' });
  const addStaff: Salon['addStaff'] = (name = 'Marek Urban', email = null) =>
    insert('booking_staff', { name, email });
  const service = await addService();
  const staff = await addStaff();
  return {
    ...business,
    name: { id: organization.id, slug: organization.slug },
    service,
    staff,
    addService,
    addStaff,
    book: (startsAt, more = {}) =>
      business.api.post('/bookings', {
        service_id: service,
        starts_at: startsAt,
        customer: { name: 'Eva Šimková' },
        ...more,
      }),
  };
}
