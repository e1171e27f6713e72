import { resourceNames, resources } from '@dealkeep/contract';
import { seedDemo } from '@dealkeep/core/installation';
import { startDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../nodes/shared/generated/operations.ts';
import { camelCase } from '../../scripts/generate/wording.ts';
import { Api } from './api.ts';
import { businessResources } from './business-resources.ts';
import { at, listAt, textAt } from './json.ts';
import { N8nDriver } from './n8n-driver.ts';
import { type Credential, chosen } from './workflow-node.ts';

describe('the operations of the action node in n8n', () => {
  const n8n = new N8nDriver();
  const done = new Set<string>();
  let api: Api;
  let credential: Credential;
  let owner: string;

  beforeAll(async () => {
    const dealkeep = await startDealkeep({ worker: false });
    const organization = await dealkeep.createOrganization();
    api = new Api(dealkeep.baseUrl, organization.key);
    owner = organization.ownerId;
    credential = await n8n.createCredential(api.baseUrl, organization.key);
  });

  /** Runs one operation on one empty item and gives the records it returned. */
  const act = async (resource: string, operation: string, parameters: Record<string, unknown> = {}) => {
    done.add(`${resource}.${operation}`);
    const execution = await n8n.act({ resource, operation, ...parameters }, credential);
    expect(execution.error('Dealkeep')).toBeUndefined();
    const output = execution.output('Dealkeep');
    if (parameters['simplify'] === undefined) {
      const known = await n8n.outputFields(resource, operation);
      for (const item of output) expect(known).toEqual(expect.arrayContaining(Object.keys(item)));
    }
    return output;
  };

  test('companies: create, get, update, list, create or update', async () => {
    const [made] = await act('company', 'create', {
      name: 'Tatra Bikes s.r.o.',
      additionalFields: {
        email: 'info@tatrabikes.example',
        countryCode: 'SK',
        ownerId: chosen(owner, 'list'),
        registrationId: '36123456',
        city: '',
      },
      simplify: false,
    });
    expect(made).toMatchObject({
      name: 'Tatra Bikes s.r.o.',
      email: 'info@tatrabikes.example',
      owner: { id: owner },
      address: { city: null },
    });
    const id = textAt(made, 'id');

    const [got] = await act('company', 'get', {
      companyId: chosen(textAt(made, 'app_url'), 'url'),
      simplify: false,
    });
    expect(got).toEqual(made);
    const [simple] = await act('company', 'get', { companyId: chosen(id) });
    expect(Object.keys(simple ?? {})).toHaveLength(10);
    const [updated] = await act('company', 'update', {
      companyId: chosen(id, 'list'),
      updateFields: { note: 'Calls in the morning', email: '' },
      simplify: false,
    });
    expect(updated).toMatchObject({ note: 'Calls in the morning', email: null });

    const match = { matchBy: 'registration_id', registrationId: '36123456', simplify: false };
    const [again] = await act('company', 'upsert', {
      ...match,
      name: 'Tatra Bikes a.s.',
      additionalFields: { phone: '+421 55 123' },
    });
    expect(again).toMatchObject({ id, name: 'Tatra Bikes a.s.', phone: '+421 55 123' });
    const [byName] = await act('company', 'upsert', {
      matchBy: 'name',
      name: 'Tatra Bikes a.s.',
      additionalFields: { note: 'By name' },
      simplify: false,
    });
    expect(byName).toMatchObject({ id, note: 'By name' });
    const [fresh] = await act('company', 'upsert', {
      matchBy: 'email',
      email: 'hello@orava.example',
      name: 'Orava Timber',
      additionalFields: {},
    });
    expect(fresh).toMatchObject({ name: 'Orava Timber', email: 'hello@orava.example' });
    expect(textAt(fresh, 'id')).not.toBe(id);

    const found = await act('company', 'getAll', { filters: { registrationId: '36123456' } });
    expect(found.map((each) => at(each, 'id'))).toEqual([id]);
  });

  test('create or update writes nothing when several records match, and says which (rule n8n 5)', async () => {
    const ids = [
      await api.create('/companies', { name: 'Liptov Mill' }),
      await api.create('/companies', { name: 'Liptov Mill' }),
    ];
    done.add('company.upsert');
    const execution = await n8n.act(
      {
        resource: 'company',
        operation: 'upsert',
        matchBy: 'name',
        name: 'Liptov Mill',
        additionalFields: {},
      },
      credential,
    );
    for (const id of ids) expect(execution.error('Dealkeep')?.description).toContain(id);
    expect(await api.call('GET', '/companies?q=liptov')).toMatchObject({ data: { length: 2 } });
  });

  test('create or update makes one company of 50 items that run at once', async () => {
    const upsert = {
      resource: 'company',
      operation: 'upsert',
      matchBy: 'registration_id',
      registrationId: '50505050',
      name: 'Once',
      additionalFields: {},
      simplify: false,
    };
    const executions = await Promise.all(Array.from({ length: 50 }, () => n8n.act(upsert, credential)));
    const found = executions.flatMap((execution) => execution.output('Dealkeep'));
    expect(found.map((each) => at(each, 'upserted')).filter((each) => each === 'created')).toHaveLength(1);
    expect(new Set(found.map((each) => textAt(each, 'id'))).size).toBe(1);
    expect(found).toHaveLength(50);
  });

  test('contacts: create, get, update, list, create or update', async () => {
    const company = await api.create('/companies', { name: 'Orava' });
    const fields = { companyId: chosen(company), name: 'Eva' };
    const [eva] = await act('contact', 'create', {
      ...fields,
      additionalFields: { email: 'eva@orava.example', isPrimary: true },
    });
    expect(eva).toMatchObject({ name: 'Eva', is_primary: true, company: { id: company } });
    const id = textAt(eva, 'id');
    expect(await act('contact', 'get', { contactId: chosen(id) })).toEqual([eva]);
    const [moved] = await act('contact', 'update', {
      contactId: chosen(id),
      updateFields: { position: 'Buyer' },
    });
    expect(moved).toMatchObject({ position: 'Buyer' });

    const match = { matchBy: 'email', email: 'eva@orava.example', additionalFields: {} };
    const [same] = await act('contact', 'upsert', { ...match, companyId: chosen(company), name: 'Eva Nová' });
    expect(same).toMatchObject({ id, name: 'Eva Nová' });

    const listed = await act('contact', 'getAll', {
      filters: { companyId: chosen(company), isPrimary: true },
    });
    expect(listed.map((each) => at(each, 'id'))).toEqual([id]);
  });

  test('create or update finds a contact in the whole organization, or within a company that is given', async () => {
    const [orava, liptov] = [
      await api.create('/companies', { name: 'Zemplín' }),
      await api.create('/companies', { name: 'Spiš' }),
    ];
    const email = 'zuzana@orava.example';
    const id = await api.create('/contacts', { company_id: orava, name: 'Zuzana', email, phone: '+421 1' });
    const byEmail = { matchBy: 'email', email, simplify: false };
    const [updated] = await act('contact', 'upsert', {
      ...byEmail,
      companyId: chosen(''),
      name: '',
      additionalFields: { position: 'Buyer' },
    });
    expect(updated).toMatchObject({ id, name: 'Zuzana', position: 'Buyer', upserted: 'updated' });
    // An item that may have neither.
    const nothing = { companyId: chosen('={{ $json.company ?? null }}'), name: '={{ $json.name ?? "" }}' };
    const [again] = await act('contact', 'upsert', {
      ...byEmail,
      ...nothing,
      additionalFields: { note: 'x' },
    });
    expect(again).toMatchObject({ id, name: 'Zuzana', note: 'x', company: { id: orava } });
    const byPhone = {
      matchBy: 'phone',
      phone: '+421 1',
      name: 'Zuzana',
      additionalFields: {},
      simplify: false,
    };
    const [anywhere] = await act('contact', 'upsert', { ...byPhone, companyId: chosen('') });
    expect(anywhere).toMatchObject({ id });
    const [elsewhere] = await act('contact', 'upsert', { ...byPhone, companyId: chosen(liptov) });
    expect(elsewhere).toMatchObject({ upserted: 'created', company: { id: liptov } });

    const stranger = { ...byEmail, email: 'nobody@orava.example', companyId: chosen(''), name: '' };
    const refused = { resource: 'contact', operation: 'upsert', ...stranger, additionalFields: {} };
    const error = (await n8n.act(refused, credential)).error('Dealkeep');
    expect(error?.message).toMatch(/Company: .*Name: /);
  });

  test('leads: create with company and contact, get, update, move, archive, list', async () => {
    const [pipeline] = listAt(await api.call('GET', '/pipelines'), 'data');
    const [, second] = listAt(pipeline, 'stages').map((stage) => textAt(stage, 'id'));
    const [lead] = await act('lead', 'create', {
      name: 'Skis for the winter',
      companyId: chosen(''),
      additionalFields: {
        value: 18500.5,
        expectedCloseDate: '2026-11-30T23:30:00',
        pipelineId: chosen(textAt(pipeline, 'id'), 'list'),
        stageId: chosen(second ?? '', 'list'),
        assigneeIds: [owner],
        company: { values: { name: 'Fatra Ski', email: 'info@fatra.example' } },
        contact: { values: { name: 'Ján', phone: 421905123456 } },
        dedupe: 'company',
      },
      simplify: false,
    });
    expect(lead).toMatchObject({
      name: 'Skis for the winter',
      value: 18500.5,
      expected_close_date: '2026-11-30',
      stage: { id: second },
      assignees: [{ id: owner }],
      company: { name: 'Fatra Ski' },
      contact: { name: 'Ján', phone: '421905123456' },
    });
    const leadId = chosen(textAt(lead, 'id'));
    const [same] = await act('lead', 'create', {
      additionalFields: { company: { values: { email: 'info@fatra.example' } }, dedupe: 'company' },
    });
    expect(same).toMatchObject({ id: at(lead, 'id'), deduplicated: true });

    expect(await act('lead', 'get', { leadId, simplify: false })).toEqual([lead]);
    const [updated] = await act('lead', 'update', { leadId, updateFields: { name: 'Winter season' } });
    expect(updated).toMatchObject({ name: 'Winter season' });
    const lost = listAt(pipeline, 'stages').find((stage) => at(stage, 'kind') === 'lost');
    const [reason] = listAt(await api.call('GET', '/lost-reasons'), 'data');
    const [moved] = await act('lead', 'move', {
      leadId,
      stageId: chosen(textAt(lost, 'id'), 'list'),
      additionalFields: { lostReasonId: chosen(textAt(reason, 'id'), 'list'), lostNote: 'Cheaper offer' },
      simplify: false,
    });
    expect(moved).toMatchObject({
      status: 'lost',
      lost_note: 'Cheaper offer',
      lost_reason: { id: at(reason, 'id') },
    });
    const [archived] = await act('lead', 'archive', { leadId, additionalFields: {}, simplify: false });
    expect(at(archived, 'archived_at')).toEqual(expect.any(String));

    const listed = await act('lead', 'getAll', { filters: { archived: true, status: 'lost' } });
    expect(listed).toMatchObject([{ name: 'Winter season' }]);
    expect(await act('lead', 'getAll', { filters: { archived: true, status: 'won' } })).toEqual([]);
  });

  test('every lookup answers all of its entries, and each by its id', async () => {
    const dealkeep = await startDealkeep({ worker: false });
    const organization = await dealkeep.createOrganization();
    await seedDemo(dealkeep.core, organization.slug, 'small');
    const demo = await n8n.createCredential(dealkeep.baseUrl, organization.key);
    const read = async (resource: string, operation: string, parameters: Record<string, unknown>) => {
      done.add(`${resource}.${operation}`);
      const execution = await n8n.act({ resource, operation, simplify: false, ...parameters }, demo);
      expect(execution.error('Dealkeep')).toBeUndefined();
      return execution.output('Dealkeep');
    };
    const lookups = resourceNames.filter((name) => resources[name].kind === 'lookup').map(camelCase);
    expect(lookups).toContain('customField');
    for (const resource of lookups) {
      const [first] = await read(resource, 'getAll', { limit: 1 });
      expect(textAt(first, 'id'), resource).toMatch(/-/);
      expect(await read(resource, 'get', { [`${resource}Id`]: chosen(textAt(first, 'id')) })).toEqual([
        first,
      ]);
    }
    const [service] = await read('bookingService', 'getAll', { limit: 1 });
    const [free] = await read('bookingService', 'getAvailability', {
      bookingServiceId: chosen(textAt(service, 'id')),
      options: { from: '2027-03-01', to: '2027-03-02' },
    });
    expect(free).toMatchObject({ service: { id: at(service, 'id') }, starts: expect.any(Array) });
  });

  test('the connection, people, and everything that has a name', async () => {
    const [me] = await act('me', 'get');
    expect(me).toMatchObject({ auth: 'api_key', token: { scopes: expect.any(Array) } });
    expect(await act('user', 'getAll', { filters: { q: 'horváthová' } })).toMatchObject([{ id: owner }]);
    const company = await api.create('/companies', { name: 'Quercus Oravský' });
    await api.create('/leads', { name: 'Quercus panels' });
    const found = await act('search', 'search', { q: 'quercus' });
    expect(found.map((each) => textAt(each, 'type')).toSorted()).toEqual(['company', 'lead']);
    expect(await act('search', 'search', { q: 'quercus', options: { types: ['company'] } })).toMatchObject([
      { id: company, title: 'Quercus Oravský' },
    ]);
  });

  test('what happened, one by one and in order', async () => {
    const company = await api.create('/companies', { name: 'Told of' });
    await api.call('PATCH', `/companies/${company}`, { note: 'x' });
    const filters = { recordId: company };
    const events = await act('event', 'getAll', { returnAll: true, filters });
    expect(events.map((each) => at(each, 'type'))).toEqual(['company.created', 'company.updated']);
    const updated = { ...filters, types: ['company.updated', 'company.created'] };
    expect(await act('event', 'getAll', { limit: 1, filters: updated })).toMatchObject([
      { type: 'company.created' },
    ]);
    expect(await act('event', 'get', { eventId: textAt(events[1], 'id') })).toMatchObject([
      { type: 'company.updated', data: { id: company } },
    ]);
  });

  test('erases what somebody demands to be forgotten', async () => {
    const company = await api.create('/companies', { name: 'Forgotten', email: 'info@forgotten.example' });
    const contact = await api.create('/contacts', { company_id: company, name: 'Forgotten too' });
    const lead = await api.create('/leads', { name: 'Forgotten lead', company_id: company });
    for (const [resource, id] of [
      ['lead', lead],
      ['contact', contact],
      ['company', company],
    ] as const) {
      await act(resource, 'erase', { [`${resource}Id`]: chosen(id) });
    }
    expect(JSON.stringify(await api.call('GET', `/companies/${company}`))).not.toContain('forgotten');
  });

  test('webhooks: create, get, list, delete, event types, sample', async () => {
    const [hook] = await act('webhook', 'create', {
      targetUrl: 'http://127.0.0.1:9/elsewhere',
      events: ['lead.created', 'lead.won'],
      additionalFields: { name: 'By hand' },
    });
    expect(hook).toMatchObject({ name: 'By hand', secret: expect.stringMatching(/^whsec_/) });
    const webhookId = chosen(textAt(hook, 'id'));
    expect(await act('webhook', 'get', { webhookId })).toMatchObject([
      { events: ['lead.created', 'lead.won'] },
    ]);
    expect(await act('webhook', 'getAll', { returnAll: true })).toHaveLength(1);
    const [renamed] = await act('webhook', 'update', { webhookId, updateFields: { name: 'Renamed' } });
    expect(renamed).toMatchObject({ name: 'Renamed', events: ['lead.created', 'lead.won'] });
    const limits = { ownerId: [owner], leadStatus: ['won'] };
    const [limited] = await act('webhook', 'update', {
      webhookId,
      updateFields: { events: ['lead.updated'], filters: limits, changedFields: ['value', 'name'] },
    });
    expect(limited).toMatchObject({
      events: ['lead.updated'],
      filters: { owner_id: [owner], status: ['won'] },
      changed_fields: ['value', 'name'],
    });
    const [unlimited] = await act('webhook', 'update', {
      webhookId,
      updateFields: { events: ['lead.created', 'lead.won'], fieldsToClear: ['filters', 'changed_fields'] },
    });
    expect(Object.keys(unlimited ?? {})).not.toEqual(expect.arrayContaining(['filters']));
    // Nobody listens there, and the delivery log says so.
    const [tested] = await act('webhook', 'sendTest', { webhookId, additionalFields: { event: 'lead.won' } });
    expect(tested).toMatchObject({ delivered: false, event: 'lead.won' });
    const [failed] = await act('delivery', 'getAll', { webhookId, filters: { status: 'failed' } });
    expect(failed).toMatchObject({ event: 'lead.won', status: 'failed' });
    const delivery = { webhookId, deliveryId: chosen(textAt(failed, 'id')) };
    expect(await act('delivery', 'get', { ...delivery, simplify: false })).toMatchObject([
      { attempts: [{ number: 1 }] },
    ]);
    expect(await act('delivery', 'resend', delivery)).toMatchObject([{ id: at(failed, 'id') }]);
    const [recovered] = await act('webhook', 'recover', {
      webhookId,
      since: '={{ $now.minus({ hours: 1 }) }}',
    });
    expect(recovered).toEqual({ count: 0 });
    expect(await act('webhook', 'delete', { webhookId })).toEqual([{ deleted: true }]);
    expect(await act('webhook', 'getAll', { returnAll: true })).toEqual([]);
    expect(await act('webhook', 'getEventTypes', { limit: 3 })).toHaveLength(3);
    const [sample] = await act('webhook', 'getSample', { eventType: 'lead.won' });
    expect(sample).toMatchObject({ type: 'lead.won', test: true, data: { status: 'won' } });
  });

  test('webhooks: what a hook is limited to has to be in Dealkeep, and in its events', async () => {
    const make = async (events: string[], filters: Record<string, string[]>) => {
      const parameters = { targetUrl: 'http://127.0.0.1:9/elsewhere', events, additionalFields: { filters } };
      const node = { resource: 'webhook', operation: 'create', ...parameters };
      return (await n8n.act(node, credential)).error('Dealkeep');
    };
    const elsewhere = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
    expect(await make(['lead.won'], { ownerId: [elsewhere] })).toMatchObject({
      message: expect.stringContaining(`Filters → Owner: "${elsewhere}" is not in Dealkeep`),
    });
    expect(await make(['lead.won', 'company.created'], { leadStatus: ['won'] })).toMatchObject({
      message: expect.stringMatching(/^Filters → Status: .*company\.created/),
    });
  });

  test('every operation of these resources was used', () => {
    const offered = Object.entries(operations).flatMap(([resource, of]) =>
      businessResources.includes(resource) ? [] : Object.keys(of).map((each) => `${resource}.${each}`),
    );
    expect([...done].sort()).toEqual(offered.sort());
  });

  test('lists give as many as asked for, all of them, sorted (rule n8n 7)', async () => {
    const company = await api.create('/companies', { name: 'Large' });
    for (let index = 0; index < 220; index++) {
      await api.create('/contacts', {
        company_id: company,
        name: `Person ${String(index).padStart(3, '0')}`,
      });
    }
    const filters = { companyId: chosen(company) };
    const sort = { values: { field: 'name', direction: 'ascending' } };
    const all = await act('contact', 'getAll', { returnAll: true, filters, sort });
    expect(all.map((each) => at(each, 'name'))).toEqual(
      Array.from({ length: 220 }, (_, index) => `Person ${String(index).padStart(3, '0')}`),
    );
    expect(await act('contact', 'getAll', { filters })).toHaveLength(50);
    const some = await act('contact', 'getAll', { limit: 150, filters, sort });
    expect(some).toHaveLength(150);
    expect(some[149]).toMatchObject({ name: 'Person 149' });
  });

  test('each input item has its own output, paired with it (rule n8n 9)', async () => {
    const execution = await n8n.act(
      { resource: 'company', operation: 'create', name: '={{ $json.name }}', additionalFields: {} },
      credential,
      { items: [{ name: 'First' }, { name: 'Second' }, { name: 'Third' }] },
    );
    expect(execution.output('Dealkeep').map((each) => at(each, 'name'))).toEqual([
      'First',
      'Second',
      'Third',
    ]);
    expect(execution.items('Dealkeep').map((each) => at(each, 'pairedItem'))).toEqual([
      { item: 0 },
      { item: 1 },
      { item: 2 },
    ]);
  });
});
