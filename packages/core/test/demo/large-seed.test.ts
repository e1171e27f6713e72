import { connect, systemClock } from '@dealkeep/core/foundations';
import { startDealkeep, testDatabase } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { inTransaction } from '../../src/foundations/database/in-transaction.ts';
import { seedDemo, seedRecords } from '../../src/installation/demo/seed.ts';

async function emptyOrganization() {
  const { url, sql } = await testDatabase();
  const dealkeep = await startDealkeep({ databaseUrl: url, worker: false });
  const organization = await dealkeep.createOrganization();
  return { url, sql, organization };
}

test.each([1_000_000, 5_000_000])(
  'the last records of a seed of %i leads are made as the first are (rule operator 30)',
  async (leads) => {
    const { url, sql, organization } = await emptyOrganization();
    const own = connect(url, { connections: 1, name: 'test' });
    onTestFinished(() => own.end());
    const companies = leads / 4;
    for (const series of ['invoice', 'quote']) {
      for (const year of [2026, 2027]) {
        await sql`
        insert into document_numbers ${sql({ organization_id: organization.id, series, year, last: companies * 2 - 10 })}
        on conflict do nothing`;
      }
    }
    const made = await inTransaction(own, (tx) =>
      seedRecords(
        {
          tx,
          organization: organization.id,
          currency: 'EUR',
          now: '2026-12-01T08:00:00Z',
          first: { companies: companies - 12, leads: leads - 24 },
        },
        { companies, leads },
      ),
    );
    expect(made).toMatchObject({ companies: 12, contacts: 24, leads: 24, invoices: 24 });
    for (const [kind, count] of Object.entries(made)) expect(count, kind).toBeGreaterThan(0);
    const [odd] = await sql`
    select (select count(*)::integer from invoices where length(variable_symbol) > 10) as symbols,
           (select count(*)::integer from companies where registration_id !~ '^[0-9]{8}$') as companies,
           (select count(*)::integer from contacts where phone !~ '^[+]421 905 [0-9]{6}$') as contacts,
           (select count(*)::integer - count(distinct reference_code)::integer from clients) as clients`;
    expect(odd).toEqual({ symbols: 0, companies: 0, contacts: 0, clients: 0 });
  },
);

test('a seed says how far it is, and that all are made', async () => {
  const { url, organization } = await emptyOrganization();
  const own = connect(url, { connections: 1, name: 'test' });
  onTestFinished(() => own.end());
  const said: string[] = [];
  const made = await seedDemo({ sql: own, clock: systemClock }, organization.slug, 40, (line) =>
    said.push(line),
  );
  expect(said).toContain('leads: 40 of 40');
  expect(said).toContain(`tasks: ${made.tasks}`);
});
