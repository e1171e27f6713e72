import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@dealkeep/client';
import { actions, searches, triggerKey, triggers } from '@dealkeep/connectors';
import { sampleEnvelope } from '@dealkeep/contract';
import { exportOrganization } from '@dealkeep/core/installation';
import { continueErasures, erasedText } from '@dealkeep/core/records';
import { Browser, eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { integration, variants } from '@dealkeep/zapier';
import { expect, test } from 'vitest';
import { connectAssistant } from '../../mcp/test/assistant.ts';

// A kind of record that was added in few places is read back through every surface.

const dealkeep = await startDealkeep();
const { api, organization } = await openBusiness(dealkeep);
const company = (await api.post('/companies', { name: 'Orava Tools' })).data;
const owner = { id: organization.ownerId };
const written = {
  name: 'Blue van',
  plate: 'KE987ZZ',
  fuel: 'electric',
  inspected_on: '2026-09-01',
  mileage: 84_000,
} as const;
const make = async (more: { name?: string; plate?: string } = {}) =>
  (await api.post('/vehicles', { ...written, company_id: company.id, owner_id: owner.id, ...more })).data;

test('the API makes, shows, lists, changes and retires it, and tells each of them', async () => {
  const made = await make();
  expect(made).toMatchObject({ ...written, status: 'active', company: { name: 'Orava Tools' }, owner });
  expect((await api.get(`/vehicles/${made.id}`)).data).toEqual(made);
  expect(await api.walk('/vehicles', { company_id: company.id, q: 'ke987' })).toEqual([made]);
  expect((await api.patch(`/vehicles/${made.id}`, { mileage: 90_000, plate: null })).data).toMatchObject({
    mileage: 90_000,
    plate: null,
  });
  expect((await api.post(`/vehicles/${made.id}/retire`)).data).toMatchObject({ status: 'retired' });
  expect(await api.walk('/vehicles', { status: 'active' })).toEqual([]);
  const told = await dealkeep.eventsOf(organization, made.id);
  expect(told.map(({ type }) => type)).toEqual(['vehicle.created', 'vehicle.updated', 'vehicle.retired']);
  expect(told[1]).toMatchObject({ changed_fields: ['plate', 'mileage'] });
  const refused = await api.post('/vehicles', { name: 'x', company_id: owner.id });
  expect(Object.keys(refused.fields)).toEqual(['company_id']);
});

test('a hook of its event is called; its sample has every field', async () => {
  const receiver = await startHookReceiver();
  await api.post('/webhooks', { target_url: receiver.url, event: 'vehicle.retired' });
  const { id } = await make();
  await api.post(`/vehicles/${id}/retire`);
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  const sent = JSON.parse(receiver.requests[0]?.body ?? '');
  const sample = sampleEnvelope('vehicle.retired', { id: '', slug: '' });
  expect(sent).toMatchObject({ type: 'vehicle.retired', data: { id, status: 'retired' } });
  expect(Object.keys(sent.data)).toEqual(Object.keys(sample.data));
  expect(sample.data).toMatchObject({ status: 'retired', plate: 'KE123AB' });
  const { json } = await api.get('/webhooks/events/vehicle.retired/sample');
  expect(json).toMatchObject([{ type: 'vehicle.retired', test: true }]);
  await receiver.stop();
});

test('the description has it, and the client calls it', async () => {
  const response = await fetch(`${dealkeep.origin}/api/v1/openapi/public-v1.json`);
  const { paths, components, webhooks } = JSON.parse(await response.text());
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/vehicles', '/vehicles/{id}/retire']));
  expect(components.schemas).toMatchObject({ Vehicle: {}, VehicleCreate: {}, VehicleUpdate: {} });
  expect(webhooks).toHaveProperty(['vehicle.retired']);

  const client = createClient({ baseUrl: dealkeep.baseUrl, apiKey: organization.key });
  const made = await client.vehicles.create({ name: 'By the client' });
  expect(await client.vehicles.get(made.id)).toEqual(made);
  expect(await client.vehicles.retire(made.id)).toMatchObject({ status: 'retired' });
});

test('the search finds it, an export takes it along, and the timeline of its company tells of it', async () => {
  const { id } = await make({ plate: 'BB111AA' });
  const { data: found } = await api.get('/search', { q: 'bb111aa' });
  expect(found).toMatchObject([{ type: 'vehicle', id, title: 'Blue van', subtitle: 'BB111AA' }]);
  const files = new Map<string, string>();
  await exportOrganization(dealkeep.core, organization.slug, {
    append: async (file, text) => void files.set(file, (files.get(file) ?? '') + text),
  });
  expect(JSON.parse(files.get('vehicles.json') ?? '')).toContainEqual(
    expect.objectContaining({ id, plate: 'BB111AA', company_id: company.id }),
  );
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  expect((await browser.get(`/companies/${company.id}`)).html).toContain('/vehicles?');
});

test('an erasure of its company overwrites it, and what was told of it', async () => {
  const { id: company_id } = (await api.post('/companies', { name: 'Forgotten' })).data;
  const { data } = await api.post('/vehicles', { name: 'Her car', plate: 'KE000XX', company_id });
  await api.post(`/companies/${company_id}/erase`);
  await continueErasures(dealkeep.core);
  expect((await api.get(`/vehicles/${data.id}`)).data).toMatchObject({ name: erasedText, plate: null });
  const [told] = await dealkeep.eventsOf(organization, data.id);
  expect(told?.data).toMatchObject({ name: erasedText, plate: null });
});

test('the console lists, makes, shows, changes and retires it', async () => {
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  expect((await browser.get('/')).html).toContain('href="/vehicles"');
  const form = await browser.get('/vehicles/new');
  const { location = '' } = await browser.submit(form, '/vehicles/new', { name: 'Red car', plate: 'TT1' });
  const [page = ''] = location.split('?');
  const shown = await browser.get(page);
  for (const text of ['Red car', 'TT1', 'Retire']) expect(shown.html).toContain(text);
  expect((await browser.get('/vehicles')).html).toContain('Red car');
  await browser.submit(shown, `${page}/retire`, {});
  expect((await api.get(`/vehicles/${page.split('/').at(-1) ?? ''}`)).data).toMatchObject({
    status: 'retired',
  });
  expect((await browser.get('/settings/audit-log')).html).toContain('the vehicle');
});

test('Zapier, Activepieces and n8n offer its actions, triggers and searches', async () => {
  const events = ['vehicle_created', 'vehicle_updated', 'vehicle_created_or_updated', 'vehicle_retired'];
  const zapier = integration(variants.api_key);
  expect(Object.keys(zapier.triggers ?? {})).toEqual(expect.arrayContaining([...events, 'list_vehicles']));
  expect(Object.keys(zapier.creates ?? {})).toEqual(
    expect.arrayContaining(['create_vehicle', 'update_vehicle', 'retire_vehicle']),
  );
  expect(Object.keys(zapier.searches ?? {})).toContain('find_vehicle');

  // Activepieces makes one of each.
  expect(triggers.map(triggerKey)).toEqual(expect.arrayContaining(events));
  expect(actions.map(({ description }) => description)).toEqual(
    expect.arrayContaining(['Creates a vehicle.', 'Retires a vehicle.']),
  );
  expect(searches.map(({ list }) => list)).toContain('vehicles.list');

  const generated = join(import.meta.dirname, '../../../packages/n8n-nodes-dealkeep/nodes/shared/generated');
  const operations = await readFile(join(generated, 'operations.ts'), 'utf8');
  for (const path of ['/vehicles', '/vehicles/{id}', '/vehicles/{id}/retire'])
    expect(operations).toContain(path);
  expect(await readFile(join(generated, 'events.ts'), 'utf8')).toContain('vehicle.retired');
});

test('an assistant makes one of a company that it knows by name, and retires it', async () => {
  const assistant = await connectAssistant(dealkeep.baseUrl, organization.key, { path: '/mcp/sales' });
  const made = await assistant.callTool({
    name: 'create_vehicle',
    arguments: { name: 'Told van', company: 'Orava Tools' },
  });
  expect(made.structuredContent).toMatchObject({ name: 'Told van', company: { name: 'Orava Tools' } });
  const retired = await assistant.callTool({ name: 'retire_vehicle', arguments: { vehicle: 'Told van' } });
  expect(retired.structuredContent).toMatchObject({ status: 'retired' });
});
