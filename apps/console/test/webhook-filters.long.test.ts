import { limits } from '@dealkeep/contract';
import { getWebhookWithHealth } from '@dealkeep/core/delivering';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { limitedWebhooks, madeWebhook, newWebhook } from './limited-webhooks.ts';
import { lookupOwner } from './lookup-owner.ts';
import { textOf, ticksIn } from './page-parts.ts';
import { pipelinesBy } from './pipelines.ts';

// Rule hooks 26.
const dealkeep = await sharedDealkeep();
const { core } = dealkeep;
const add = newWebhook;
const show = { do: 'find' };
const save = { do: 'save' };

// The tests share an owner; each makes a pipeline and webhooks of its own.
const owner = await lookupOwner(dealkeep);
const { pipeline } = pipelinesBy(owner);
const made = limitedWebhooks(dealkeep, owner);

test('a stage that was deleted since is shown as such and can be taken out', async () => {
  const { browser } = owner;
  const old = await pipeline('Old');
  const [gone, kept] = [old.stage('Negotiation'), old.stage('New')];
  const hook = await made('lead.created', { 'filters.stage_id': [gone, kept] });
  expect((await owner.step(`pipelines/${old.id}/stages`, gone, 'remove')).status).toBe(303);
  expect(textOf((await browser.get(hook.address)).html)).toContain('Stage: Deleted since, Old – New');
  const form = await browser.get(hook.edit);
  expect(form.html).toContain(`value="${gone}" checked>Deleted since</label>`);
  await browser.submit(form, hook.edit, { name: 'As before', ...save });
  expect((await hook.now()).filters?.['stage_id']?.toSorted()).toEqual([gone, kept].toSorted());
  await browser.fill(hook.edit, hook.edit, { 'filters.stage_id': kept, ...save });
  expect((await hook.now()).filters).toEqual({ stage_id: [kept] });
  expect((await browser.get(hook.edit)).html).not.toContain(gone);
});

test('an origin that only records still have keeps its name, and so does a tag', async () => {
  const id = await owner.idOf('lead-origins', { name: 'Fair' });
  await owner.add('tags', { name: 'Short-lived' });
  const hook = await made('lead.created', { 'filters.origin_id': id, 'filters.tag': 'Short-lived' });
  await owner.api.post('/leads', { name: 'From the fair', origin_id: id });
  await owner.step('lead-origins', id, 'remove');
  const tag = (await owner.listed('/tags')).get('Short-lived')?.['id'];
  await owner.step('tags', tag, 'remove');
  const page = textOf((await owner.browser.get(hook.address)).html);
  expect(page).toContain(
    'Lead Origin: Fair (no longer in the list); Tag: Short-lived (no longer in the list)',
  );
});

test('filters that another tab has changed meanwhile are not overwritten unseen', async () => {
  const { browser } = owner;
  const shared = await pipeline('Shared');
  const hook = await made('lead.updated', { 'filters.stage_id': shared.stage('New') });
  const change = async (other: Readonly<Record<string, string>>) => {
    const open = await browser.get(hook.edit);
    await browser.fill(hook.edit, hook.edit, { ...other, ...save });
    return (await browser.submit(open, hook.edit, { name: 'Mine', ...save })).status;
  };
  expect(await change({ 'filters.stage_id': shared.stage('Won') })).toBe(409);
  expect(await change({ changed_fields: 'note' })).toBe(409);
  expect(await hook.now()).toMatchObject({
    name: 'Warehouse',
    filters: { stage_id: [shared.stage('Won')] },
    changed_fields: ['note'],
  });
});

test('of 1,000 tags and 3,000 services the form shows the begin; others are found by name, and what is ticked stays', async () => {
  const rich = await lookupOwner(dealkeep);
  const { browser, organization, api } = rich;
  const names = Array.from(
    { length: limits.tagsOfOrganization },
    (_, number) => `Tag ${String(number).padStart(4, '0')}`,
  );
  const items = Array.from({ length: names.length / 50 }, (_, number) => ({
    name: `Company ${number}`,
    tags: names.slice(number * 50, number * 50 + 50),
  }));
  expect((await api.post('/companies/batch', { operation: 'create', items })).status).toBe(200);
  await dealkeep.sql`
    insert into booking_services (organization_id, id, name, duration_minutes, currency, created_at, updated_at)
    select ${organization.id}, gen_random_uuid(), 'Service ' || lpad(number::text, 4, '0'), 30, 'EUR', now(), now()
    from generate_series(0, 2999) number`;
  await rich.idOf('booking-services', { name: 'The first in the form', duration_minutes: '30' });

  const tags = ({ html }: { html: string }) => ticksIn(html, 'filters.tag') ?? new Map();
  const first = await browser.fill(add, add, { events: 'lead.created', ...show });
  expect([...tags(first).keys()]).toEqual(names.slice(0, 100));
  expect(textOf(first.html)).toContain('There are more than stand here');
  const found = await browser.submit(first, add, { 'filters.tag.find': 'tag 09', ...show });
  expect([...tags(found).keys()]).toEqual(names.slice(900));
  const one = { 'filters.tag': 'Tag 0999', 'filters.tag.find': '0500', ...show };
  const more = await browser.submit(found, add, one);
  expect([...tags(more).keys()]).toEqual(['Tag 0999', 'Tag 0500']);
  expect(more.html).toContain('value="Tag 0999" checked');
  const none = await browser.submit(more, add, { 'filters.tag.find': 'nowhere', ...show });
  expect([...tags(none).keys()]).toEqual(['Tag 0999']);

  const basic = { name: 'Warehouse', target_url: 'http://127.0.0.1:4567/hook' };
  const both = { 'filters.tag': ['Tag 0999', 'Tag 0500'], ...basic, ...save };
  const secret = await browser.submit(more, add, both);
  const { id, address } = madeWebhook(secret);
  const now = () => getWebhookWithHealth(core, organization, id);
  expect((await now()).filters).toEqual({ tag: ['Tag 0999', 'Tag 0500'] });
  expect(textOf((await browser.get(address)).html)).toContain('Only Tag: Tag 0999, Tag 0500');
  const edit = await browser.get(`${address}/edit`);
  expect([...tags(edit).keys()].slice(0, 3)).toEqual(['Tag 0999', 'Tag 0500', 'Tag 0000']);
  await browser.submit(edit, `${address}/edit`, { name: 'Renamed', ...save });
  expect(await now()).toMatchObject({ name: 'Renamed', filters: { tag: ['Tag 0999', 'Tag 0500'] } });

  const bookings = await browser.fill(add, add, { events: 'booking.created', ...show });
  expect(ticksIn(bookings.html, 'filters.service_id')?.size).toBe(100);
  const services = await browser.submit(bookings, add, { 'filters.service_id.find': '2999', ...show });
  expect([...(ticksIn(services.html, 'filters.service_id')?.keys() ?? [])]).toEqual(['Service 2999']);
});
