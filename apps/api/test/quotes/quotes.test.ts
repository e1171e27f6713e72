import { inConsole, startDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { addClient } from '../console-edits.ts';

const clock = { moment: '2026-10-01T08:00:00.000Z', now: () => new Date(clock.moment) };
const dealkeep = await startDealkeep({ worker: false, clock });
const { core } = dealkeep;
type Step = 'quotes.send' | 'quotes.accept' | 'quotes.reject';
const nobody = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
const items = [{ name: 'City bike', quantity: 2, unit_price: 450, vat_rate: 23 }];

async function openOffice() {
  const business = await openBusiness(dealkeep);
  const { api, organization } = business;
  const company = (await api.post('/companies', { name: 'Acme' })).data.id;
  const client = await addClient({ dealkeep, organization }, company);
  const lead = (await api.post('/leads', { name: 'Fleet', company_id: company })).data.id;
  const create = (input: object = {}) => inConsole(core, organization, 'quotes.create', { items, ...input });
  const sent = async () => inConsole(core, organization, 'quotes.send', { id: (await create()).id });
  return { ...business, company, client, lead, create, sent };
}

describe('create', () => {
  test('makes a draft with a number of its own, without an event (rules quotes 1, 2 and 4)', async () => {
    const { create, company, client, lead, eventsDuring } = await openOffice();
    const events = await eventsDuring(async () => {
      const quote = await create({
        client_id: client,
        lead_id: lead,
        currency: 'CZK',
        valid_until: '2026-10-31',
      });
      expect(quote).toEqual({
        id: expect.any(String),
        number: 'Q-2026-0001',
        status: 'draft',
        currency: 'CZK',
        subtotal: 900,
        vat_amount: 207,
        total: 1107,
        valid_until: '2026-10-31',
        company: { id: company, name: 'Acme' },
        client: { id: client, name: 'Acme' },
        lead: { id: lead, name: 'Fleet' },
        items: [{ name: 'City bike', quantity: 2, unit: null, unit_price: 450, vat_rate: 23, total: 900 }],
        accepted_at: null,
        rejected_at: null,
        created_at: clock.moment,
        updated_at: clock.moment,
        app_url: `http://localhost:3000/quotes/${quote.id}`,
      });
    });
    expect(events).toEqual([]);
  });

  test('with a line alone', async () => {
    const { create } = await openOffice();
    expect(await create()).toMatchObject({
      currency: 'EUR',
      valid_until: null,
      company: null,
      client: null,
      lead: null,
    });
  });

  test('says every failing field', async () => {
    const { create, client } = await openOffice();
    const beta = await openOffice();
    const refused = (input: object) =>
      create(input).then(
        () => [],
        (problem) => problem.fields.map(({ path, key }: { path: string; key: string }) => [path, key]),
      );
    expect(await refused({ items: [], currency: 'eur', number: 'Q-1' })).toEqual([
      ['items', 'field.too_few'],
      ['currency', 'field.invalid_currency'],
      ['number', 'field.unknown'],
    ]);
    expect(await refused({ client_id: nobody, company_id: beta.company, lead_id: beta.lead })).toEqual([
      ['client_id', 'field.not_found'],
      ['company_id', 'field.not_found'],
      ['lead_id', 'field.not_found'],
    ]);
    expect(
      await refused({ client_id: client, items: [{ name: 'x', unit_price: 1e12, quantity: 2 }] }),
    ).toEqual([['items[0]', 'field.total_too_big']]);
    expect((await create()).number).toBe('Q-2026-0001');
  });

  test('twenty at once have gapless numbers (rule quotes 2)', async () => {
    const { create } = await openOffice();
    const quotes = await Promise.all(Array.from({ length: 20 }, () => create()));
    expect(quotes.map(({ number }) => number).toSorted()).toEqual(
      Array.from({ length: 20 }, (_, index) => `Q-2026-${String(index + 1).padStart(4, '0')}`),
    );
  });
});

describe('a quote that was sent', () => {
  test.each([
    ['accepted', 'quotes.accept', 'accepted_at'],
    ['rejected', 'quotes.reject', 'rejected_at'],
  ] as const)(
    'can be %s, and says so with the record as it is (rules quotes 3 and 4)',
    async (status, decide, at) => {
      const { sent, organization, eventsDuring } = await openOffice();
      const quote = await sent();
      expect(quote.status).toBe('sent');
      clock.moment = new Date(Date.parse(clock.moment) + 1000).toISOString();
      const events = await eventsDuring(async () => {
        const decided = await inConsole(core, organization, decide, { id: quote.id });
        expect(decided).toEqual({ ...quote, status, [at]: clock.moment, updated_at: clock.moment });
      });
      expect(events.map(({ type }) => type)).toEqual([`quote.${status}`]);
      const decided = { ...quote, status, [at]: clock.moment, updated_at: clock.moment };
      expect(events[0]?.dataText).toBe(JSON.stringify(decided));
    },
  );

  test('is decided once, however many ask at once', async () => {
    const { sent, organization, eventsDuring } = await openOffice();
    const { id } = await sent();
    const events = await eventsDuring(async () => {
      const decisions = (['quotes.accept', 'quotes.reject', 'quotes.accept', 'quotes.reject'] as const).map(
        (decide) => inConsole(core, organization, decide, { id }),
      );
      const outcomes = await Promise.allSettled(decisions);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });
    expect(events).toHaveLength(1);
  });
});

test('no other step is possible (rule quotes 3)', async () => {
  const { create, sent, organization } = await openOffice();
  const step = (change: Step, id: string) =>
    inConsole(core, organization, change, { id }).then(
      ({ status }) => status,
      ({ key, values }) => `${key} ${values.state ?? ''}`.trim(),
    );
  const draft = (await create()).id;
  expect(await step('quotes.accept', draft)).toBe('record.wrong_state draft');
  expect(await step('quotes.reject', draft)).toBe('record.wrong_state draft');
  expect(await step('quotes.send', draft)).toBe('sent');
  expect(await step('quotes.send', draft)).toBe('record.wrong_state sent');
  for (const decide of ['quotes.accept', 'quotes.reject'] as const) {
    const { id } = await sent();
    const decided = await step(decide, id);
    for (const change of ['quotes.send', 'quotes.accept', 'quotes.reject'] as const) {
      expect(await step(change, id)).toBe(`record.wrong_state ${decided}`);
    }
  }
  const theirs = await (await openOffice()).create();
  for (const id of [nobody, theirs.id]) expect(await step('quotes.send', id)).toBe('record.not_found');
});
