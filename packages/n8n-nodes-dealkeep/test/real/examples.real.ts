import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { seedDemo } from '@dealkeep/core/installation';
import { inConsole, startDealkeep, type TestDealkeep, type TestOrganization } from '@dealkeep/testing';
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
    choices: Record<string, Record<string, unknown>> = {},
  ): Promise<Record<string, unknown>[]> {
    done.add(file);
    const workflow = await importExample(n8n, file, credential, otherApp.url, choices);
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
      name: `Question of ${company}`,
      tags: ['web form'],
      note: 'Please call.',
      company: { name: company },
      contact: { name: 'Žofia Kováčová', email: 'zofia@bistro.example' },
    });
    const [again] = await follow('01-web-form-to-lead.json', send, 'Create lead');
    expect(again).toMatchObject({ id: lead?.['id'] });
  });

  test('02: a won lead becomes an invoice, and its company a client', async () => {
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
    expect(await listed(`/clients?company_id=${textAt(lead, 'company', 'id')}`)).toHaveLength(1);
  });

  test('03: a new booking of a chosen service becomes a task, and no other', async () => {
    const [service, other] = await listed('/booking-services?limit=2');
    let booking: Record<string, unknown> = {};
    const book = (chosen: unknown, starts_at: string) =>
      record('/bookings', {
        service_id: textAt(chosen, 'id'),
        starts_at,
        notes: 'First visit',
        customer: { name: 'Eva Malá', phone: '+421 905 1' },
      });
    const [task] = await follow(
      '03-booking-to-task.json',
      async () => {
        await book(other, '2027-03-02T09:00:00+01:00');
        booking = await book(service, '2027-03-01T09:00:00+01:00');
      },
      'Create task',
      { 'New booking': { filters: { serviceId: [textAt(service, 'id')] } } },
    );
    const { data } = Object(await api.call('GET', `/tasks/${textAt(task, 'id')}`));
    expect(data).toMatchObject({
      title: `Prepare ${textAt(service, 'name')} for Eva Malá`,
      priority: 'high',
      due_date: '2027-03-01',
      description: `Phone +421 905 1, notes: First visit\n${String(booking['app_url'])}`,
    });
  });

  test('04: a proposal that was sent is followed up, and nothing else', async () => {
    const lead = await record('/leads', { name: 'Menu', value: 700, company: { name: unique('Pekáreň') } });
    const pipelines = await listed('/pipelines');
    const own = pipelines.find((each) => at(each, 'id') === at(lead, 'pipeline', 'id'));
    const stage = listAt(own, 'stages').find((each) => at(each, 'name') === 'Proposal sent');
    const [task] = await follow(
      '04-follow-up-proposals.json',
      async () => {
        const other = await record('/leads', { name: 'Elsewhere' });
        await moveTo(other, 'Negotiation');
        await moveTo(lead, 'Proposal sent');
      },
      'Create task',
      { 'Lead moved': { filters: { stageId: [textAt(stage, 'id')] } } },
    );
    expect(task).toMatchObject({ title: `Ask ${String(at(lead, 'company', 'name'))} about our proposal` });
    const { data } = Object(await api.call('GET', `/tasks/${textAt(task, 'id')}`));
    const before = textAt(lead, 'stage', 'name');
    expect(data).toMatchObject({
      description: `Menu, worth 700, was in ${before}`,
      lead: { id: lead['id'] },
    });
  });

  test('05: a paid invoice is told to the team, and what was paid while the workflow was not published', async () => {
    const company = await record('/companies', { name: unique('Payer') });
    /** Issues and pays an invoice; what the team reads of it. */
    const paid = async () => {
      const items = [{ name: 'City bike', unit_price: 450 }];
      const invoice = await record('/invoices', { company_id: company['id'], items });
      await inConsole(dealkeep.core, organization, 'invoices.pay', { id: String(invoice['id']) });
      return { text: `${String(company['name'])} paid 450 EUR for invoice ${String(invoice['number'])}.` };
    };
    const file = '05-paid-invoice-to-chat.json';
    done.add(file);
    const workflow = await importExample(n8n, file, credential, otherApp.url);
    await n8n.publish(workflow);
    const first = await paid();
    expect(await otherApp.next()).toEqual(first);
    await n8n.unpublish(workflow);
    const missed = await paid();
    await n8n.publish(workflow);
    const next = await paid();
    // n8n sends what it has at once.
    const told = [await otherApp.next(), await otherApp.next()];
    expect(told).toHaveLength(2);
    expect(told).toEqual(expect.arrayContaining([missed, next]));
    // While one ends, n8n lists it neither with those that run nor with those that have ended.
    await n8n.nextExecution(workflow, 2);
    const statuses = (await n8n.executions(workflow)).map(({ status }) => status);
    expect(statuses).toEqual(['success', 'success']);
    await n8n.unpublish(workflow);
  });

  test('06: overdue invoices are told every morning, each with who owes what', async () => {
    done.add('06-overdue-invoices-every-morning.json');
    const overdue = await listed('/invoices?is_overdue=true&limit=100');
    expect(overdue.length).toBeGreaterThan(0);
    const workflow = await importExample(
      ...([n8n, '06-overdue-invoices-every-morning.json', credential, otherApp.url] as const),
    );
    const id = await n8n.run(workflow, 'Every morning');
    expect((await n8n.execution(id ?? '')).status).toBe('success');
    const text = textAt(await otherApp.next(), 'text');
    const [heading, ...lines] = text.split('\n');
    expect(heading).toBe(`Overdue invoices: ${overdue.length}`);
    expect(lines.toSorted()).toEqual(
      overdue
        .map((invoice) => {
          const { number, counterparty, remaining_amount, currency, due_date, app_url } = Object(invoice);
          return `${number}: ${counterparty.name} owes ${remaining_amount} ${currency} since ${due_date}, ${app_url}`;
        })
        .toSorted(),
    );
    const since = lines.map((line) => / since (\S+),/.exec(line)?.[1]);
    expect(since).toEqual(since.toSorted());
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

  test('08: companies of another system are kept in step, many at a time, and what is refused is told', async () => {
    const numbers = Array.from({ length: 25 }, () => String(Math.random()).slice(2, 10));
    const company = await record('/companies', { name: 'Old name', registration_id: numbers[0] });
    const companies = numbers.map((registration_id, index) => ({
      registration_id,
      name: index === 0 ? 'New name' : `Company ${index}`,
      email: index === 24 ? 'nope' : `info@company${index}.example`,
      city: 'Nitra',
      colour: 'red',
    }));
    const send = () => post('/webhook/companies', { companies });
    const made = await follow('08-companies-from-another-system.json', send, 'Done');
    expect(made).toHaveLength(24);
    expect(made[0]).toMatchObject({ id: company['id'], name: 'New name', upserted: 'updated' });
    expect(made[1]).toMatchObject({ name: 'Company 1', upserted: 'created' });
    expect(await otherApp.next()).toEqual({
      text: expect.stringMatching(/^Company 24: Email: .+ \[item 24\]$/),
    });
    expect(await listed(`/companies?registration_id=${numbers[1]}`)).toHaveLength(1);
  });

  test('09: a changed e-mail address reaches the mailing list of an n8n that nobody reaches', async () => {
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
    expect(JSON.stringify(found)).not.toContain('app_url');
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
