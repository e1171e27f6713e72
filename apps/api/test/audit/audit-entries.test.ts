import { readdirSync, readFileSync } from 'node:fs';
import { limits } from '@dealkeep/contract';
import {
  createRole,
  createUser,
  findSession,
  revokeApiKey,
  updateOrganization,
} from '@dealkeep/core/accounts';
import { removeOld } from '@dealkeep/core/installation';
import { chooseMapping, createImport, getImport, startImport, workOnImport } from '@dealkeep/core/operations';
import { markOverdueInvoices } from '@dealkeep/core/records';
import {
  Browser,
  eventually,
  inConsole,
  ManualClock,
  startDealkeep,
  type TestOrganization,
} from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock, trustProxy: true });
const { core, sql } = dealkeep;

interface Entry {
  id: string;
  at: string;
  operation: string;
  record_id: string | null;
  record_name: string | null;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string | null;
  via: string | null;
  via_name: string | null;
  address: string | null;
  program: string | null;
  request_id: string | null;
  detail: { fields?: string[]; changes?: Record<string, unknown[]>; counts?: object; reason?: string } | null;
}

/** The log of an organization, newest first, without what made the organization itself. */
async function logOf({ id }: Pick<TestOrganization, 'id'>): Promise<Entry[]> {
  const entries = await sql<Entry[]>`
    select * from audit_entries where organization_id = ${id} order by id desc`;
  return entries.filter(({ actor_kind }) => actor_kind !== 'operator');
}

async function begin() {
  const organization = await dealkeep.createOrganization();
  return { organization, api: dealkeep.as(organization.key), log: () => logOf(organization) };
}

describe('what programs do', () => {
  test('is told with who, by which key, from where, with which program (rules audit 1 and 3)', async () => {
    const { organization, api, log } = await begin();
    const headers = {
      'User-Agent': 'n8n-nodes-dealkeep/1.2.3',
      'X-Forwarded-For': '203.0.113.9, 192.0.2.1',
      'X-Request-Id': 'mine-1',
    };
    const { data } = await api.send<{ id: string }>('POST', '/leads', {
      json: { name: 'Fleet renewal' },
      headers,
    });
    expect(await log()).toEqual([
      expect.objectContaining({
        operation: 'leads.create',
        resource: 'lead',
        record_id: data.id,
        record_name: 'Fleet renewal',
        at: clock.now().toISOString(),
        actor_kind: 'key',
        actor_id: organization.ownerId,
        actor_name: 'Jana Horváthová',
        via: 'key',
        via_id: organization.keyId,
        via_name: 'Test key',
        address: '192.0.2.1',
        program: 'n8n-nodes-dealkeep/1.2.3',
        request_id: 'mine-1',
        detail: null,
      }),
    ]);
  });

  test('is told with the address that a proxy names only where it is trusted (rule operator 10)', async () => {
    const { api, log } = await begin();
    const addressOf = async (trustProxy: boolean): Promise<string | null | undefined> => {
      Object.assign(core, { trustProxy });
      await api.post('/leads', {}, { 'X-Forwarded-For': '192.0.2.1' });
      return (await log())[0]?.address;
    };
    try {
      expect([await addressOf(false), await addressOf(true)]).toEqual(['127.0.0.1', '192.0.2.1']);
    } finally {
      Object.assign(core, { trustProxy: true });
    }
  });

  test('is told of a change by its fields, and not by their values (rule audit 4)', async () => {
    const { api, log } = await begin();
    const { data } = await api.post('/companies', { name: 'Acme' });
    await api.patch(`/companies/${data.id}`, { note: 'secret plan', phone: '+421 900 000 000' });
    const [entry] = await log();
    expect(entry).toMatchObject({ operation: 'companies.update', record_name: 'Acme' });
    expect(entry?.detail).toEqual({ fields: expect.arrayContaining(['note', 'phone']) });
    expect(JSON.stringify(entry)).not.toContain('secret plan');
  });

  test('is not told where nothing changed, nothing was done, or it was only read (rule audit 2)', async () => {
    const { api, log } = await begin();
    const { data } = await api.post('/companies', { name: 'Acme' });
    expect((await api.patch(`/companies/${data.id}`, { name: 'Acme' })).status).toBe(200);
    expect((await api.patch(`/companies/${data.id}`, { name: '' })).status).toBe(422);
    expect((await api.post('/leads', { name: 'x', company_id: crypto.randomUUID() })).status).toBe(422);
    await api.get('/companies');
    expect((await log()).map(({ operation }) => operation)).toEqual(['companies.create']);
  });

  test('is told once, however often a request comes with its key (rule audit 1)', async () => {
    const { api, log } = await begin();
    for (let i = 0; i < 3; i += 1) {
      const headers = { 'Idempotency-Key': 'the-same' };
      expect((await api.send('POST', '/companies', { json: { name: 'Once' }, headers })).status).toBe(201);
    }
    expect(await log()).toHaveLength(1);
  });

  test('is told of each item of a batch, in their order, and not of those that were refused (rule audit 1)', async () => {
    const { api, log } = await begin();
    const items = [
      { name: 'First' },
      { name: '' },
      { name: 'Third' },
      { owner_id: crypto.randomUUID(), name: 'x' },
    ];
    const { status } = await api.send('POST', '/companies/batch', { json: { operation: 'create', items } });
    expect(status).toBe(200);
    expect((await log()).map(({ operation, record_name }) => [operation, record_name])).toEqual([
      ['companies.create', 'Third'],
      ['companies.create', 'First'],
    ]);
  });

  test('names the entry at each of the events that it caused, also of other records (rule audit 6)', async () => {
    const { organization, api, log } = await begin();
    await api.post('/leads', { name: 'Bikes', company: { name: 'New company' } });
    const [entry, ...others] = await log();
    expect(others).toEqual([]);
    const events = await sql<{ type: string; audit_entry_id: string }[]>`
      select type, audit_entry_id from events where organization_id = ${organization.id} order by id`;
    expect(events.map(({ type }) => type)).toEqual(['company.created', 'lead.created']);
    expect(new Set(events.map((event) => event.audit_entry_id))).toEqual(new Set([entry?.id]));
  });

  test('keeps of a hostile program and address what can be shown, and cuts what is long (rule audit 3)', async () => {
    const { api, log } = await begin();
    const headers = {
      'User-Agent': `<script>alert(1)</script>${'\u00ff'.repeat(10)}${'x'.repeat(5000)}`,
      'X-Forwarded-For': "'; drop table audit_entries; --",
    };
    const json = { name: `=HYPERLINK("http://evil")${'n'.repeat(230)}` };
    expect((await api.send('POST', '/companies', { json, headers })).status).toBe(201);
    const [entry] = await log();
    expect(entry?.program).toMatch(/^<script>alert\(1\)<\/script>\?+x+$/);
    expect(entry?.program?.length).toBeLessThanOrEqual(200);
    expect(entry?.record_name).toHaveLength(200);
    expect(entry?.address).toBeNull();
  });

  test('is told in no other organization', async () => {
    const [one, other] = [await begin(), await begin()];
    await one.api.post('/companies', { name: 'Acme' });
    expect(await other.log()).toEqual([]);
    const page = await inConsole(core, other.organization, 'audit-entries.list', {});
    expect(page.data.filter(({ actor_kind }) => actor_kind !== 'operator')).toEqual([]);
  });
});

test('what the clock does is told of each record (rule audit 6)', async () => {
  const { api, log } = await begin();
  const { data: company } = await api.post('/companies', { name: 'Acme' });
  const { data: client } = await api.post('/clients', { company_id: company.id });
  const { data: invoice } = await api.post('/invoices', {
    client_id: client.id,
    issued_date: '2026-01-01',
    due_date: '2026-01-02',
    items: [{ name: 'Work', quantity: 1, unit_price: 10 }],
  });
  await markOverdueInvoices(core);
  const [entry] = await log();
  expect(entry).toMatchObject({
    operation: 'invoices.mark-overdue',
    actor_kind: 'system',
    record_id: invoice.id,
  });
  expect(entry).toMatchObject({ record_name: invoice.number, actor_id: null, via: null, address: null });
});

describe('what owners set up', () => {
  const told = async (organization: TestOrganization, operation: string) =>
    (await logOf(organization)).find((entry) => entry.operation === operation);

  test('is told from what to what (rule audit 4)', async () => {
    const { organization } = await begin();
    await inConsole(core, organization, 'organizations.update', { name: 'New name', currency: 'EUR' });
    expect(await told(organization, 'organizations.update')).toMatchObject({
      actor_kind: 'user',
      via: 'console',
      record_name: 'Test organization',
      detail: { changes: { name: ['Test organization', 'New name'] } },
    });
    const { id } = await inConsole(core, organization, 'roles.add', {
      name: 'Sales',
      permissions: { 'leads.view': 'all' },
    });
    const permissions = { 'leads.view': 'assigned', 'leads.edit': 'assigned' };
    await inConsole(core, organization, 'roles.edit', { id, permissions });
    expect(await told(organization, 'roles.edit')).toMatchObject({
      record_id: id,
      record_name: 'Sales',
      detail: {
        changes: {
          'permissions.leads.view': ['all', 'assigned'],
          'permissions.leads.edit': [null, 'assigned'],
        },
      },
    });
  });

  test('is not told where a form was saved as it was', async () => {
    const { organization } = await begin();
    await inConsole(core, organization, 'organizations.update', { name: 'Test organization' });
    expect(await told(organization, 'organizations.update')).toBeUndefined();
  });

  test('never tells a secret: of a key its scopes, of a webhook its host (rule audit 4)', async () => {
    const { organization } = await begin();
    const { token } = await inConsole(core, organization, 'api-keys.create', {
      name: 'Zapier',
      access: 'leads',
    });
    const { secret } = await inConsole(core, organization, 'manual-webhooks.create', {
      name: 'Mine',
      target_url: 'http://127.0.0.1:9/hooks/s3cr3t?token=s3cr3t',
      events: ['lead.created'],
      headers: [{ name: 'Authorization', value: 's3cr3t' }],
    });
    const entries = JSON.stringify(await logOf(organization));
    for (const hidden of [token, secret, 's3cr3t']) expect(entries).not.toContain(hidden);
    expect(await told(organization, 'manual-webhooks.create')).toMatchObject({
      record_name: 'Mine',
      detail: { changes: { target_url: [null, '127.0.0.1:9'], headers: ['…', '…'] } },
    });
  });

  test('names what is gone: a list entry, a key', async () => {
    const { organization } = await begin();
    const { id } = await inConsole(core, organization, 'tags.add', { name: 'VIP', color: '#ff0000' });
    await inConsole(core, organization, 'tags.remove', { id });
    expect(await told(organization, 'tags.remove')).toMatchObject({ record_id: id, record_name: 'VIP' });
    await inConsole(core, organization, 'api-keys.revoke', { id: organization.keyId });
    expect(await told(organization, 'api-keys.revoke')).toMatchObject({ record_name: 'Test key' });
  });

  test('keeps of the address of somebody invited only so much that owners know who it was', async () => {
    const { organization } = await begin();
    await inConsole(core, organization, 'invitations.send', { email: 'peter@tatra.example', role: 'owner' });
    const entry = await told(organization, 'invitations.send');
    expect(entry).toMatchObject({
      record_name: 'p…@tatra.example',
      detail: { changes: { role: [null, 'owner'] } },
    });
  });
});

test('the commands of an operator are told as those of an operator (rule audit 2)', async () => {
  const { organization } = await begin();
  await createRole(core, { organization: organization.slug, name: 'Sales', permissions: 'leads.view=all' });
  const email = `eva@${organization.slug}.example`;
  await createUser(core, { organization: organization.slug, name: 'Eva', email, role: 'Sales' });
  await revokeApiKey(core, organization.keyId);
  await updateOrganization(sql, organization.slug, { maxKeys: 9 });
  const entries = await sql<Entry[]>`
    select * from audit_entries where organization_id = ${organization.id} order by operation`;
  expect(
    entries.map(({ operation, record_name, actor_kind }) => [operation, record_name, actor_kind]),
  ).toEqual([
    ['api-keys.create', 'Test key', 'operator'],
    ['api-keys.revoke', 'Test key', 'operator'],
    ['members.add', 'Eva', 'operator'],
    ['organizations.create', 'Test organization', 'operator'],
    ['organizations.update', 'Test organization', 'operator'],
    ['roles.add', 'Sales', 'operator'],
  ]);
});

describe('signing in', () => {
  test('is told with its end, and from where (rule audit 2)', async () => {
    const { organization, log } = await begin();
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    await browser.submit(await browser.get('/'), '/sign-out', {});
    expect(await log()).toEqual([
      expect.objectContaining({ operation: 'account.sign-out', actor_id: organization.ownerId }),
      expect.objectContaining({
        operation: 'account.sign-in',
        actor_kind: 'user',
        actor_id: organization.ownerId,
        actor_name: 'Jana Horváthová',
        address: '127.0.0.1',
      }),
    ]);
  });

  test('that fails is told of an account that there is, and ten times an hour at most (rule audit 5)', async () => {
    const { organization, log } = await begin();
    const browser = new Browser(dealkeep);
    const page = await browser.get('/sign-in');
    const attempt = (email: string) =>
      browser.submit(page, '/sign-in', { email, password: 'guessed wrongly' });
    await attempt('nobody@nowhere.example');
    for (let i = 0; i < 14; i += 1) {
      expect((await attempt(organization.ownerEmail)).status).toBe(401);
      // The wait that each failure brings.
      clock.advance(2 ** i * 150);
    }
    const failures = async () =>
      (await log()).filter(({ operation }) => operation.endsWith('sign-in-failed'));
    await eventually(async () => expect((await failures()).length).toBeGreaterThanOrEqual(10));
    expect(await failures()).toHaveLength(10);
    expect(JSON.stringify(await failures())).not.toContain('guessed');
  });
});

test('an import is one entry with what became of its rows, and its events name it (rule audit 6)', async () => {
  const { organization, log } = await begin();
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  const sessions = await Promise.all([...browser.cookies.values()].map((each) => findSession(core, each)));
  const session = sessions.find((each) => each !== undefined);
  if (!session) throw new Error('Nobody is signed in');
  const bytes = new TextEncoder().encode('Name\nAcme\nTatra\n');
  const id = await createImport(core, session, { kind: 'company', fileName: 'Eva.csv', bytes });
  const { mapping, decimal_mark } = await getImport(core, session, id);
  await chooseMapping(core, session, id, { mapping, decimal_mark, match_by: null, fills_short_rows: false });
  const place = { organization: organization.id, id };
  await workOnImport(core, place);
  await startImport(core, session, id);
  await workOnImport(core, place);
  const [entry, ...others] = await log();
  expect(entry).toMatchObject({ operation: 'imports.run', detail: { counts: { created: 2 } } });
  expect(others.map(({ operation }) => operation)).toEqual(['account.sign-in']);
  expect(JSON.stringify(entry)).not.toContain('Eva.csv');
  const events = await sql`
    select audit_entry_id from events where organization_id = ${organization.id} and type = 'company.created'`;
  expect(events.map((event) => event['audit_entry_id'])).toEqual([entry?.id, entry?.id]);
});

test('the name of somebody who is erased goes, and who did what stays', async () => {
  const { api, log } = await begin();
  const { data: company } = await api.post('/companies', { name: 'Acme' });
  const { data } = await api.post('/contacts', { company_id: company.id, name: 'Peter Novák' });
  await api.patch(`/contacts/${data.id}`, { note: 'x' });
  expect((await api.send('POST', `/contacts/${data.id}/erase`)).status).toBeLessThan(300);
  const entries = (await log()).filter(({ record_id }) => record_id === data.id);
  expect(entries.map(({ operation }) => operation)).toEqual([
    'contacts.erase',
    'contacts.update',
    'contacts.create',
  ]);
  expect(entries.map(({ record_name }) => record_name)).toEqual([null, '[erased]', '[erased]']);
  expect(JSON.stringify(await log())).not.toContain('Novák');
});

test('an entry is kept for a year, and goes then (rule audit 8)', async () => {
  const { api, log } = await begin();
  await api.post('/companies', { name: 'Acme' });
  const day = 24 * 3_600_000;
  clock.advance(limits.auditDays * day - 1000);
  await removeOld(core, { only: ['auditEntries'] });
  expect(await log()).toHaveLength(1);
  clock.advance(2000);
  await removeOld(core, { only: ['auditEntries'] });
  expect(await log()).toEqual([]);
});

test('no verb that changes something is run past the log', () => {
  const core = new URL('../../../../packages/core/src/', import.meta.url);
  const running = readdirSync(core, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .filter((path) => /\brunVerb\(/.test(readFileSync(new URL(path, core), 'utf8')));
  // Of these, `execute` runs those that read, `locked-record` and `missing-record` those that read one, and
  // `run-import` those of its rows, of which its one entry tells.
  expect(running.sort()).toEqual([
    'operations/execute.ts',
    'operations/imports/run-import.ts',
    'operations/locked-record.ts',
    'operations/missing-record.ts',
    'operations/run-audited.ts',
    'operations/verbs.ts',
  ]);
});
