import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '@dealkeep/core/foundations';
import { exportedKinds, leftOutTables } from '@dealkeep/core/installation';
import { expect, test } from 'vitest';
import { beforeAllTests, dealkeep, makeOrganization, ownDatabase, ownFolder, result } from './program.ts';

let variables = { DATABASE_URL: '', SECRETS_KEY: '' };
let folder = '';
let counts: Record<string, number> = {};
const slug = 'leaving';

/** A statement on the program's own database. */
async function onDatabase<Result>(
  work: (sql: ReturnType<typeof connect>) => Promise<Result>,
): Promise<Result> {
  const sql = connect(variables.DATABASE_URL, { connections: 1, name: 'test' });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

beforeAllTests(async () => {
  variables = await ownDatabase();
  await makeOrganization(variables);
  await result(['organizations', 'create', '--name', 'Leaving', '--slug', slug], variables);
  const owner = [
    '--name',
    'Jana',
    '--email',
    'jana@leaving.example',
    '--role',
    'owner',
    '--password',
    'a long password',
  ];
  await result(['users', 'create', '--organization', slug, ...owner], variables);
  await result(['demo', 'seed', '--organization', slug], variables);
  await result(['demo', 'seed', '--organization', 'own'], variables);
  await onDatabase(async (sql) => {
    await sql`
      update companies set name = '=cmd()' where id = (
        select id from companies c where organization_id = (select id from organizations where slug = ${slug})
        order by id limit 1)`;
    await sql`
      insert into webhooks (organization_id, id, name, target_url, events, secret, created_at)
      select id, gen_random_uuid(), 'Shop', 'https://shop.example/hook', '{lead.created}', 'never-exported'::bytea, now()
      from organizations where slug = ${slug}`;
  });
  folder = join(await ownFolder(), 'export');
  const said = await result<{ counts: Record<string, number> }>(
    ['export', '--organization', slug, folder],
    variables,
  );
  counts = said.counts;
});

const text = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');
const rowsOf = async (kind: string): Promise<Record<string, unknown>[]> =>
  JSON.parse(await text(`${kind}.json`));

test('every kind is there as CSV and as JSON, with as many rows as the database has (rules leaving 5 and 6)', async () => {
  for (const [kind, table] of Object.entries(exportedKinds)) {
    const [found] = await onDatabase(
      (sql) => sql`
        select count(*)::integer as count from ${sql(table)}
        where organization_id = (select id from organizations where slug = ${slug})`,
    );
    const rows = await rowsOf(kind);
    expect([kind, rows.length, counts[kind]]).toEqual([kind, found?.['count'], found?.['count']]);
    expect((await text(`${kind}.csv`)).split('\r\n').length - 2, kind).toBeGreaterThanOrEqual(rows.length);
  }
  expect(counts).toMatchObject({ companies: 24, leads: 40, webhooks: 1, users: 1 });
  const manifest = JSON.parse(await text('manifest.json'));
  expect(manifest).toMatchObject({ format: 1, organization: { slug }, counts });
  expect(await text('README.md')).toContain('# Leaving');
});

test('every table with rows of an organization is exported or named as left out', async () => {
  const tables = await onDatabase(
    (sql) => sql<{ name: string }[]>`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'organization_id'`,
  );
  const told = [...Object.values<string>(exportedKinds), ...leftOutTables];
  expect(tables.map(({ name }) => name).sort()).toEqual(told.sort());
});

test('records name each other by ids that are there; tags and custom fields have columns (rule leaving 5)', async () => {
  const [companies, contacts, users] = await Promise.all(['companies', 'contacts', 'users'].map(rowsOf));
  const ids = new Set(companies?.map(({ id }) => id));
  expect(contacts?.length).toBeGreaterThan(0);
  for (const contact of contacts ?? []) expect(ids).toContain(contact['company_id']);
  for (const company of companies ?? []) expect(users?.map(({ id }) => id)).toContain(company['owner_id']);
  const tagged = companies?.find(({ tags }) => Array.isArray(tags) && tags.length > 0);
  expect(['VIP', 'Newsletter', 'Partner', 'Prospect']).toContain(Object(tagged?.['tags'])[0]);
  expect(companies?.map(({ custom_fields: own }) => Object(own).Segment)).toContain('Retail');
  const [heading = ''] = (await text('companies.csv')).split('\r\n');
  expect(heading).toMatch(/,tags,tag_ids,/);
  expect(heading).toMatch(/,custom_fields.Employees,custom_fields.Segment,/);
  expect(await rowsOf('users')).toEqual([expect.objectContaining({ email: 'jana@leaving.example' })]);
});

test('no secret, no password and nothing of another organization is in it, and nobody else can read it (rules leaving 5 and 7)', async () => {
  const files = await readdir(folder);
  const all = (await Promise.all(files.map(text))).join('');
  const [own] = await onDatabase(
    (sql) => sql`
      select (select string_agg(password_hash, '') from users) as hash,
             (select id::text from organizations where slug = 'own') as other`,
  );
  expect(all).toContain('https://shop.example/hook');
  for (const secret of [
    'never-exported',
    Buffer.from('never-exported').toString('hex'),
    'argon2',
    String(own?.['other']),
  ]) {
    expect(all).not.toContain(secret);
  }
  for (const file of files) expect((await stat(join(folder, file))).mode & 0o077, file).toBe(0);
});

test('a formula is harmless in CSV, and as it is in JSON', async () => {
  expect(await text('companies.csv')).toContain(",'=cmd(),");
  expect((await rowsOf('companies')).map(({ name }) => name)).toContain('=cmd()');
});

test('a folder that holds something and an unknown organization are refused (rule leaving 7)', async () => {
  const full = join(await ownFolder(), 'full');
  await mkdir(full);
  await writeFile(join(full, 'mine.txt'), 'mine');
  const refused = await dealkeep(['export', '--organization', slug, full], variables);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });
  expect(await readdir(full)).toEqual(['mine.txt']);
  const unknown = await dealkeep(['export', '--organization', 'nobody', join(full, 'new')], variables);
  expect(unknown).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no organization "nobody"'),
  });
});

test('a person is told what was exported, a line for each kind that there is something of', async () => {
  const { code, stdout } = await dealkeep(
    ['export', '--organization', slug, join(await ownFolder(), 'again')],
    variables,
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^Exported leaving, two files for each kind; \d+ of \d+ kinds are empty\.\n\nkind +rows\n/,
  );
  expect(stdout).toMatch(/\nleads +40\n/);
  expect(stdout).not.toMatch(/ 0\n/);
});
