import { randomUUIDv7 } from 'node:crypto';
import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { change } from '../../src/change/verb/change.ts';
import { type Changing, NothingWritten } from '../../src/change/verb/verb.ts';
import { inTransaction } from '../../src/foundations/database/in-transaction.ts';
import { Problem } from '../../src/foundations/problem.ts';
import { companies } from '../../src/records/companies/record.ts';

const dealkeep = await sharedDealkeep();
const now = '2027-01-11T08:00:00.000Z';

async function changed<Result>(work: (changing: Changing) => Promise<Result>): Promise<Result> {
  const { id, slug } = await dealkeep.createOrganization();
  return change(dealkeep.core, { organization: { id, slug }, now }, work);
}

const insertCompany = (changing: Changing, name: string) =>
  companies.insertWhole(
    changing,
    {
      id: randomUUIDv7(),
      name,
      country_code: 'SK',
      tag_ids: [],
      custom_fields: {},
      created_at: now,
      updated_at: now,
    },
    { joined: { contacts: null } },
  );

const namesOf = ({ sql, organization }: Changing) => sql<{ name: string; by: string }[]>`
  select name, xmin || '.' || cmin as by from companies where organization_id = ${organization} order by name`;

describe('what a change has written', () => {
  test('is there for what it asks next, also where it asks two things at once', async () => {
    const [before, after, other] = await changed(async (changing) => {
      const none = await namesOf(changing);
      await insertCompany(changing, 'A');
      return [none, ...(await Promise.all([namesOf(changing), namesOf(changing)]))];
    });
    expect([before, after, other].map((rows) => rows?.map(({ name }) => name))).toEqual([[], ['A'], ['A']]);
  });

  test('stays when a savepoint that begins behind it is undone', async () => {
    const rows = await changed(async (changing) => {
      await insertCompany(changing, 'A');
      const undone = inTransaction(changing.sql, async (tx) => {
        await namesOf({ ...changing, sql: tx });
        throw new Error('Undone');
      });
      await expect(undone).rejects.toThrow('Undone');
      return [...(await namesOf(changing))];
    });
    expect(rows.map(({ name }) => name)).toEqual(['A']);
  });

  test('goes in by one statement with what else it wrote to the table without asking in between', async () => {
    const rows = await changed(async (changing) => {
      await insertCompany(changing, 'A');
      await insertCompany(changing, 'B "\\ \u2028 ž');
      await namesOf(changing);
      await insertCompany(changing, 'C');
      return [...(await namesOf(changing))];
    });
    expect(rows.map(({ name }) => name)).toEqual(['A', 'B "\\ \u2028 ž', 'C']);
    const [a, b, c] = rows.map(({ by }) => by);
    expect([a === b, b === c]).toEqual([true, false]);
  });

  test('is raised by what it asks next where it was refused, and not that the transaction is lost', async () => {
    const refused = (failure: unknown) =>
      failure instanceof NothingWritten ? new Problem('lead.archived') : undefined;
    const nothing = changed(async (changing) => {
      await changing.write(changing.sql`written as (select where false)`, refused);
      await Promise.all([namesOf(changing), namesOf(changing)]);
    });
    await expect(nothing).rejects.toMatchObject({ key: 'lead.archived' });
    const failing = changed(async (changing) => {
      const { sql, organization } = changing;
      await changing.write(sql`
        written as (insert into companies (organization_id, id) values (${organization}, ${randomUUIDv7()}) returning id)`);
      await namesOf(changing);
    });
    await expect(failing).rejects.toThrow(/null value in column/);
  });
});
