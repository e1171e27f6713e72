import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { migrate, OperatorError } from '@dealkeep/core/foundations';
import { Browser, startDealkeep, type TestDatabase, testDatabase } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { derivedId } from '../../src/foundations/database/new-id.ts';
import { hashPassword } from '../../src/identity/passwords/password.ts';

const folder = new URL('../../migrations/', import.meta.url);

/** A database that has run these migrations and no others. */
async function databaseWith(names: readonly string[]): Promise<TestDatabase> {
  const database = await testDatabase({ migrated: false });
  const { sql } = database;
  await sql`create table migrations (name text primary key, applied_at timestamptz(3) not null default now())`;
  for (const name of names) {
    await sql.unsafe(await readFile(new URL(name, folder), 'utf8'));
    await sql`insert into migrations (name) values (${name})`;
  }
  return database;
}

const firstRelease = ['0001-control.sql', '0002-tenant.sql', '0003-delivery-leases.sql'];
const token = `dk_live_${'7'.repeat(43)}`;

/** A business as the first release wrote it: one row in every table that it filled. */
async function fill({ sql }: TestDatabase) {
  const now = '2026-05-05T10:00:00.120Z';
  const stamps = { created_at: now, updated_at: now };
  const organization_id = randomUUID();
  const [user, key, pipeline, stage, company, contact, client, lead, webhook] = Array.from(
    { length: 9 },
    () => randomUUID(),
  );
  const own = { organization_id };
  const event = 'evt_01985f6e2c417d3a9b524f0c8a7e1d63';
  const rows = {
    organizations: {
      id: organization_id,
      name: 'Tatra Studio',
      slug: 'tatra',
      country_code: 'SK',
      currency: 'EUR',
      time_zone: 'Europe/Bratislava',
      max_webhooks: 50,
      max_keys: 20,
      created_at: now,
    },
    users: { ...own, id: user, name: 'Jana', email: 'jana@tatra.example', password_hash: 'x', ...stamps },
    api_keys: {
      ...own,
      id: key,
      user_id: user,
      name: 'n8n',
      created_at: now,
      token_hash: createHash('sha256').update(token).digest(),
      scopes: ['leads', 'companies', 'clients', 'activities', 'invoices', 'orders'].flatMap((of) => [
        `${of}:read`,
        `${of}:write`,
      ]),
    },
    pipelines: { ...own, id: pipeline, name: 'Sales', is_default: true, ...stamps },
    stages: {
      ...own,
      id: stage,
      pipeline_id: pipeline,
      name: 'New',
      kind: 'open',
      probability: 10,
      position: 0,
    },
    companies: { ...own, id: company, name: 'Acme', country_code: 'SK', ...stamps },
    contacts: { ...own, id: contact, company_id: company, name: 'Eva', ...stamps },
    clients: { ...own, id: client, company_id: company, ...stamps },
    leads: {
      ...own,
      id: lead,
      name: 'Fleet',
      company_id: company,
      pipeline_id: pipeline,
      stage_id: stage,
      status: 'open',
      stage_entered_at: now,
      ...stamps,
    },
    webhooks: {
      ...own,
      id: webhook,
      api_key_id: key,
      target_url: 'https://hooks.example.com/',
      created_at: now,
      events: ['lead.created'],
      secret: Buffer.from('x'),
    },
    events: { ...own, id: event, type: 'lead.created', record_id: lead, occurred_at: now, envelope: '{}' },
    deliveries: {
      ...own,
      id: randomUUID(),
      webhook_id: webhook,
      event_id: event,
      due_at: now,
      created_at: now,
    },
  };
  for (const [table, row] of Object.entries(rows)) await sql`insert into ${sql(table)} ${sql({ ...row })}`;
  return { tables: Object.keys(rows), organization: organization_id, client, lead };
}

/** Without the end of leases, which belong to workers now, not to rows. */
const contentOf = ({ sql }: TestDatabase, tables: readonly string[]) =>
  Promise.all(tables.map((table) => sql`select to_jsonb(t) - 'leased_until' as row from ${sql(table)} t`));

test('a database of the first release keeps its data and can do everything new', async () => {
  const database = await databaseWith(firstRelease);
  const { tables, organization, client, lead } = await fill(database);
  const before = await contentOf(database, tables);
  expect((await migrate(database.url)).pending).toEqual([]);
  // Whoever was one user is a person and a membership.
  await database.sql`
    create view users_of_then as
    select m.organization_id, m.id, m.name, u.email, u.password_hash, m.role_id, m.active, m.created_at, m.updated_at
    from memberships m join users u on u.id = m.person_id`;
  const now = tables.map((table) => (table === 'users' ? 'users_of_then' : table));
  expect(await contentOf(database, now)).toMatchObject(before);

  const dealkeep = await startDealkeep({ worker: false, between: async () => database.url });
  const api = dealkeep.as(token);
  expect((await api.get(`/leads/${lead}`)).data).toMatchObject({ id: lead, name: 'Fleet' });
  const types = (await api.get('/activity-types')).page.data;
  expect(types.map(({ name }) => name).toSorted()).toEqual([
    'E-mail',
    'Meeting',
    'Phone call',
    'Site visit',
    'Video call',
  ]);
  // As an organization that is made now has them.
  for (const { id, name } of types) expect(id).toBe(derivedId(organization, 'activity_types', name));
  const call = { name: 'Call', start_at: '2026-10-05T08:00:00Z', type_id: types[0]?.id, lead_id: lead };
  expect((await api.post('/activities', call)).outcome).toBe('201');
  const items = [{ name: 'City bike', unit_price: 450 }];
  expect((await api.post('/invoices', { items, client_id: client })).outcome).toBe('201');
  const order = { customer: { client_uuid: client }, items: [{ sku: 'X', quantity: 1, unit_price: 10 }] };
  expect((await api.post('/orders', order)).outcome).toBe('201');
});

test('each user becomes a person and a membership of the same id, and goes on', async () => {
  const earlier = (await readdir(folder)).filter((name) => name < '0020').sort();
  const database = await databaseWith(earlier);
  const { sql } = database;
  const { organization } = await fill(database);
  const now = new Date().toISOString();
  const password = await hashPassword('correct horse battery');
  const [user] = await sql<{ id: string }[]>`
    update users set password_hash = ${password}, language = 'sk' returning id`;
  const id = user?.id ?? '';
  const other = {
    id: randomUUID(),
    name: 'Other',
    slug: 'other',
    country_code: 'SK',
    currency: 'EUR',
  };
  await sql`
    insert into organizations ${sql({ ...other, time_zone: 'Europe/Bratislava', max_webhooks: 50, max_keys: 20, created_at: now })}`;
  const peter = { id: randomUUID(), name: 'Peter', email: 'peter@other.example', password_hash: 'none' };
  await sql`
    insert into users ${sql({ organization_id: other.id, ...peter, active: false, created_at: now, updated_at: now })}`;
  const session = 'dk_ses_of_then';
  await sql`
    insert into console_sessions ${sql({
      organization_id: organization,
      user_id: id,
      csrf_token: 'x',
      created_at: now,
      rotated_at: now,
      token_hash: createHash('sha256').update(session).digest(),
      last_seen_at: now,
    })}`;

  expect((await migrate(database.url)).pending).toEqual([]);
  expect(
    await sql`
    select m.organization_id, m.id, m.person_id, m.name, m.active, m.language, u.email, u.email_verified
    from memberships m join users u on u.id = m.person_id order by m.name`,
  ).toEqual([
    {
      organization_id: organization,
      id,
      person_id: id,
      name: 'Jana',
      active: true,
      language: 'sk',
      email: 'jana@tatra.example',
      email_verified: false,
    },
    {
      organization_id: other.id,
      id: peter.id,
      person_id: peter.id,
      name: 'Peter',
      active: false,
      language: null,
      email: peter.email,
      email_verified: false,
    },
  ]);
  const dealkeep = await startDealkeep({ worker: false, between: async () => database.url });
  const signedIn = await new Browser(dealkeep).get('/', { Cookie: `dealkeep_session=${session}` });
  expect(signedIn.status).toBe(200);
  const again = { email: 'jana@tatra.example', password: 'correct horse battery' };
  expect((await new Browser(dealkeep).post('/sign-in', again)).status).toBe(303);
  // Keys, and owners of records.
  const api = dealkeep.as(token);
  expect((await sql`update leads set owner_id = ${id} where organization_id = ${organization}`).count).toBe(
    1,
  );
  expect((await api.get('/leads')).page.data).toMatchObject([{ name: 'Fleet', owner: { id, name: 'Jana' } }]);
  const outsider = sql`update leads set owner_id = ${peter.id} where organization_id = ${organization}`;
  await expect(outsider).rejects.toThrow('foreign key');
});

test('every migration has a number of its own, so that their order is plain', async () => {
  const numbers = (await readdir(folder)).map((name) => /^\d{4}(?=-)/.exec(name)?.[0]);
  expect(numbers).not.toContain(undefined);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('migrating twice, or two at once, changes a database once (rule operator 23)', async () => {
  const { url, sql } = await testDatabase({ migrated: false });
  const [one, other] = await Promise.all([migrate(url), migrate(url)]);
  expect(one).toEqual(other);
  expect(one.pending).toEqual([]);
  expect((await sql`select name from migrations order by name`).map(({ name }) => name)).toEqual(one.applied);
  expect(await migrate(url)).toEqual(one);
});

test.each([
  ['skipped a migration', ['0001-control.sql', '0002-tenant.sql', '0005-rate-limits.sql'], undefined],
  ['has a migration of another version', firstRelease, '0004-of-another-version.sql'],
])('a database that %s is refused and left as it is', async (_, names, unknown) => {
  const database = await databaseWith(names);
  const { sql } = database;
  if (unknown) await sql`insert into migrations (name) values (${unknown})`;
  const tables = () => sql`select table_schema, table_name from information_schema.tables order by 1, 2`;
  const before = await tables();
  const refused = migrate(database.url);
  await expect(refused).rejects.toBeInstanceOf(OperatorError);
  await expect(refused).rejects.toThrow(
    unknown ?? 'it has 0005-rate-limits.sql, but not the earlier 0003-delivery-leases.sql',
  );
  expect(await tables()).toEqual(before);
});
