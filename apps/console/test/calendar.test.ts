import { Browser, sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { textOf } from './page-parts.ts';

const dealkeep = await sharedDealkeep();

/** An organization in Bratislava with its services and staff, and an owner who looks at its calendar. */
async function salon() {
  const organization = await dealkeep.createOrganization();
  await dealkeep.sql`update organizations set time_zone = 'Europe/Bratislava' where id = ${organization.id}`;
  const [service, marek] = [
    { id: crypto.randomUUID(), name: 'Bike fitting' },
    { id: crypto.randomUUID(), name: 'Marek' },
  ];
  await dealkeep.sql`
    insert into booking_services (organization_id, id, name, duration_minutes, currency, created_at, updated_at)
    values (${organization.id}, ${service.id}, ${service.name}, 60, 'EUR', now(), now())`;
  await dealkeep.sql`
    insert into booking_staff (organization_id, id, name, created_at, updated_at)
    values (${organization.id}, ${marek.id}, ${marek.name}, now(), now())`;
  await dealkeep.sql`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
  const api = dealkeep.as(organization.key);
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  const book = async (starts_at: string, name: string, staff_id?: string): Promise<string> =>
    (await api.post('/bookings', { service_id: service.id, starts_at, customer: { name }, staff_id })).data
      .id;
  const day = (html: string, name: string): string =>
    (html.split('<section aria-label="').find((each) => each.startsWith(name)) ?? '').split(
      '</section>',
    )[0] ?? '';
  return { organization, api, service, marek, browser, book, day };
}

test('a week shows each booking on its day, with time, customer, service, person and state, by time', async () => {
  const { browser, book, day, marek, service } = await salon();
  await book('2026-11-25T13:00:00Z', 'Eva Neskorá', marek.id);
  const id = await book('2026-11-25T08:00:00Z', 'Adam Skorý', marek.id);
  await book('2026-12-02T08:00:00Z', 'Next week', marek.id);
  const { html } = await browser.get('/bookings/calendar?week=2026-W48');
  const wednesday = day(html, 'Wednesday');
  expect(textOf(wednesday)).toContain(`Adam Skorý ${service.name} · ${marek.name} · Pending`);
  expect(wednesday).toMatch(/Adam Skorý.*Eva Neskorá/s);
  expect(wednesday).toContain(`href="/bookings/${id}"`);
  expect(textOf(wednesday)).toContain('09:00–');
  expect(textOf(day(html, 'Tuesday'))).toContain('No bookings');
  expect(html).not.toContain('Next week');
  expect(textOf(html)).toContain('23 – 29 November 2026, week 48');
  expect(html).toMatch(/href="\/bookings\/calendar\?week=2026-W47"[^>]*>Previous/);
  expect(html).toMatch(/href="\/bookings\/calendar\?week=2026-W49"[^>]*>Next/);
});

test('a day shows a column for each person, and one for bookings of nobody where there are any', async () => {
  const { browser, book, day, marek } = await salon();
  await book('2026-11-25T08:00:00Z', 'With the first', marek.id);
  const before = await browser.get('/bookings/calendar?day=2026-11-25');
  expect(before.html).not.toContain('Without a person');
  await book('2026-11-25T08:00:00Z', 'With nobody');
  const { html } = await browser.get('/bookings/calendar?day=2026-11-25');
  expect(textOf(day(html, marek.name))).toContain('With the first');
  expect(textOf(day(html, 'Without a person'))).toContain('With nobody');
});

test('a week is narrowed to a person, and a cancelled booking is not on it', async () => {
  const { api, browser, book, organization } = await salon();
  const other = crypto.randomUUID();
  await dealkeep.sql`
    insert into booking_staff (organization_id, id, name, created_at, updated_at)
    values (${organization.id}, ${other}, 'Zora', now(), now())`;
  await dealkeep.sql`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
  await book('2026-11-25T08:00:00Z', 'With Zora', other);
  await book('2026-11-25T08:00:00Z', 'With nobody');
  const cancelled = await book('2026-11-26T08:00:00Z', 'Called off', other);
  await api.post(`/bookings/${cancelled}/cancel`, {});
  const { html } = await browser.get(`/bookings/calendar?week=2026-W48&staff_id=${other}`);
  expect(html).toContain('With Zora');
  expect(html).not.toContain('With nobody');
  expect(html).not.toContain('Called off');
});

test('what overlaps stands beside each other, and of very many the rest is counted', async () => {
  const { browser, book, day } = await salon();
  await book('2026-11-24T08:00:00Z', 'Left');
  await book('2026-11-24T08:15:00Z', 'Right');
  for (let number = 1; number <= 6; number += 1) await book('2026-11-25T08:00:00Z', `Crowd ${number}`);
  const { html } = await browser.get('/bookings/calendar?week=2026-W48');
  const tuesday = day(html, 'Tuesday');
  expect(tuesday).toMatch(/lane-2-1 [^>]*>.*Left/s);
  expect(tuesday).toMatch(/lane-2-2 [^>]*>.*Right/s);
  const wednesday = day(html, 'Wednesday');
  expect(wednesday.match(/<li /g)).toHaveLength(3);
  expect(textOf(wednesday)).toContain('3 more');
  const all = /class="further[^"]*" href="([^"]*)"/.exec(wednesday)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const { html: list } = await browser.get(all);
  expect(list.match(/Crowd \d/g)?.length).toBeGreaterThanOrEqual(6);
  expect(textOf(list)).not.toContain('Left');
});

test('a free time begins a booking with its start and its person', async () => {
  const { browser, marek, day } = await salon();
  const { html } = await browser.get('/bookings/calendar?day=2026-11-25');
  const column = day(html, marek.name);
  expect(column).toContain('name="starts_at" value="2026-11-25T10:30"');
  const form = await browser.get(`/bookings/new?staff_id=${marek.id}&starts_at=2026-11-25T10%3A30`);
  expect(form.html).toMatch(/name="starts_at"[^>]*value="2026-11-25T10:30"/);
  expect(form.html).toContain(`<option value="${marek.id}" selected>`);
});

test('on the day on which clocks go back, both two o’clocks are told apart, and midnight is where it is', async () => {
  const { browser, book, day } = await salon();
  // Clocks in Bratislava go from 03:00 CEST to 02:00 CET on 25 October 2026, at 01:00 UTC.
  await book('2026-10-25T00:30:00Z', 'Summer time');
  await book('2026-10-25T01:30:00Z', 'Winter time');
  await book('2026-10-24T21:30:00Z', 'Saturday evening');
  await book('2026-10-25T22:30:00Z', 'Sunday evening');
  await book('2026-10-25T23:00:00Z', 'Monday midnight');
  const { html } = await browser.get('/bookings/calendar?week=2026-W43');
  const sunday = textOf(day(html, 'Sunday'));
  expect(sunday).toContain('The clocks change on this day.');
  expect(sunday).toMatch(/02:30 (?:CEST|GMT\+2)–\S+ \S+ Summer time/);
  expect(sunday).toMatch(/02:30 (?:CET|GMT\+1)–\S+ \S+ Winter time/);
  expect(sunday).toMatch(/23:30 .* Sunday evening/);
  expect(sunday).not.toMatch(/Saturday evening.*Monday midnight/);
  expect(textOf(day(html, 'Saturday'))).toContain('23:30–');
  expect(html).not.toContain('Monday midnight');
});

test('on the day on which clocks go forward, nobody is offered the hour that there is not', async () => {
  const { browser, book, day } = await salon();
  await book('2026-03-29T00:00:00Z', 'Early');
  const { html } = await browser.get('/bookings/calendar?week=2026-W13');
  const sunday = day(html, 'Sunday');
  expect(sunday).not.toContain('value="2026-03-29T02:30"');
  expect(sunday).toContain('value="2026-03-29T03:30"');
  expect(day(html, 'Saturday')).toContain('value="2026-03-28T02:30"');
});

test('an address that names no week shows the one of today, and one of the 53rd only where there is one', async () => {
  const { browser } = await salon();
  const current = / aria-current="date"/;
  for (const week of ['2025-W53', '2026-W00', 'x']) {
    expect((await browser.get(`/bookings/calendar?week=${week}`)).html, week).toMatch(current);
  }
  expect(textOf((await browser.get('/bookings/calendar?week=2026-W53')).html)).toContain('28 December 2026');
});

test('bookings of another organization are not on it, and the list leads to it', async () => {
  const { browser, book } = await salon();
  await book('2026-11-25T08:00:00Z', 'Own customer');
  const stranger = await salon();
  expect((await stranger.browser.get('/bookings/calendar?week=2026-W48')).html).not.toContain('Own customer');
  expect((await browser.get('/bookings')).html).toContain('href="/bookings/calendar"');
});
