import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const { api } = await openBusiness(dealkeep);

describe('the dates of a task (rule tasks 12)', () => {
  test('are judged together on create, beside whatever else is wrong', async () => {
    const ask = async (body: object) => (await api.post('/tasks', { title: 'Call', ...body })).fields;
    const turned = { start_date: '2026-10-09', due_date: '2026-10-08' };
    expect(await ask(turned)).toEqual({ due_date: 'due_before_start' });
    expect(await ask({ due_time: '09:30' })).toEqual({ due_time: 'needs_due_date' });
    expect(await ask({ ...turned, nonsense: 1 })).toEqual({
      due_date: 'due_before_start',
      nonsense: 'unknown',
    });
    expect(
      (await api.post('/tasks', { title: 'Call', start_date: '2026-10-08', due_date: '2026-10-08' })).status,
    ).toBe(201);
  });

  test('of a PATCH are judged with what is stored', async () => {
    const { id } = (
      await api.post('/tasks', {
        title: 'Call',
        start_date: '2026-10-05',
        due_date: '2026-10-09',
        due_time: '09:30',
      })
    ).data;
    const ask = async (body: object) => {
      const answer = await api.patch(`/tasks/${id}`, body);
      return answer.status === 200 ? 200 : answer.fields;
    };
    expect(await ask({ due_date: '2026-10-04' })).toEqual({ due_date: 'due_before_start' });
    expect(await ask({ start_date: '2026-10-10' })).toEqual({ start_date: 'due_before_start' });
    expect(await ask({ due_date: null })).toEqual({ due_date: 'needs_due_date' });
    expect(await ask({ due_date: null, due_time: null })).toBe(200);
    expect(await ask({ due_time: '10:00' })).toEqual({ due_time: 'needs_due_date' });
    // What an earlier version stored stays until it is changed.
    await dealkeep.sql`update tasks set start_date = '2026-12-01', due_date = '2026-11-01' where id = ${id}`;
    expect(await ask({ title: 'Call again', due_date: '2026-11-01' })).toBe(200);
    expect(await ask({ due_date: '2026-11-02' })).toEqual({ due_date: 'due_before_start' });
  });
});

test('an order whose discount is larger than all else is refused at it (rule orders 21)', async () => {
  const order = (discount_total: number, more: object = {}) =>
    api.post('/orders', {
      customer: {},
      items: [{ sku: 'X', quantity: 1, unit_price: 10, vat_rate: 20 }],
      shipping_cost: 3,
      discount_total,
      ...more,
    });
  expect((await order(15)).data.grand_total).toBe(0);
  expect((await order(15.01)).fields).toEqual({ discount_total: 'discount_too_large' });
  expect((await order(15.01, { nonsense: 1 })).fields).toEqual({
    discount_total: 'discount_too_large',
    nonsense: 'unknown',
  });
});

describe('a name of which nothing can be seen is none (rule bodies 29)', () => {
  const unseen = [
    '\u200b',
    '\u3164',
    '\u115f',
    '\u202e',
    '\u2800',

    '\u00ad',
    '\u0007',
    ' \u2060\u200d ',
    '\u{e0001}',
    '\ufe0f',
  ];

  test.each([
    ['POST', '/companies', 'name', {}],
    ['POST', '/tasks', 'title', {}],
    ['POST', '/leads', 'name', {}],
    ['POST', '/activities', 'name', { start_at: '2026-12-01T08:00:00Z' }],
    ['POST', '/invoices', 'items[0].name', {}],
    ['POST', '/orders', 'customer.name', { items: [{ sku: 'X', quantity: 1, unit_price: 1 }] }],
  ] as const)('%s %s at %s', async (method, path, field, body) => {
    for (const name of unseen) {
      const named = {
        name: { name },
        title: { title: name },
        'items[0].name': { items: [{ name, unit_price: 1 }] },
        'customer.name': { customer: { name } },
      }[field];
      const refused = await api.send(method, path, { json: { ...body, ...named } });
      expect([name, refused.fields]).toEqual([name, { [field]: 'cannot_be_seen' }]);
    }
  });

  test('a tag, a contact and a PATCH as well; a sign among others, and any that can be seen, are taken', async () => {
    const company = (await api.post('/companies', { name: 'Acme' })).data.id;
    const [name] = unseen;
    expect((await api.post('/contacts', { company_id: company, name })).fields).toEqual({
      name: 'cannot_be_seen',
    });
    expect((await api.patch(`/companies/${company}`, { name })).fields).toEqual({ name: 'cannot_be_seen' });
    expect((await api.patch(`/companies/${company}`, { tags: [name] })).fields).toEqual({
      'tags[0]': 'cannot_be_seen',
    });
    for (const seen of ['A\u200bB', '\u{1F469}\u200d\u{1F4BB}', '가', '—', '\u0301', 'עברית']) {
      expect((await api.patch(`/companies/${company}`, { name: seen })).data.name).toBe(seen);
    }
  });
});
