import { type EventType, filtersOfEvent, limits, watchableFields } from '@dealkeep/contract';
import { getWebhookWithHealth } from '@dealkeep/core';
import { eventually, type HookReceiver, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { beforeAll, expect, test } from 'vitest';
import { type LookupOwner, lookupOwner } from './lookup-owner.ts';
import { problemBeside, textOf } from './page-parts.ts';

// Rule hooks 26.
const dealkeep = await startDealkeep();
const { core } = dealkeep;
const hooks = '/integrations/webhooks';
const add = `${hooks}/new`;
const show = { do: 'find' };
const save = { do: 'save' };

interface Stage {
  readonly id: string;
  readonly name: string;
}
interface Pipeline {
  readonly id: string;
  readonly stages: readonly Stage[];
}

// Signing in is slow on purpose, so the tests share an owner; each makes a pipeline and webhooks of its own.
let owner: LookupOwner;
beforeAll(async () => {
  owner = await lookupOwner(dealkeep);
  await owner.add('tags', { name: 'VIP', color: '#aa3344' });
});

/** A pipeline with the usual stages. */
async function pipeline(name: string) {
  const id = await owner.idOf('pipelines', { name });
  const { stages }: Pipeline = Object((await owner.listed('/pipelines')).get(name));
  return { id, stage: (called: string) => stages.find((each) => each.name === called)?.id ?? '' };
}

/** The names of the records that a subscriber was told of, by the time that this one has come. */
const namesUntil = ({ requests }: HookReceiver, name: string): Promise<unknown[]> =>
  eventually(() => {
    const names = requests.map(({ envelope }) => envelope.data['name']);
    if (!names.includes(name)) throw new Error(`Nothing of ${name} has come`);
    return names;
  });

/** A new webhook of these events, limited so. */
async function made(
  events: EventType | EventType[],
  wanted: Readonly<Record<string, string | string[]>>,
  target_url = 'http://127.0.0.1:4567/hook',
) {
  const { browser, organization } = owner;
  const basic = { name: 'Warehouse', target_url, events };
  const offered = await browser.fill(add, add, { ...basic, ...show });
  const secret = await browser.submit(offered, add, { ...wanted, ...save });
  expect([secret.status, textOf(secret.html)]).toEqual([200, expect.stringContaining('webhook is made')]);
  const path = new RegExp(`${hooks}/([0-9a-f-]{36})`).exec(secret.html);
  const [address = '', id = ''] = path ?? [];
  return { id, address, edit: `${address}/edit`, now: () => getWebhookWithHealth(core, organization, id) };
}

/** What a form lets one tick in a field, by the names; undefined where it does not have the field. */
function ticks(html: string, field: string): Map<string, string> | undefined {
  if (!html.includes(`id="field-${field}"`)) return undefined;
  const boxes = html.matchAll(
    new RegExp(`name="${field.replace('.', '\\.')}" value="([^"]*)"(?: checked)?>([^<]*)`, 'g'),
  );
  return new Map([...boxes].map(([, value = '', name = '']) => [name, value]));
}

const filtersIn = (html: string): string[] =>
  [...html.matchAll(/id="field-filters\.(\w+)"/g)].map(([, name = '']) => name);

test.each<{ events: EventType[] }>([
  { events: ['lead.created'] },
  { events: ['lead.updated', 'company.updated'] },
  { events: ['lead.created', 'task.created'] },
  { events: ['activity.created'] },
  { events: ['booking.created', 'booking.cancelled'] },
  { events: ['order.created', 'invoice.paid'] },
  { events: ['order.created', 'lead.won', 'contact.created'] },
  { events: ['product.updated'] },
])('of $events the form offers exactly what all of them can be filtered by', async ({ events }) => {
  const { html } = await owner.browser.fill(add, add, { events, ...show });
  const [first, ...others] = events.map((type) => Object.keys(filtersOfEvent(type)));
  const shared = first?.filter((name) => others.every((names) => names.includes(name))) ?? [];
  expect(filtersIn(html).toSorted()).toEqual(shared.toSorted());
  const updates = events.filter((type) => type.endsWith('.updated')).map(watchableFields);
  const watchable = updates[0]?.filter((name) => updates.every((names) => names.includes(name)));
  expect([...(ticks(html, 'changed_fields')?.values() ?? [])]).toEqual(watchable ?? []);
  expect(textOf(html).includes('no filter in common')).toBe(shared.length + (watchable?.length ?? 0) === 0);
});

test('without an event nothing is offered but the button; a group that is ticked as a whole counts', async () => {
  const { html } = await owner.browser.get(add);
  expect(filtersIn(html)).toEqual([]);
  expect(ticks(html, 'changed_fields')).toBeUndefined();
  expect(textOf(html)).toContain('Show filters for these events');
  const whole = await owner.browser.fill(add, add, { events: 'lead.*', ...show });
  expect(filtersIn(whole.html)).toContain('stage_id');
  expect([...(ticks(whole.html, 'changed_fields')?.keys() ?? [])]).toContain('Expected Close Date');
});

test('choices are names: stages below their pipeline, people, tags, states', async () => {
  const sales = await pipeline('Export');
  const { html } = await owner.browser.fill(add, add, { events: 'lead.created', ...show });
  expect(ticks(html, 'filters.pipeline_id')?.get('Export')).toBe(sales.id);
  const stages = html.split('id="field-filters.stage_id"')[1]?.split('<legend>Export</legend>')[1];
  expect(ticks(`id="field-filters.stage_id"${stages?.split('</fieldset>')[0]}`, 'filters.stage_id')).toEqual(
    new Map(
      ['New', 'Contacted', 'Proposal sent', 'Negotiation', 'Won', 'Lost'].map((name) => [
        name,
        sales.stage(name),
      ]),
    ),
  );
  expect(ticks(html, 'filters.tag')).toEqual(new Map([['VIP', 'VIP']]));
  expect([...(ticks(html, 'filters.status')?.values() ?? [])]).toEqual(['open', 'won', 'lost']);
  expect(ticks(html, 'filters.owner_id')?.size).toBe(1);
  const orders = await owner.browser.fill(add, add, { events: ['order.created', 'invoice.paid'], ...show });
  expect([...(ticks(orders.html, 'filters.status')?.values() ?? [])]).toEqual(
    expect.arrayContaining(['draft', 'overdue', 'picking', 'shipped']),
  );
});

test('what is ticked is saved, said on the page in both languages, and decides what is delivered', async () => {
  const receiver = await startHookReceiver();
  const trade = await pipeline('Trade');
  const wanted = {
    'filters.pipeline_id': trade.id,
    'filters.stage_id': [trade.stage('New'), trade.stage('Contacted')],
    'filters.tag': 'VIP',
  };
  const hook = await made(
    ['lead.created', 'lead.updated'],
    { ...wanted, changed_fields: 'value' },
    receiver.url,
  );
  expect(await hook.now()).toMatchObject({
    filters: {
      pipeline_id: [trade.id],
      stage_id: [trade.stage('New'), trade.stage('Contacted')],
      tag: ['VIP'],
    },
    changed_fields: ['value'],
  });
  const { api, browser } = owner;
  const inTrade = { pipeline_id: trade.id, stage_id: trade.stage('New'), tags: ['VIP'] };
  await api.post('/leads', { name: 'Elsewhere', tags: ['VIP'] });
  await api.post('/leads', { ...inTrade, name: 'Untagged', tags: [] });
  await api.post('/leads', { ...inTrade, name: 'Later stage', stage_id: trade.stage('Negotiation') });
  const { data } = await api.post('/leads', { ...inTrade, name: 'Right' });
  expect(await namesUntil(receiver, 'Right')).toEqual(['Right']);
  await api.patch(`/leads/${data.id}`, { note: 'Not watched' });
  await api.patch(`/leads/${data.id}`, { name: 'Not watched either' });
  await api.patch(`/leads/${data.id}`, { value: 500 });
  expect(await namesUntil(receiver, 'Not watched either')).toEqual(['Right', 'Not watched either']);

  const english = textOf((await browser.get(`${hook.address}?language=en`)).html);
  expect(english).toContain('Only Pipeline: Trade; Stage: Trade – New, Trade – Contacted; Tag: VIP');
  expect(english).toContain('Updates only when Value');
  const slovak = textOf((await browser.get(`${hook.address}?language=sk`)).html);
  expect(slovak).toContain('Len Pipeline: Trade; Fáza: Trade – New, Trade – Contacted; Štítok: VIP');
  expect(slovak).toContain('Zmeny, len keď sa zmenilo Hodnota');
  const form = textOf((await browser.get(hook.edit)).html);
  expect(form).toContain('Zobraziť filtre pre tieto udalosti');
  await browser.get('/?language=en');
});

test('a change shows what is ticked, keeps what it does not touch, and takes out what is emptied', async () => {
  const { browser } = owner;
  const retail = await pipeline('Retail');
  const hook = await made(['lead.updated'], {
    'filters.stage_id': [retail.stage('New'), retail.stage('Won')],
    'filters.tag': 'VIP',
    changed_fields: ['value', 'owner'],
  });
  const form = await browser.get(hook.edit);
  for (const value of [retail.stage('New'), retail.stage('Won'), 'VIP', 'owner']) {
    expect(form.html).toContain(`value="${value}" checked`);
  }
  await browser.submit(form, hook.edit, { name: 'Renamed', ...save });
  expect(await hook.now()).toMatchObject({
    name: 'Renamed',
    filters: { stage_id: [retail.stage('New'), retail.stage('Won')], tag: ['VIP'] },
    changed_fields: ['value', 'owner'],
  });
  await browser.fill(hook.edit, hook.edit, { 'filters.stage_id': retail.stage('Lost'), ...save });
  expect((await hook.now()).filters).toEqual({ stage_id: [retail.stage('Lost')], tag: ['VIP'] });
  const emptied = { 'filters.stage_id': [], 'filters.tag': [], changed_fields: [], ...save };
  const done = await browser.fill(hook.edit, hook.edit, emptied);
  expect(done.location).toBe(`${hook.address}?done=saved`);
  expect(await hook.now()).toMatchObject({ filters: null, changed_fields: null });
  const page = textOf((await browser.get(hook.address)).html);
  expect(page).not.toMatch(/Only|Updates only when/);
});

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

test('an event that lacks the field is refused beside the field, naming both, until one of them is taken out', async () => {
  const { browser } = owner;
  const wide = await pipeline('Wide');
  const hook = await made('lead.created', { 'filters.stage_id': wide.stage('New') });
  const more = { events: ['lead.created', 'order.created'], ...save };
  const refused = await browser.fill(hook.edit, hook.edit, more);
  expect([refused.status, problemBeside(refused.html, 'filters.stage_id')]).toEqual([
    422,
    'The event “Order created” cannot be filtered by “Stage”. Take one of them out.',
  ]);
  expect(refused.html).toContain(`value="${wide.stage('New')}" checked`);
  const slovak = await browser.fill(`${hook.edit}?language=sk`, hook.edit, more);
  expect(problemBeside(slovak.html, 'filters.stage_id')).toBe(
    'Udalosť „Objednávka vytvorená“ sa nedá filtrovať podľa „Fáza“. Jedno z nich odoberte.',
  );
  await browser.get('/?language=en');
  expect((await hook.now()).events).toEqual(['lead.created']);
  const other = { 'filters.stage_id': [], events: 'order.created' };
  const status = await browser.submit(refused, hook.edit, { ...other, ...show });
  expect(filtersIn(status.html)).toEqual(['status', 'payment_status']);
  await browser.submit(status, hook.edit, { 'filters.status': 'shipped', ...save });
  expect(await hook.now()).toMatchObject({ events: ['order.created'], filters: { status: ['shipped'] } });
});

test('watched fields without an update are refused beside them, as is one that an update does not tell of', async () => {
  const { browser } = owner;
  const hook = await made('lead.updated', { changed_fields: 'value' });
  const none = await browser.fill(hook.edit, hook.edit, { events: 'lead.won', ...save });
  expect([none.status, problemBeside(none.html, 'changed_fields')]).toEqual([
    422,
    'None of the chosen events tells of an update. Choose one that does, or take these fields out.',
  ]);
  const both = { events: ['lead.updated', 'company.updated'], ...save };
  const lacking = await browser.fill(hook.edit, hook.edit, both);
  expect(problemBeside(lacking.html, 'changed_fields')).toBe(
    'The event “Company updated” does not tell of a change of “Value”. Take one of them out.',
  );
  const mended = await browser.submit(none, hook.edit, { changed_fields: [], ...save });
  expect(mended.location).toBe(`${hook.address}?done=saved`);
  expect(await hook.now()).toMatchObject({ events: ['lead.won'], changed_fields: null });
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

test('of 1,000 tags and 3,000 services the form shows the begin; others are found by name, and what is ticked stays', {
  timeout: 120_000,
}, async () => {
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

  const tags = ({ html }: { html: string }) => ticks(html, 'filters.tag') ?? new Map();
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
  const [address = '', id = ''] = new RegExp(`${hooks}/([0-9a-f-]{36})`).exec(secret.html) ?? [];
  const now = () => getWebhookWithHealth(core, organization, id);
  expect((await now()).filters).toEqual({ tag: ['Tag 0999', 'Tag 0500'] });
  expect(textOf((await browser.get(address)).html)).toContain('Only Tag: Tag 0999, Tag 0500');
  const edit = await browser.get(`${address}/edit`);
  expect([...tags(edit).keys()].slice(0, 3)).toEqual(['Tag 0999', 'Tag 0500', 'Tag 0000']);
  await browser.submit(edit, `${address}/edit`, { name: 'Renamed', ...save });
  expect(await now()).toMatchObject({ name: 'Renamed', filters: { tag: ['Tag 0999', 'Tag 0500'] } });

  const bookings = await browser.fill(add, add, { events: 'booking.created', ...show });
  expect(ticks(bookings.html, 'filters.service_id')?.size).toBe(100);
  const services = await browser.submit(bookings, add, { 'filters.service_id.find': '2999', ...show });
  expect([...(ticks(services.html, 'filters.service_id')?.keys() ?? [])]).toEqual(['Service 2999']);
});
