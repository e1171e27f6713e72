import { startDealkeep } from '@dealkeep/testing';
import { startChromium } from '@dealkeep/testing/chromium';
import { describe, expect, test } from 'vitest';
import { signIn } from './business.ts';
import { looks, visitor } from './visitor.ts';

const dealkeep = await startDealkeep();
const organization = await dealkeep.createOrganization();
const api = dealkeep.as(organization.key);
const chromium = await startChromium();
const [service, marek] = [crypto.randomUUID(), crypto.randomUUID()];
await dealkeep.sql`
  insert into booking_services (organization_id, id, name, duration_minutes, currency, created_at, updated_at)
  values (${organization.id}, ${service}, 'Bike fitting', 60, 'EUR', now(), now())`;
await dealkeep.sql`
  insert into booking_staff (organization_id, id, name, created_at, updated_at)
  values (${organization.id}, ${marek}, 'Marek', now(), now())`;
await dealkeep.sql`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
for (const [at, hour] of ['08:00', '09:00', '09:15', '09:30', '12:00'].entries()) {
  await api.post('/bookings', {
    service_id: service,
    starts_at: `2026-11-2${3 + (at % 3)}T${hour}:00Z`,
    customer: { name: `Customer ${at}` },
  });
}
await api.post('/bookings', {
  service_id: service,
  starts_at: '2026-11-25T07:00:00Z',
  customer: { name: 'Early bird' },
  staff_id: marek,
});

describe.each(looks)('in $language, $colours, $width wide', (look) => {
  test('a week and a day are accessible and fit, and a press on a booking opens it', async () => {
    const visit = await visitor(chromium, dealkeep.origin, look);
    const { page } = visit;
    await signIn(visit, organization);
    await visit.open('/bookings/calendar?week=2026-W48');
    await visit.judge('calendar-week');
    await visit.open('/bookings/calendar?day=2026-11-25');
    await visit.judge('calendar-day');
    await page.click('.calendar >> text=Early bird');
    await page.waitForURL(/\/bookings\/[0-9a-f-]{36}$/);
  });
});

test('a press on a free time opens the form with the time and the person filled in', async () => {
  const visit = await visitor(chromium, dealkeep.origin);
  const { page } = visit;
  await signIn(visit, organization);
  await visit.open('/bookings/calendar?day=2026-11-25');
  await page.locator('.slots button[value="2026-11-25T16:00"]').first().click();
  await page.waitForURL(/\/bookings\/new\?/);
  expect(await page.inputValue('[name=starts_at]')).toBe('2026-11-25T16:00');
  expect(await page.inputValue('[name=staff_id]')).toBe(marek);
});

test('by the keyboard the stops of a day are its heading, a new booking and its bookings, not its free half hours', async () => {
  const visit = await visitor(chromium, dealkeep.origin);
  const { page } = visit;
  await signIn(visit, organization);
  await visit.open('/bookings/calendar?week=2026-W48');
  await page.focus('.calendar');
  const stops: string[] = [];
  for (let at = 0; at < 4; at += 1) {
    await page.keyboard.press('Tab');
    stops.push(await page.evaluate<string>('document.activeElement.textContent.trim()'));
  }
  expect(stops[0]).toContain('23');
  expect(stops[1]).toBe('+');
  expect(stops[2]).toContain('Customer 0');
  expect(stops[3]).toContain('Customer 3');
});

test('on a phone a day stands in the window', async () => {
  const visit = await visitor(chromium, dealkeep.origin, { colours: 'light', width: 390, language: 'en' });
  await signIn(visit, organization);
  await visit.open('/bookings/calendar?week=2026-W48');
  const box = await visit.page.locator('.calendar > section').first().boundingBox();
  expect(box && box.width > 250 && box.width < 390).toBe(true);
});
