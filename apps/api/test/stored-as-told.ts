import { everyOperation } from '@dealkeep/contract';
import { Problem } from '@dealkeep/core/foundations';
import { arbitraryInput, inConsole, sharedDealkeep } from '@dealkeep/testing';
import { openShop, recordText } from '@dealkeep/testing/business';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addClient } from './console-edits.ts';

const dealkeep = await sharedDealkeep();
const { core } = dealkeep;

/** Bodies that an operation accepts by its schema. */
const bodiesOf = <Id extends 'products.update' | 'contacts.addresses' | 'quotes.create'>(
  id: Id,
  known = {},
) => arbitraryInput(everyOperation[id].body, known).map((body): object => Object(body));

/** What work answers; undefined where it is refused. */
const unlessRefused = <Result>(work: Promise<Result>): Promise<Result | undefined> =>
  work.catch((error) => {
    if (error instanceof Problem) return undefined;
    throw error;
  });

/**
 * What a change makes of a record is told before it is read again, so it must be what is stored. `properties.ts`
 * looks at the operations of the API, this at what people do in the console.
 *
 * @param runs how many inputs are tried of each
 */
export function tryStoredAsTold(runs: number): void {
  test('a product that is edited is what is read then, and what its event says', async () => {
    const shop = await openShop(dealkeep);
    const { uuid } = await shop.addProduct();
    let edits = 0;
    await fc.assert(
      fc.asyncProperty(bodiesOf('products.update'), async (changes) => {
        const edited = await unlessRefused(
          inConsole(core, shop.name, 'products.update', { uuid, ...changes }),
        );
        const read = await shop.api.get(`/products/${uuid}`);
        if (!edited) return;
        edits += 1;
        expect(JSON.stringify(edited)).toBe(recordText(read.text));
        const said = (await dealkeep.eventsOf(shop.organization, uuid)).at(-1);
        if (said?.type === 'product.updated') expect(said.dataText).toBe(recordText(read.text));
      }),
      { numRuns: runs, examples: [[{ price: 0.125, stock_on_hand: 1e-7, vat_rate: 5 }]] },
    );
    expect(edits).toBeGreaterThan(0);
  });

  test('the further addresses of a contact are read as they were told', async () => {
    const { api, name } = await openShop(dealkeep);
    const company = (await api.post('/companies', { name: 'Acme' })).data.id;
    const { id } = (await api.post('/contacts', { name: 'Eva', company_id: company })).data;
    await fc.assert(
      fc.asyncProperty(bodiesOf('contacts.addresses'), async (addresses) => {
        const edited = await unlessRefused(inConsole(core, name, 'contacts.addresses', { id, ...addresses }));
        const read = await api.get(`/contacts/${id}`);
        if (edited) expect(JSON.stringify(edited)).toBe(recordText(read.text));
        expect((await api.get(`/companies/${company}`)).data).toMatchObject({ contacts: [read.data] });
      }),
      { numRuns: runs, examples: [[{ further_emails: ['a@b.example'], further_phones: ['+421'] }]] },
    );
  });

  test('what remains of an invoice after each part of its payment is what is read', async () => {
    const { api, name } = await openShop(dealkeep);
    const cents = fc.integer({ min: 1, max: 100_000_000_000_000 }).map((each) => each / 100);
    await fc.assert(
      fc.asyncProperty(
        cents,
        fc.array(fc.double({ min: 0.001, max: 1, noNaN: true })),
        async (price, parts) => {
          const { data } = await api.post('/invoices', { items: [{ name: 'Work', unit_price: price }] });
          let remaining = data.remaining_amount;
          for (const part of parts) {
            const amount = Number((remaining * part).toFixed(2));
            const paid = await unlessRefused(inConsole(core, name, 'invoices.pay', { id: data.id, amount }));
            const read = await api.get(`/invoices/${data.id}`);
            if (paid) expect(JSON.stringify(paid)).toBe(recordText(read.text));
            remaining = read.data.remaining_amount;
          }
          if (remaining > 0) await inConsole(core, name, 'invoices.pay', { id: data.id });
          expect((await api.get(`/invoices/${data.id}`)).data).toMatchObject({
            status: 'paid',
            remaining_amount: 0,
          });
          const [row] = await dealkeep.sql`
        select total = paid_amount as settled from invoices where organization_id = ${name.id} and id = ${data.id}`;
          expect(row).toEqual({ settled: true });
        },
      ),
      { numRuns: runs, examples: [[0.3, [0.34, 0.5]]] },
    );
  });

  test('a quote is read as it was made and after each step', async () => {
    const shop = await openShop(dealkeep);
    const { api, name, organization } = shop;
    const company = (await api.post('/companies', { name: 'Acme' })).data.id;
    const client = await addClient({ dealkeep, organization }, company);
    const lead = (await api.post('/leads', { name: 'Fleet', company_id: company })).data.id;
    const known = { company: [company], client: [client], lead: [lead] };
    const read = (id: string) => inConsole(core, name, 'quotes.get', { id });
    let made = 0;
    await fc.assert(
      fc.asyncProperty(bodiesOf('quotes.create', known), async (input) => {
        const quote = await unlessRefused(inConsole(core, name, 'quotes.create', { ...input }));
        if (!quote) return;
        made += 1;
        expect(await read(quote.id)).toEqual(quote);
        for (const step of ['quotes.send', 'quotes.accept'] as const) {
          expect(JSON.stringify(await inConsole(core, name, step, { id: quote.id }))).toBe(
            JSON.stringify(await read(quote.id)),
          );
        }
      }),
      {
        numRuns: runs,
        examples: [[{ items: [{ name: 'Work', unit_price: 0.125, quantity: 3, vat_rate: 23 }] }]],
      },
    );
    expect(made).toBeGreaterThan(0);
  });
}
