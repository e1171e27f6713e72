import { createRole } from '@dealkeep/core/accounts';
import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

const { core, createOrganization, sql } = await sharedDealkeep();

const taken = { fields: [{ path: 'name', key: 'field.name_taken' }] };
const permissions = { 'leads.view': 'all' };

test('roles are the same by the form of their names, in the console and for operators (rule bodies 28)', async () => {
  const organization = await createOrganization();
  const add = (name: string) => inConsole(core, organization, 'roles.add', { name, permissions });
  await add('Žltý tím');
  const id = (await sql`select id from roles where organization_id = ${organization.id}`)[0]?.['id'];
  for (const name of ['žltý tím', 'Žltý\u00a0TÍM', 'Žltý tím'.normalize('NFD')]) {
    await expect(add(name)).rejects.toMatchObject(taken);
    const made = createRole(core, { organization: organization.slug, name, permissions: 'leads.view=all' });
    await expect(made).rejects.toMatchObject(taken);
  }
  await add('Zlty tim');
  await inConsole(core, organization, 'roles.edit', { id, name: 'ŽLTÝ TÍM', permissions });
  await expect(
    inConsole(core, organization, 'roles.edit', { id, name: 'zlty TIM', permissions }),
  ).rejects.toMatchObject(taken);
});

test('of two roles of one name at once, one is added', async () => {
  const organization = await createOrganization();
  const answers = await Promise.allSettled(
    ['Sales', 'sales', 'SALES', ' sales'].map((name) =>
      inConsole(core, organization, 'roles.add', { name, permissions }),
    ),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a role that an older version has added beside another keeps its name', async () => {
  const organization = await createOrganization();
  await inConsole(core, organization, 'roles.add', { name: 'Sales', permissions });
  await sql`
    insert into roles (organization_id, id, name, permissions, created_at)
    select organization_id, gen_random_uuid(), 'sales', permissions, created_at from roles
    where organization_id = ${organization.id}`;
  const [older] = await sql<{ id: string }[]>`
    select id from roles where organization_id = ${organization.id} and name = 'sales'`;
  const change = { id: String(older?.id), name: 'sales', permissions: { 'leads.view': 'assigned' } };
  await expect(inConsole(core, organization, 'roles.edit', change)).resolves.toBeUndefined();
});
