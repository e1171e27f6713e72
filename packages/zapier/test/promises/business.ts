import { expect, test } from 'vitest';
import { unique, type World } from './world.ts';

export function businessPromises(world: World): void {
  test('makes a company a client once, updates it, and finds it by its company', async () => {
    const company = await world.act('create_company', { name: unique('Orava') });
    const client = await world.act('create_client', { company_id: company['id'], note: 'Monthly' });
    expect(client).toMatchObject({ company: { id: company['id'] }, note: 'Monthly' });
    const updated = await world.act('update_client', { id: client['id'], fields_to_clear: ['note'] });
    expect(updated).toMatchObject({ note: null });
    const found = await world.list('searches.find_client', { search_company__name: company['name'] });
    expect(found).toMatchObject([{ id: client['id'] }]);
    await expect(world.act('create_client', { company_id: company['id'] })).rejects.toMatchObject({
      name: 'HaltedError',
    });
  });

  test('plans an activity, updates and completes it', async () => {
    const name = unique('Presentation');
    const made = await world.act('create_activity', { name, start_at: '2027-01-11T09:00:00+01:00' });
    expect(made).toMatchObject({ name, status: 'open', start_at: '2027-01-11T08:00:00.000Z' });
    const { id } = made;
    expect(await world.act('update_activity', { id, location: 'Košice' })).toMatchObject({
      location: 'Košice',
    });
    expect(await world.act('complete_activity', { id })).toMatchObject({ id, status: 'closed' });
    expect(await world.list('searches.find_activity', { search_q: name })).toMatchObject([{ id }]);
  });

  test('creates a task, moves it, completes it and reopens it', async () => {
    const project = Object(await world.some('/projects'));
    const title = unique('Contract');
    const made = await world.act('create_task', {
      title,
      project_id: project.id,
      due_date: '2027-01-31T00:00:00+01:00',
      due_time: '16:00',
    });
    expect(made).toMatchObject({ title, due_date: '2027-01-31', due_time: '16:00', completed_at: null });
    const { id } = made;
    const stage = project.stages[1];
    expect(await world.act('update_task', { id, stage_id: stage.id })).toMatchObject({
      stage: { id: stage.id },
    });
    const done = await world.act('complete_task', { id });
    expect(done).toMatchObject({ completed_at: expect.any(String) });
    expect(await world.act('reopen_task', { id })).toMatchObject({ completed_at: null });
    expect(
      await world.list('searches.find_task', { search_q: title, search_completed: false }),
    ).toMatchObject([{ id }]);
  });

  test('issues an invoice from line items, and finds it by its number', async () => {
    const client = await world.some('/clients');
    const invoice = await world.act('create_invoice', {
      client_id: client['id'],
      issued_date: '2026-10-01',
      items: [
        {
          items__name: 'City bike',
          items__unit_price: '450',
          items__quantity: 2,
          items__unit: '',
          items__vat_rate: '23',
        },
        { items__name: 'Delivery', items__unit_price: 4.9 },
        { items__name: '', items__unit_price: '' },
      ],
    });
    expect(invoice).toMatchObject({
      subtotal: 904.9,
      vat_amount: 207,
      total: 1111.9,
      counterparty: { client: { id: client['id'] } },
      items: [
        { name: 'City bike', quantity: 2, unit: null, vat_rate: 23 },
        { name: 'Delivery', quantity: 1 },
      ],
    });
    const found = await world.list('searches.find_invoice', { search_number: invoice['number'] });
    expect(found).toEqual([invoice]);
  });

  test('with a wrong line item names the line and the field', async () => {
    const run = world.act('create_invoice', {
      items: [
        { items__name: 'Bike', items__unit_price: 1 },
        { items__name: 'Bell', items__unit_price: 'x' },
      ],
    });
    await expect(run).rejects.toThrow('Items 2, Unit Price: ');
  });

  test('creates an order by SKU, and finds it under its external ID', async () => {
    const product = await world.some('/products', '&active=true');
    const client = await world.some('/clients');
    const company = Object(client['company']);
    const externalId = unique('SHOP');
    const order = await world.act('create_order', {
      customer__name: 'Eva Malá',
      customer__client_uuid: client['id'],
      customer__company_uuid: company.id,
      customer__delivery_address__street: 'Štúrova 12',
      customer__delivery_address__city: 'Košice',
      external_id: externalId,
      auto_confirm: 'yes',
      items: [
        { items__sku: product['sku'], items__quantity: '2' },
        { items__sku: 'SERVICE', items__quantity: 1, items__unit_price: 10 },
      ],
    });
    expect(order).toMatchObject({
      id: order['uuid'],
      status: 'confirmed',
      customer_name: 'Eva Malá',
      delivery_address: { street: 'Štúrova 12', city: 'Košice', postal_code: null, country: null },
      client_uuid: client['id'],
      company_uuid: company.id,
      invoice_uuid: null,
      items: [{ product_uuid: product['uuid'], quantity: 2 }, { name: 'SERVICE' }],
    });
    const found = await world.list('searches.find_order', { search_external_id: externalId });
    expect(found).toEqual([order]);
  });

  test('books a service and cancels the booking', async () => {
    const service = await world.some('/booking-services');
    const booking = await world.act('create_booking', {
      service_id: service['id'],
      starts_at: '2027-03-01T09:00:00+01:00',
      customer__name: unique('Eva'),
    });
    expect(booking).toMatchObject({ status: 'pending', service: { id: service['id'] } });
    const cancelled = await world.act('cancel_booking', { id: booking['id'], reason: 'Ill' });
    expect(cancelled).toMatchObject({ status: 'cancelled', cancellation_reason: 'Ill' });
    const name = Object(booking['customer']).name;
    expect(await world.list('searches.find_booking', { search_customer__name: name })).toMatchObject([
      { id: booking['id'] },
    ]);
  });
}
