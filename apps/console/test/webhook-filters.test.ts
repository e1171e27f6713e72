import { type EventType, filtersOfEvent, watchableFields } from '@dealkeep/contract';
import { eventually, type HookReceiver, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { limitedWebhooks, newWebhook } from './limited-webhooks.ts';
import { lookupOwner } from './lookup-owner.ts';
import { problemBeside, textOf, ticksIn } from './page-parts.ts';
import { pipelinesBy } from './pipelines.ts';

// Rule hooks 26.
const dealkeep = await startDealkeep();
const add = newWebhook;
const show = { do: 'find' };
const save = { do: 'save' };

// The tests share an owner; each makes a pipeline and webhooks of its own.
const owner = await lookupOwner(dealkeep);
await owner.add('tags', { name: 'VIP', color: '#aa3344' });
const { pipeline } = pipelinesBy(owner);
const made = limitedWebhooks(dealkeep, owner);

/** The names of the records that a subscriber was told of, by the time that this one has come. */
const namesUntil = ({ requests }: HookReceiver, name: string): Promise<unknown[]> =>
  eventually(() => {
    const names = requests.map(({ envelope }) => envelope.data['name']);
    if (!names.includes(name)) throw new Error(`Nothing of ${name} has come`);
    return names;
  });

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
  expect([...(ticksIn(html, 'changed_fields')?.values() ?? [])]).toEqual(watchable ?? []);
  expect(textOf(html).includes('no filter in common')).toBe(shared.length + (watchable?.length ?? 0) === 0);
});

test('without an event nothing is offered but the button; a group that is ticked as a whole counts', async () => {
  const { html } = await owner.browser.get(add);
  expect(filtersIn(html)).toEqual([]);
  expect(ticksIn(html, 'changed_fields')).toBeUndefined();
  expect(textOf(html)).toContain('Show filters for these events');
  const whole = await owner.browser.fill(add, add, { events: 'lead.*', ...show });
  expect(filtersIn(whole.html)).toContain('stage_id');
  expect([...(ticksIn(whole.html, 'changed_fields')?.keys() ?? [])]).toContain('Expected Close Date');
});

test('choices are names: stages below their pipeline, people, tags, states (rule hooks 26)', async () => {
  const sales = await pipeline('Export');
  const { html } = await owner.browser.fill(add, add, { events: 'lead.created', ...show });
  expect(ticksIn(html, 'filters.pipeline_id')?.get('Export')).toBe(sales.id);
  const stages = html.split('id="field-filters.stage_id"')[1]?.split('<legend>Export</legend>')[1];
  expect(
    ticksIn(`id="field-filters.stage_id"${stages?.split('</fieldset>')[0]}`, 'filters.stage_id'),
  ).toEqual(
    new Map(
      ['New', 'Contacted', 'Proposal sent', 'Negotiation', 'Won', 'Lost'].map((name) => [
        name,
        sales.stage(name),
      ]),
    ),
  );
  expect(ticksIn(html, 'filters.tag')).toEqual(new Map([['VIP', 'VIP']]));
  expect([...(ticksIn(html, 'filters.status')?.values() ?? [])]).toEqual(['open', 'won', 'lost']);
  expect(ticksIn(html, 'filters.owner_id')?.size).toBe(1);
  const orders = await owner.browser.fill(add, add, { events: ['order.created', 'invoice.paid'], ...show });
  expect([...(ticksIn(orders.html, 'filters.status')?.values() ?? [])]).toEqual(
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

test('a change shows what is ticked, keeps what it does not touch, and takes out what is emptied (rule hooks 26)', async () => {
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

test('an event that lacks the field is refused beside the field, naming both, until one of them is taken out (rules hooks 18 and 26)', async () => {
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
