import { randomUUID } from 'node:crypto';
import { Browser } from '@dealkeep/testing';
import { beforeAll, expect, test } from 'vitest';
import { readRecipes } from '../../documented/read-recipes.ts';
import { type OtherApp, type Run, runRecipe } from '../../documented/run-recipe.ts';
import type { Values } from '../../platform/setting.ts';
import { unique } from '../world.ts';
import type { Today } from './today.ts';

const recipes = await readRecipes();

/** The ten Zaps of docs/zapier.md, followed step by step as the page tells them. */
export function documentedZapPromises(today: Today): void {
  let owner: Browser;
  beforeAll(async () => {
    owner = new Browser(new URL(today.world.connection.baseUrl));
    await owner.signInAs(today.organization.ownerEmail);
  });

  const api = <Answer = Values>(method: string, path: string, body?: Values) =>
    today.world.ask<Answer>(method, path, body);

  /** Takes a step of a record in the console, by its button or on the page that asks first. */
  async function step(record: string, name: string): Promise<void> {
    const address = `${record}/${name}`;
    const page = await owner.get(record);
    const asks = page.html.includes(`href="${address}"`);
    const done = await owner.submit(
      asks ? await owner.get(address) : page,
      address,
      asks ? { do: 'save' } : {},
    );
    expect(done.status).toBe(303);
  }

  /** Runs the Zap of a title, so that a Zap that is renamed or removed is missed. */
  function follow(title: string, start: OtherApp | (() => Promise<unknown>)): Promise<Run> {
    const recipe = recipes.find((each) => each.title === title);
    if (!recipe) throw new Error(`docs/zapier.md has no Zap "${title}".`);
    return runRecipe(today.world.setting, recipe, start);
  }

  async function someLead(more: Values = {}): Promise<Values> {
    const company = await api('POST', '/companies', { name: unique('Tatra Bikes') });
    const contact = await api('POST', '/contacts', {
      company_id: company['id'],
      name: 'Peter Novák',
      email: 'peter@tatra.example',
    });
    return api('POST', '/leads', {
      name: unique('Fleet'),
      value: 1000,
      company_id: company['id'],
      contact_id: contact['id'],
      ...more,
    });
  }

  /** Moves a lead to a stage of its pipeline, by the stage's name. */
  async function moveTo(lead: Values, name: string): Promise<Values> {
    const pipelines = await api<{ id: string; stages: { id: string; name: string }[] }[]>(
      'GET',
      '/pipelines',
    );
    const pipeline = pipelines.find(({ id }) => id === Object(lead['pipeline']).id);
    const stage = pipeline?.stages.find((each) => each.name === name);
    return api('POST', `/leads/${lead['id']}/move`, { stage_id: stage?.id });
  }

  test('docs/zapier.md tells ten Zaps, and each is tried here', () => {
    expect(recipes.map(({ title }) => title)).toEqual(Object.keys(zaps));
  });

  const zaps: Record<string, () => Promise<void>> = {
    'A web form becomes a lead, once': async () => {
      const form = {
        Company: unique('Bistro Nitra'),
        'Company Email': `${randomUUID()}@bistro.example`,
        'Your Name': 'Žofia Kováčová',
        'Your Email': 'zofia@bistro.example',
        Phone: '+421 905 111 222',
        Message: 'Please call in the morning.',
      };
      const { outputs } = await follow('A web form becomes a lead, once', form);
      expect(outputs.get(2)).toMatchObject({
        name: form.Company,
        company: { name: form.Company },
        note: form.Message,
        tags: ['Web form'],
        contact: { name: 'Žofia Kováčová', email: 'zofia@bistro.example', phone: '+421 905 111 222' },
      });
      const second = await follow('A web form becomes a lead, once', form);
      expect(second.outputs.get(2)).toMatchObject({ id: outputs.get(2)?.['id'], deduplicated: true });
    },

    'A won lead becomes an invoice': async () => {
      const lead = await someLead();
      const { outputs } = await follow('A won lead becomes an invoice', () => moveTo(lead, 'Won'));
      expect(outputs.get(3)).toMatchObject({
        total: 1230,
        status: 'issued',
        items: [{ name: lead['name'], unit_price: 1000, vat_rate: 23 }],
        counterparty: { client: { id: outputs.get(2)?.['id'] }, company: { id: Object(lead['company']).id } },
      });
      const again = await someLead({ company_id: Object(lead['company']).id, contact_id: null });
      const second = await follow('A won lead becomes an invoice', () => moveTo(again, 'Won'));
      expect(outputs.get(2)).toMatchObject({ upserted: 'created' });
      expect(second.outputs.get(2)).toMatchObject({ id: outputs.get(2)?.['id'], upserted: 'unchanged' });
    },

    'A new booking becomes a task': async () => {
      const [service] = await api<{ id: string; name: string }[]>('GET', '/booking-services?limit=1');
      const { outputs } = await follow('A new booking becomes a task', () =>
        api('POST', '/bookings', {
          service_id: service?.id,
          starts_at: '2027-03-01T09:00:00+01:00',
          notes: 'First visit',
          customer: { name: 'Eva Malá', phone: '+421 905 1' },
        }),
      );
      expect(outputs.get(2)).toMatchObject({
        title: `Prepare ${service?.name} for Eva Malá`,
        priority: 'high',
        due_date: '2027-03-01',
        description: 'Phone +421 905 1, notes: First visit',
      });
    },

    'A call from your calendar becomes an activity of the right person': async () => {
      const email = `${randomUUID()}@calendar.example`;
      const company = await api('POST', '/companies', { name: unique('Calendar') });
      const contact = await api('POST', '/contacts', { company_id: company['id'], name: 'Ján Malý', email });
      const meeting = {
        'Invitee Email': email,
        'Event Name': 'Introduction',
        'Join URL': 'https://meet.example.com/1',
        'Start Time': '2027-03-01T09:00:00+01:00',
        'End Time': '2027-03-01T09:20:00+01:00',
      };
      const title = 'A call from your calendar becomes an activity of the right person';
      const { outputs } = await follow(title, meeting);
      expect(outputs.get(4)).toMatchObject({
        name: 'Introduction with Ján Malý',
        type: { name: 'Phone call' },
        contact: { id: contact['id'] },
        company: { id: company['id'] },
        start_at: '2027-03-01T08:00:00.000Z',
        end_at: '2027-03-01T08:20:00.000Z',
      });
      const stranger = follow(title, { ...meeting, 'Invitee Email': 'nobody@calendar.example' });
      await expect(stranger).rejects.toThrow('Find Contact: nothing.');
    },

    'A sale in your shop becomes an order': async () => {
      const sale = {
        Customer: 'Eva Malá',
        Email: `${randomUUID()}@customer.example`,
        'Order Number': unique('S'),
        'Line Item Quantity': [2, 1],
        'Line Item SKU': [unique('SKU'), unique('SKU')],
        'Line Item Price': ['450', '19.9'],
        Shipping: 4.9,
        'Shipping Street': 'Hlavná 1',
        'Shipping City': 'Košice',
      };
      const { outputs } = await follow('A sale in your shop becomes an order', sale);
      expect(outputs.get(2)).toMatchObject({ name: 'Eva Malá', email: sale.Email, tags: ['Webshop'] });
      expect(outputs.get(3)).toMatchObject({
        company_uuid: outputs.get(2)?.['id'],
        status: 'confirmed',
        customer_name: 'Eva Malá',
        subtotal: 919.9,
        grand_total: 924.8,
        external_id: sale['Order Number'],
        external_source: 'webshop',
        delivery_address: { street: 'Hlavná 1', city: 'Košice' },
        items: [
          { sku: sale['Line Item SKU'][0], quantity: 2 },
          { sku: sale['Line Item SKU'][1], quantity: 1 },
        ],
      });
      const again = follow('A sale in your shop becomes an order', sale);
      await expect(again).rejects.toThrow('There is already an order with this external_id from webshop.');
    },

    'A shipped order tells the customer': async () => {
      const order = await api('POST', '/orders', {
        customer: {
          email: 'eva@customer.example',
          delivery_address: JSON.stringify({ street: 'Hlavná 1', city: 'Košice' }),
        },
        items: [{ sku: 'SERVICE', quantity: 1, unit_price: 10 }],
      });
      const { handedOver } = await follow('A shipped order tells the customer', () =>
        step(`/orders/${order['uuid']}`, 'shipped'),
      );
      expect(handedOver[0]).toContain(`eva@customer.example that order ${order['internal_number']}`);
      expect(handedOver[0]).toContain('Hlavná 1, Košice');
    },

    'An overdue invoice reminds the customer': async () => {
      const email = `${randomUUID()}@payer.example`;
      const company = await api('POST', '/companies', { name: unique('Payer'), email });
      const { outputs, handedOver } = await follow('An overdue invoice reminds the customer', async () => {
        await api('POST', '/invoices', {
          company_id: company['id'],
          issued_date: '2026-01-02',
          due_date: '2026-01-16',
          items: [{ name: 'City bike', unit_price: 450 }],
        });
        await today.service.passDeadlines();
      });
      expect(outputs.get(2)).toMatchObject({ id: company['id'] });
      expect(handedOver[0]).toContain(
        `remind ${email} that invoice ${outputs.get(1)?.['number']} over 450 EUR`,
      );
      expect(handedOver[0]).toContain('due on 2026-01-16');
    },

    'A proposal that was sent is followed up': async () => {
      const [user] = await api<{ id: string }[]>('GET', '/users');
      const lead = await someLead({ owner_id: user?.id });
      const { outputs } = await follow('A proposal that was sent is followed up', () =>
        moveTo(lead, 'Proposal sent'),
      );
      expect(outputs.get(2)).toMatchObject({
        title: 'Ask Peter Novák about our proposal',
        description: `${lead['name']}, worth 1000`,
        lead: { id: lead['id'] },
        assignees: [{ id: user?.id }],
      });
    },

    'A changed e-mail address reaches the mailing list': async () => {
      const company = await api('POST', '/companies', { name: unique('Mailing') });
      const old = { company_id: company['id'], name: 'Ján Malý', email: 'jan@old.example' };
      const contact = await api('POST', '/contacts', old);
      const { handedOver } = await follow('A changed e-mail address reaches the mailing list', () =>
        api('PATCH', `/contacts/${contact['id']}`, { email: 'jan@new.example' }),
      );
      expect(handedOver[0]).toContain(
        `change jan@old.example to jan@new.example, Ján Malý of ${company['name']}.`,
      );
    },

    'A signed contract wins the lead': async () => {
      const lead = await someLead();
      const { outputs } = await follow('A signed contract wins the lead', { 'Document Name': lead['name'] });
      expect(outputs.get(3)).toMatchObject({ name: 'Won', pipeline: { id: Object(lead['pipeline']).id } });
      expect(outputs.get(4)).toMatchObject({ id: lead['id'], status: 'won', stage: { kind: 'won' } });
    },
  };

  test.each(Object.keys(zaps))('"%s" does what docs/zapier.md says', (title) => zaps[title]?.());
}
