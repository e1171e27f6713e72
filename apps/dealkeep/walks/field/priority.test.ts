import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldsOf, resources, watchableFields } from '@dealkeep/contract';
import { seedDemo } from '@dealkeep/core/installation';
import { Browser, startDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

// A field that was added by the contract, a migration and one line is read back through every surface.

const dealkeep = await startDealkeep({ worker: false });
const { api, organization } = await openBusiness(dealkeep);
const priority = 'First';
const read = (record: object): unknown => Reflect.get(record, 'priority');

const ways: Record<string, (name: string) => Promise<string>> = {
  'a lead alone': async (name) => (await api.post('/leads', { name, priority })).data.id,
  'with a key': async (name) =>
    (await api.post('/leads', { name, priority }, { 'Idempotency-Key': name })).data.id,
  'with a company and a contact of its own': async (name) =>
    (await api.post('/leads', { name, priority, company: { name }, contact: { name } })).data.id,
  'of a company, once': async (name) => {
    const { data: company } = await api.post('/companies', { name });
    return (await api.post('/leads', { name, priority, company_id: company.id, dedupe: 'company' })).data.id;
  },
  'changed afterwards': async (name) => {
    const { data } = await api.post('/leads', { name });
    expect(read((await api.patch(`/leads/${data.id}`, { priority })).data)).toBe(priority);
    return data.id;
  },
  'in the console': async (name) => {
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    const form = await browser.get('/leads/new');
    expect(form.html).toContain('Priority');
    const { location = '' } = await browser.submit(form, '/leads/new', { name, priority });
    const [page = ''] = location.split('?');
    expect((await browser.get(page)).html).toContain(priority);
    expect((await browser.get(`${page}/edit`)).html).toContain(`value="${priority}"`);
    return page.split('/').at(-1) ?? '';
  },
};

test.each(Object.entries(ways))('%s: read by id, listed, and told in its events', async (name, make) => {
  const id = await make(name);
  expect(read((await api.get(`/leads/${id}`)).data)).toBe(priority);
  const listed = (await api.walk('/leads')).find((each) => each.id === id);
  expect(listed && read(listed)).toBe(priority);
  const told = await dealkeep.eventsOf(organization, id);
  expect(told.map(({ data }) => data['priority'])).toContain(priority);
});

test('that it was changed is told by its name, and can be watched', async () => {
  const { data } = await api.post('/leads', { name: 'Watched' });
  await api.patch(`/leads/${data.id}`, { priority });
  const [, updated] = await dealkeep.eventsOf(organization, data.id);
  expect(updated).toMatchObject({ type: 'lead.updated', changed_fields: ['priority'] });
  expect(watchableFields('lead.updated')).toContain('priority');
});

test('demo data have it', async () => {
  const demo = await openBusiness(dealkeep);
  await seedDemo(dealkeep.core, demo.organization.slug, 'small');
  const { description } = fieldsOf(resources.lead.schema).find(({ name }) => name === 'priority') ?? {};
  expect(description?.example).toBeDefined();
  expect((await demo.api.walk('/leads')).map(read)).toContain(description?.example);
});

test('the description and n8n have it', async () => {
  const response = await fetch(`${dealkeep.origin}/api/v1/openapi/public-v1.json`);
  const { Lead, LeadCreate, LeadUpdate } = JSON.parse(await response.text()).components.schemas;
  for (const schema of [Lead, LeadCreate, LeadUpdate]) expect(schema.properties).toHaveProperty('priority');

  const generated = join(
    import.meta.dirname,
    '../../../../packages/n8n-nodes-dealkeep/nodes/shared/generated',
  );
  const written = await readFile(join(generated, 'operations.ts'), 'utf8');
  expect(written).toContain('priority');
});
