import { exportOrganization } from '@dealkeep/core/installation';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

/** Companies of an organization, written behind the back of the program. */
const insertCompanies = (organization: string, count: number) => dealkeep.sql`
  insert into companies (organization_id, id, name, created_at, updated_at)
  select ${organization}, gen_random_uuid(), 'Company ' || n, now(), now()
  from generate_series(1, ${count}::integer) n`;

test('an export is of one moment: what is written meanwhile, in any kind, is not in it (rule leaving 6)', async () => {
  const { id, slug } = await dealkeep.createOrganization();
  await insertCompanies(id, 3);
  const files = new Map<string, string>();
  const { counts } = await exportOrganization(dealkeep.core, slug, {
    async append(file, text) {
      if (files.size === 0) {
        await insertCompanies(id, 1);
        await dealkeep.sql`
          insert into contacts (organization_id, id, company_id, name, created_at, updated_at)
          select organization_id, gen_random_uuid(), id, 'Late', now(), now() from companies
          where organization_id = ${id} limit 1`;
      }
      files.set(file, (files.get(file) ?? '') + text);
    },
  });
  expect(counts).toMatchObject({ companies: 3, contacts: 0 });
  expect(JSON.parse(files.get('companies.json') ?? '')).toHaveLength(3);
  expect(JSON.parse(files.get('contacts.json') ?? '')).toEqual([]);
  expect([...files.keys()].at(-1)).toBe('manifest.json');
  const [row] =
    await dealkeep.sql`select count(*)::integer as count from contacts where organization_id = ${id}`;
  expect(row?.['count']).toBe(1);
});

test('it holds no more than some hundred rows in memory, however many there are (rule leaving 6)', async () => {
  const { id, slug } = await dealkeep.createOrganization();
  await insertCompanies(id, 2_300);
  const atOnce: number[] = [];
  const { counts } = await exportOrganization(dealkeep.core, slug, {
    async append(file, text) {
      if (file === 'companies.csv') atOnce.push(text.split('\r\n').length - 1);
    },
  });
  expect(counts['companies']).toBe(2_300);
  expect(atOnce).toEqual([1, 500, 500, 500, 500, 300]);
});

test('a folder that takes no more ends it, and the connection is free for others', async () => {
  const { slug } = await dealkeep.createOrganization();
  const full = new Error('No space left on device');
  const exported = exportOrganization(dealkeep.core, slug, {
    async append(file) {
      if (file === 'leads.csv') throw full;
    },
  });
  await expect(exported).rejects.toBe(full);
  await expect(insertCompanies((await dealkeep.createOrganization()).id, 1)).resolves.toBeDefined();
});
