import { seedDemo } from '@dealkeep/core/installation';
import { startDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../nodes/shared/generated/operations.ts';
import { Api } from './api.ts';
import { businessResources } from './business-resources.ts';
import { at, listAt, textAt } from './json.ts';
import { N8nDriver } from './n8n-driver.ts';
import { type Credential, chosen } from './workflow-node.ts';

describe('the operations of the daily business in n8n', () => {
  const n8n = new N8nDriver();
  const done = new Set<string>();
  let api: Api;
  let credential: Credential;

  beforeAll(async () => {
    const dealkeep = await startDealkeep({ worker: false });
    const organization = await dealkeep.createOrganization();
    await seedDemo(dealkeep.core, organization.slug, 'small');
    api = new Api(dealkeep.baseUrl, organization.key);
    credential = await n8n.createCredential(api.baseUrl, organization.key);
  });

  const run = (resource: string, operation: string, parameters: Record<string, unknown>) => {
    done.add(`${resource}.${operation}`);
    return n8n.act({ resource, operation, simplify: false, ...parameters }, credential);
  };
  /** Runs one operation on one empty item and gives the records it returned, whole. */
  const act = async (resource: string, operation: string, parameters: Record<string, unknown> = {}) => {
    const execution = await run(resource, operation, parameters);
    expect(execution.error('Dealkeep')).toBeUndefined();
    return execution.output('Dealkeep');
  };
  const idsOf = (records: readonly unknown[]) => records.map((each) => at(each, 'id') ?? at(each, 'uuid'));
  /** The first record of a list of the demo. */
  const some = async (path: string): Promise<unknown> =>
    listAt(await api.call('GET', `${path}?limit=1`), 'data')[0];

  test('clients: create, get, update, list', async () => {
    const company = await api.create('/companies', { name: 'Orava Timber' });
    const [client] = await act('client', 'create', {
      companyId: chosen(company, 'list'),
      additionalFields: { referenceCode: 'C-1', referenceValidUntil: '2027-12-31', note: 'Monthly' },
    });
    expect(client).toMatchObject({ company: { id: company }, reference_valid_until: '2027-12-31' });
    const clientId = chosen(textAt(client, 'id'));
    expect(await act('client', 'get', { clientId })).toEqual([client]);
    const [updated] = await act('client', 'update', { clientId, updateFields: { note: '' } });
    expect(updated).toMatchObject({ note: null, reference_code: 'C-1' });
    const found = await act('client', 'getAll', { filters: { q: 'orava timber' } });
    expect(idsOf(found)).toEqual([clientId.value]);
    const [same] = await act('client', 'upsert', {
      matchBy: 'company_id',
      companyId: chosen(company),
      additionalFields: { note: 'Weekly' },
    });
    expect(same).toMatchObject({ id: clientId.value, note: 'Weekly', upserted: 'updated' });
    const [byCode] = await act('client', 'upsert', {
      matchBy: 'reference_code',
      referenceCode: 'C-1',
      companyId: chosen(''),
      additionalFields: { note: 'Weekly' },
    });
    expect(byCode).toMatchObject({ id: clientId.value, upserted: 'unchanged' });
    await act('client', 'erase', { clientId });
  });

  test('activities: create, get, update, complete, list', async () => {
    const [activity] = await act('activity', 'create', {
      name: 'Presentation',
      // As n8n's date picker gives it: in the time zone of the workflow.
      startAt: '2027-01-11T09:00:00',
      additionalFields: { importance: 'high', location: 'Košice' },
    });
    expect(activity).toMatchObject({ start_at: '2027-01-11T08:00:00.000Z', importance: 'high' });
    const activityId = chosen(textAt(activity, 'id'));
    expect(await act('activity', 'get', { activityId })).toEqual([activity]);
    const [updated] = await act('activity', 'update', { activityId, updateFields: { location: '' } });
    expect(updated).toMatchObject({ location: null });
    expect(await act('activity', 'complete', { activityId })).toMatchObject([{ status: 'closed' }]);
    const filters = { q: 'presentation', status: 'closed', startAfter: '2027-01-10' };
    expect(idsOf(await act('activity', 'getAll', { filters }))).toEqual([activityId.value]);
  });

  test('tasks: create in a project, get, move, complete, list', async () => {
    const project = await some('/projects');
    const [, second] = listAt(project, 'stages').map((stage) => textAt(stage, 'id'));
    const [task] = await act('task', 'create', {
      title: 'Send the contract',
      additionalFields: {
        projectId: chosen(textAt(project, 'id'), 'list'),
        dueDate: '2027-01-31',
        dueTime: '16:00',
      },
    });
    expect(task).toMatchObject({ due_date: '2027-01-31', due_time: '16:00' });
    const taskId = chosen(textAt(task, 'app_url'), 'url');
    expect(await act('task', 'get', { taskId })).toEqual([task]);
    const [moved] = await act('task', 'update', {
      taskId,
      updateFields: { stageId: chosen(second ?? '', 'list'), completed: true },
    });
    expect(moved).toMatchObject({ stage: { id: second }, completed_at: expect.any(String) });
    expect(await act('task', 'reopen', { taskId })).toMatchObject([{ completed_at: null }]);
    expect(await act('task', 'complete', { taskId })).toMatchObject([{ completed_at: expect.any(String) }]);
    const filters = { q: 'contract', completed: true, stageId: chosen(second ?? '') };
    expect(idsOf(await act('task', 'getAll', { filters }))).toEqual([at(task, 'id')]);
  });

  test('invoices: create with items, get, list', async () => {
    const client = await some('/clients');
    const [invoice] = await act('invoice', 'create', {
      items: {
        values: [
          { name: 'City bike', unitPrice: 450, quantity: 2, additionalFields: { vatRate: 23 } },
          { name: 'Delivery', unitPrice: 4.9, additionalFields: { unit: 'pcs' } },
        ],
      },
      additionalFields: { clientId: chosen(textAt(client, 'id'), 'list'), issuedDate: '2026-10-01' },
    });
    expect(invoice).toMatchObject({
      total: 1111.9,
      items: [
        { quantity: 2, unit: null, vat_rate: 23 },
        { quantity: 1, unit: 'pcs', vat_rate: null },
      ],
      counterparty: { client: { id: at(client, 'id') } },
    });
    const invoiceId = chosen(textAt(invoice, 'id'));
    expect(await act('invoice', 'get', { invoiceId })).toEqual([invoice]);
    const filters = { variableSymbol: textAt(invoice, 'variable_symbol'), isPaid: false };
    expect(idsOf(await act('invoice', 'getAll', { filters }))).toEqual([invoiceId.value]);
  });

  test('a wrong item is named by its number and field', async () => {
    const execution = await run('invoice', 'create', {
      items: { values: [{ name: 'Bell', unitPrice: 9, additionalFields: { vatRate: 130 } }] },
    });
    expect(execution.error('Dealkeep')?.message).toMatch(/^Items 1 → VAT Rate: /);
  });

  test('bookings: create, get, cancel, list', async () => {
    const service = await some('/booking-services');
    const [booking] = await act('booking', 'create', {
      serviceId: chosen(textAt(service, 'id'), 'list'),
      startsAt: '2027-03-01T09:00:00+01:00',
      customer: { values: { name: 'Eva Malá', email: 'eva@orava.example' } },
    });
    expect(booking).toMatchObject({ status: 'pending', customer: { name: 'Eva Malá', phone: null } });
    const bookingId = chosen(textAt(booking, 'id'));
    expect(await act('booking', 'get', { bookingId })).toEqual([booking]);
    const [cancelled] = await act('booking', 'cancel', { bookingId, additionalFields: { reason: 'Ill' } });
    expect(cancelled).toMatchObject({ status: 'cancelled', cancellation_reason: 'Ill' });
    const filters = { email: 'eva@orava.example', startsAfter: '2027-02-28T00:00:00Z' };
    expect(idsOf(await act('booking', 'getAll', { filters }))).toEqual([bookingId.value]);
  });

  test('products: get with their stock, list', async () => {
    const listed = await act('product', 'getAll', {
      limit: 3,
      filters: { active: true, include: 'stock' },
      sort: { values: { field: 'name', direction: 'ascending' } },
    });
    expect(listed).toHaveLength(3);
    const productId = chosen(textAt(listed[0], 'uuid'), 'list');
    const [product] = await act('product', 'get', { productId, options: { include: 'stock' } });
    expect(product).toMatchObject({ uuid: productId.value, stock_on_hand: at(listed[0], 'stock_on_hand') });
    const [plain] = await act('product', 'get', { productId });
    expect(plain).not.toHaveProperty('stock_on_hand');
  });

  test('orders: create of a product and of an unknown SKU, get, list', async () => {
    const product = await some('/products');
    const [order] = await act('order', 'create', {
      items: {
        values: [
          { quantity: 2, productUuid: chosen(textAt(product, 'uuid'), 'list'), sku: '' },
          { quantity: 1, sku: 'SERVICE', additionalFields: { unitPrice: 10, discountPct: 50 } },
        ],
      },
      additionalFields: { externalId: 'SHOP-1', autoConfirm: true },
    });
    expect(order).toMatchObject({
      status: 'confirmed',
      customer_name: null,
      items: [{ product_uuid: at(product, 'uuid') }, { name: 'SERVICE', line_total: 5 }],
    });
    const orderId = chosen(textAt(order, 'uuid'));
    expect(await act('order', 'get', { orderId })).toEqual([order]);
    expect(idsOf(await act('order', 'getAll', { filters: { externalId: 'SHOP-1' } }))).toEqual([
      orderId.value,
    ]);
  });

  test('every operation of these resources was used', () => {
    const offered = businessResources.flatMap((resource) =>
      Object.keys(operations[resource] ?? {}).map((operation) => `${resource}.${operation}`),
    );
    expect([...done].sort()).toEqual(offered.sort());
  });
});
