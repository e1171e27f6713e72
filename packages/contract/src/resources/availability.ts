import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import * as field from '../scalars.ts';
import { exampleRef, record, ref } from '../shapes.ts';
import { text } from '../text.ts';

const day = (en: string, sk: string, help: [en: string, sk: string], example: string) =>
  field.date({ label: text(en, sk), help: text(...help), example }).optional();

const FreeStart = record(
  'FreeStart',
  { label: text('Free Start', 'Voľný začiatok') },
  {
    starts_at: field.dateTime({ label: text('Start', 'Začiatok'), example: '2026-10-06T09:00:00.000Z' }),
    ends_at: field.dateTime({ label: text('End', 'Koniec'), example: '2026-10-06T10:00:00.000Z' }),
    staff: field.list(ref(text('Staff Member', 'Pracovník'), exampleRef.staff), {
      label: text('Staff', 'Pracovníci'),
      help: text(
        'Who is free then; any of them can be booked.',
        'Kto má vtedy čas; rezervovať možno každého z nich.',
      ),
    }),
  },
);

export const Availability = record(
  'Availability',
  { label: text('Availability', 'Voľné termíny') },
  {
    service: ref(text('Service', 'Služba'), exampleRef.service),
    duration_minutes: field.integer({
      label: text('Duration in Minutes', 'Trvanie v minútach'),
      example: 60,
    }),
    time_zone: field.string({
      label: text('Time Zone', 'Časové pásmo'),
      help: text('Of the organization: its days are meant.', 'Organizácie: myslia sa jej dni.'),
      example: 'Europe/Bratislava',
    }),
    starts: field.list(FreeStart, { label: text('Free Starts', 'Voľné začiatky') }),
  },
);

export const availabilityOperations = {
  'booking-services.availability': operation({
    id: 'booking-services.availability',
    tool: 'get_booking_availability',
    resource: 'booking-service',
    kind: 'get',
    method: 'GET',
    path: '/booking-services/{id}/availability',
    scope: 'bookings:read',
    query: z.strictObject({
      from: day(
        'From',
        'Od',
        [
          'First day, in the time zone of the organization; today when not given.',
          'Prvý deň v časovom pásme organizácie; ak sa neuvedie, dnes.',
        ],
        '2026-10-06',
      ),
      to: day(
        'To',
        'Do',
        [
          `Last day, included; ${limits.availabilityDays} days at most, a week when not given.`,
          `Posledný deň vrátane; najviac ${limits.availabilityDays} dní, ak sa neuvedie, týždeň.`,
        ],
        '2026-10-10',
      ),
      staff_id: field
        .reference('booking-staff', {
          label: text('Staff Member', 'Pracovník'),
          help: text('Only when this one is free.', 'Len keď má čas tento pracovník.'),
        })
        .optional(),
    }),
    answer: Availability,
    shape: 'record',
    statuses: [200],
    errors: [],
    title: text('List free starts', 'Zoznam voľných začiatkov'),
    about: text(
      'When the service can be booked: every 15 minutes that lie ahead and at which somebody of the staff has no other booking for as long as it takes. Opening hours are not known here.',
      'Kedy sa dá služba rezervovať: každých 15 minút, ktoré ešte len prídu a keď niekto z pracovníkov nemá inú rezerváciu počas celého trvania. Otváracie hodiny tu nie sú známe.',
    ),
    instruction: 'Retrieve the times at which a service can be booked, and who is free then.',
  }),
};
