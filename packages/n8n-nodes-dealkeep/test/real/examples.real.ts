import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { payInvoice, seedDemo } from '@dealkeep/core';
import { startDealkeep, type TestDealkeep, type TestOrganization } from '@dealkeep/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Api } from './api.ts';
import { examples, importExample, readExample } from './imported-example.ts';
import { at, listAt, textAt } from './json.ts';
import { McpClient } from './mcp-client.ts';
import { N8nDriver } from './n8n-driver.ts';
import { type OtherApp, startOtherApp } from './other-app.ts';
import type { Credential } from './workflow-node.ts';

const unique = (name: string) => `${name} ${randomUUID().slice(0, 8)}`;

describe('the example', () => {
  const n8n = new N8nDriver();
  let dealkeep: TestDealkeep;
  let organization: TestOrganization;
  let api: Api;
  let credential: Credential;
  let otherApp: OtherApp;

  beforeAll(async () => {
    dealkeep = await startDealkeep();
    organization = await dealkeep.createOrganization();
    await seedDemo(dealkeep.core, organization.slug, 'small');
    api = new Api(dealkeep.baseUrl, organization.key);
    credential = await n8n.createCredential(api.baseUrl, organization.key);
    otherApp = await startOtherApp();
  });

  afterAll(() => otherApp.close());

  const record = async (path: string, body: unknown): Promise<Record<string, unknown>> =>
    Object(at(await api.call('POST', path, body), 'data'));
  const listed = async (path: string) => listAt(await api.call('GET', path), 'data');
  const moveTo = async (lead: Record<string, unknown>, stage: string) => {
    const pipelines = await listed('/pipelines');
    const own = pipelines.find((each) => at(each, 'id') === at(lead, 'pipeline', 'id'));
    const found = listAt(own, 'stages').find((each) => at(each, 'name') === stage);
    await api.call('POST', `/leads/${String(lead['id'])}/move`, { stage_id: textAt(found, 'id') });
  };

  /** Imports and publishes an example, makes it start, and gives the output of a node of that run. */
  async function follow(
    file: string,
    start: (webhookId: string) => Promise<unknown>,
    node: string,
  ): Promise<Record<string, unknown>[]> {
    done.add(file);
    const workflow = await importExample(n8n, file, credential, otherApp.url);
    await n8n.publish(workflow);
    await start(workflow.webhookId);
    const execution = await n8n.nextExecution(workflow);
    await n8n.unpublish(workflow);
    for (const each of (await readExample(file)).nodes) expect(execution.error(each.name)).toBeUndefined();
    return execution.output(node);
  }
  const done = new Set<string>();
  const post = (path: string, body: unknown) =>
    fetch(`${n8n.session.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  test('01: a web form becomes a lead, once', async () => {
    const company = unique('Bistro Nitra');
    const send = async (webhookId: string) => {
      const form = new FormData();
      const answers = [company, 'Žofia Kováčová', 'zofia@bistro.example', 'Please call.'];
      answers.forEach((answer, index) => {
        form.set(`field-${index}`, answer);
      });
      await fetch(`${n8n.session.origin}/form/${webhookId}`, { method: 'POST', body: form });
    };
    const [lead] = await follow('01-web-form-to-lead.json', send, 'Create lead');
    const { data } = Object(await api.call('GET', `/leads/${textAt(lead, 'id')}`));
    expect(data).toMatchObject({
      name: company,
      note: 'Please call.',
      company: { name: company },
      contact: { name: 'Žofia Kováčová', email: 'zofia@bistro.example' },
    });
    const [again] = await follow('01-web-form-to-lead.json', send, 'Create lead');
    expect(again).toMatchObject({ id: lead?.['id'] });
  });

  test('02: a won lead becomes an invoice', async () => {
    const lead = await record('/leads', { name: 'Fleet', value: 1000, company: { name: unique('Tatra') } });
    const [invoice] = await follow(
      '02-won-lead-to-invoice.json',
      () => moveTo(lead, 'Won'),
      'Create invoice',
    );
    const { data } = Object(await api.call('GET', `/invoices/${textAt(invoice, 'id')}`));
    expect(data).toMatchObject({
      total: 1230,
      items: [{ name: 'Fleet', unit_price: 1000, vat_rate: 23 }],
      counterparty: { company: { id: at(lead, 'company', 'id') } },
    });
  });

  test('03: a new booking becomes a task', async () => {
    const [service] = await listed('/booking-services?limit=1');
    const book = () =>
      record('/bookings', {
        service_id: textAt(service, 'id'),
        starts_at: '2027-03-01T09:00:00+01:00',
        notes: 'First visit',
        customer: { name: 'Eva Malá', phone: '+421 905 1' },
      });
    const [task] = await follow('03-booking-to-task.json', book, 'Create task');
    const { data } = Object(await api.call('GET', `/tasks/${textAt(task, 'id')}`));
    expect(data).toMatchObject({
      title: `Prepare ${textAt(service, 'name')} for Eva Malá`,
      priority: 'high',
      due_date: '2027-03-01',
      description: 'Phone +421 905 1, notes: First visit',
    });
  });

  test('04: a proposal that was sent is followed up', async () => {
    const lead = await record('/leads', { name: 'Menu', value: 700, company: { name: unique('Pekáreň') } });
    const [task] = await follow(
      '04-follow-up-proposals.json',
      () => moveTo(lead, 'Proposal sent'),
      'Create task',
    );
    expect(task).toMatchObject({ title: `Ask ${String(at(lead, 'company', 'name'))} about our proposal` });
    const { data } = Object(await api.call('GET', `/tasks/${textAt(task, 'id')}`));
    expect(data).toMatchObject({ description: 'Menu, worth 700', lead: { id: lead['id'] } });
  });

  test('05: a paid invoice is told to the team', async () => {
    const company = await record('/companies', { name: unique('Payer') });
    const invoice = await record('/invoices', {
      company_id: company['id'],
      items: [{ name: 'City bike', unit_price: 450 }],
    });
    const pay = () => payInvoice(dealkeep.core, organization, { id: String(invoice['id']) });
    await follow('05-paid-invoice-to-chat.json', pay, 'Tell the team');
    expect(await otherApp.next()).toEqual({
      text: `${String(company['name'])} paid 450 EUR for invoice ${String(invoice['number'])}.`,
    });
  });

  test('06: overdue invoices are told every morning', async () => {
    done.add('06-overdue-invoices-every-morning.json');
    const overdue = await listed('/invoices?is_overdue=true&limit=100');
    expect(overdue.length).toBeGreaterThan(0);
    const workflow = await importExample(
      ...([n8n, '06-overdue-invoices-every-morning.json', credential, otherApp.url] as const),
    );
    const id = await n8n.run(workflow, 'Every morning');
    expect((await n8n.execution(id ?? '')).status).toBe('success');
    const text = textAt(await otherApp.next(), 'text');
    expect(text).toContain(`${overdue.length} invoices are overdue:`);
    for (const invoice of overdue) expect(text).toContain(textAt(invoice, 'number'));
  });

  test('07: a sale in a shop becomes an order', async () => {
    const number = unique('S');
    const sale = () =>
      post('/webhook/shop-sale', {
        number,
        shipping: 4.9,
        customer: { name: 'Eva Malá', email: 'eva@customer.example' },
        lines: [
          { sku: unique('SKU'), quantity: 2, price: 450 },
          { sku: unique('SKU'), quantity: 1, price: 19.9 },
        ],
      });
    const [order] = await follow('07-shop-sale-to-order.json', sale, 'Create order');
    expect(order).toMatchObject({
      status: 'confirmed',
      external_id: number,
      external_source: 'webshop',
      grand_total: 924.8,
      items: [{ quantity: 2 }, { quantity: 1 }],
    });
  });

  test('08: companies of another system are kept in step', async () => {
    const [known, fresh] = ['1', '2'].map((first) => `${first}${String(Math.random()).slice(2, 9)}`);
    const company = await record('/companies', { name: 'Old name', registration_id: known });
    const send = () =>
      post('/webhook/companies', {
        companies: [
          { registration_id: known, name: 'New name', email: 'new@name.example', city: 'Košice' },
          { registration_id: fresh, name: 'Another one', email: 'another@one.example', city: 'Nitra' },
        ],
      });
    const made = await follow('08-companies-from-another-system.json', send, 'Create or update');
    expect(made).toMatchObject([{ id: company['id'], name: 'New name' }, { name: 'Another one' }]);
    expect(await listed(`/companies?registration_id=${fresh}`)).toHaveLength(1);
  });

  test('09: a changed e-mail address reaches the mailing list', async () => {
    const company = await record('/companies', { name: unique('Mailing') });
    const contact = await record('/contacts', { company_id: company['id'], name: 'Ján Malý' });
    const change = () =>
      api.call('PATCH', `/contacts/${String(contact['id'])}`, { email: 'jan@new.example' });
    await follow('09-changed-email-to-mailing-list.json', change, 'Subscribe');
    expect(await otherApp.next()).toEqual({
      email: 'jan@new.example',
      name: 'Ján Malý',
      company: company['name'],
    });
  });

  test('10: an AI agent finds its tools and works with them, one of them twice', async () => {
    done.add('10-tools-for-ai-agents.json');
    const workflow = await importExample(n8n, '10-tools-for-ai-agents.json', credential, otherApp.url);
    await n8n.publish(workflow);
    const agent = new McpClient(`${n8n.session.origin}/mcp/dealkeep`);
    await agent.connect();
    const tools = listAt(await agent.tools(), 'tools');
    expect(tools.map((tool) => at(tool, 'name')).toSorted()).toEqual([
      'Create_lead',
      'Create_task',
      'Find_leads',
    ]);
    const name = unique('Bikes for the post');
    await agent.call('Create_lead', { name, company: unique('Pošta') });
    const [lead] = await listed(`/leads?q=${encodeURIComponent(name)}`);
    const found = await agent.call('Find_leads', { search: name });
    expect(JSON.stringify(found)).toContain(textAt(lead, 'id'));
    // n8n gives calls by MCP no execution, so that nothing of theirs tells one from the next.
    const dates = ['2027-04-01', '2027-04-02'];
    for (const due_date of dates) await agent.call('Create_task', { title: `Call about ${name}`, due_date });
    const tasks = await listed(`/tasks?q=${encodeURIComponent(name)}`);
    expect(tasks.map((task) => at(task, 'due_date')).toSorted()).toEqual(dates);
    await n8n.unpublish(workflow);
  });

  test('is tried here, each of them', async () => {
    expect([...done].toSorted()).toEqual((await readdir(examples)).toSorted());
  });
});
