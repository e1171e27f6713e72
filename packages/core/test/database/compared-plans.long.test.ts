import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

test('records are found by the form of their names and addresses along an index', async () => {
  const { sql, createOrganization } = await startDealkeep({ worker: false });
  const { id } = await createOrganization();
  await sql`
    insert into companies (organization_id, id, name, email, created_at, updated_at)
    select ${id}, gen_random_uuid(), 'Žltý ' || n, 'Info' || n || '@x.example', now(), now() from generate_series(1, 2000) n`;
  await sql`
    insert into contacts (organization_id, id, company_id, name, email, created_at, updated_at)
    select ${id}, gen_random_uuid(), id, name, email, now(), now() from companies`;
  await sql`
    insert into users (id, email, email_verified, password_hash, created_at, updated_at)
    select gen_random_uuid(), email, true, '', now(), now() from companies`;
  await sql`analyze companies, contacts, users`;
  // As changes plan them: for any value.
  const plan = (statement: string): Promise<string> =>
    sql.begin(async (tx) => {
      await tx`set local plan_cache_mode = force_generic_plan`;
      await tx.unsafe(`prepare looked (uuid, text, text) as ${statement}`);
      const rows = await tx.unsafe(`explain execute looked ('${id}', 'info7@X.example', 'žltý 7')`);
      await tx`deallocate looked`;
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
  const either =
    'comparison_form(email) = comparison_form($2) or comparison_form(name) = comparison_form($3)';
  const companies = await plan(`select from companies where organization_id = $1 and (${either})`);
  expect(companies).toContain('companies_compared_email');
  expect(companies).toContain('companies_compared_name');
  expect(
    await plan(
      'select from contacts where organization_id = $1 and comparison_form(email) = comparison_form($2)',
    ),
  ).toContain('contacts_compared_email');
  expect(await plan('select from users where comparison_form(email) = comparison_form($2)')).toMatch(
    /users_(?:compared|verified)_email/,
  );
});
