import { createUser, findSession, type Session } from '@dealkeep/core/accounts';
import { removeOld } from '@dealkeep/core/installation';
import {
  chooseMapping,
  countRows,
  createImport,
  getImport,
  type ImportKind,
  readImportedRows,
  startImport,
  stopImport,
  undoImport,
  workOnImport,
} from '@dealkeep/core/operations';
import {
  Browser,
  inConsole,
  ManualClock,
  ownerPassword,
  startDealkeep,
  type TestOrganization,
} from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock });
const { core, sql } = dealkeep;

async function sessionOf(organization: Pick<TestOrganization, 'ownerEmail'>): Promise<Session> {
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  for (const token of browser.cookies.values()) {
    const session = await findSession(core, token);
    if (session) return session;
  }
  throw new Error('Nobody is signed in');
}

async function begin() {
  const organization = await dealkeep.createOrganization();
  return { organization, api: dealkeep.as(organization.key), session: await sessionOf(organization) };
}

interface Options {
  kind?: ImportKind;
  match_by?: string | null;
  fills_short_rows?: boolean;
}

/** Uploads a table and has it checked with the mapping that is proposed; answers its id. */
async function checked(
  session: Session,
  file: string | Uint8Array,
  { kind = 'company', ...choice }: Options = {},
) {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  const id = await createImport(core, session, { kind, fileName: 'table.csv', bytes });
  const { mapping, decimal_mark } = await getImport(core, session, id);
  const chosen = { mapping, decimal_mark, match_by: null, fills_short_rows: false, ...choice };
  await chooseMapping(core, session, id, chosen);
  await work(session, id);
  expect((await getImport(core, session, id)).status).toBe('checked');
  return id;
}

/** What a worker does until nothing is left. */
async function work(session: Session, id: string): Promise<void> {
  const place = { organization: session.organization.id, id };
  do await workOnImport(core, place);
  while (/ing$/.test((await getImport(core, session, id)).status));
}

async function run(session: Session, id: string) {
  await startImport(core, session, id);
  await work(session, id);
  return countsOf(session, id);
}

const countsOf = (session: Session, id: string) =>
  countRows(core.sql, { organization: session.organization.id, id });

const rowsOf = async (session: Session, id: string) =>
  readImportedRows(core, session, { id }, { limit: 1000 });

/** `line column key` of everything that is wrong. */
async function wrongIn(session: Session, id: string): Promise<string[]> {
  const rows = await rowsOf(session, id);
  return rows.flatMap(({ line, problems }) =>
    (problems ?? []).map(({ path, key }) => `${line} ${path} ${key}`),
  );
}

describe('companies', () => {
  test('are made of the rows, with an event for each, and names stand for ids (rules importing 5, 6 and 8)', async () => {
    const { organization, api, session } = await begin();
    await inConsole(core, organization, 'custom-fields.add', {
      name: 'Obrat',
      type: 'number',
      required: false,
    });
    const owner = { id: organization.ownerId, email: organization.ownerEmail };
    const id = await checked(
      session,
      [
        'Názov;IČO;Krajina;Vlastník;Štítky;Obrat;Telefón',
        `Žltý kôň;36123456;Slovensko;${owner.email};vip, nový;1 250,50;'+421 900 123 456`,
        'Tatra;;CZ;;;;',
      ].join('\r\n'),
    );
    expect(await run(session, id)).toEqual({ created: 2 });
    const { data } = await api.get('/companies?sort=name');
    expect(data).toMatchObject([
      { name: 'Tatra', country_code: 'CZ', owner: null, tags: [] },
      {
        name: 'Žltý kôň',
        registration_id: '36123456',
        country_code: 'SK',
        phone: '+421 900 123 456',
        owner: { id: owner.id },
        tags: ['vip', 'nový'],
        custom_fields: { Obrat: '1250.5' },
      },
    ]);
    expect((await dealkeep.eventsOf(organization)).map(({ type }) => type)).toEqual([
      'company.created',
      'company.created',
    ]);
  });

  test('all errors are known before anything is written, each by its line and column (rule importing 7)', async () => {
    const { api, session } = await begin();
    const id = await checked(
      session,
      [
        'Name;Email;Country;Owner',
        'Good;a@example.com;SK;',
        ';not an address;Atlantis;Nobody',
        'Too;many;SK;;cells',
        'Few',
        'Name;Email;Country;Owner',
      ].join('\n'),
    );
    expect(await wrongIn(session, id)).toEqual([
      '3 country_code import.no_such_choice',
      '3 owner_id import.no_match',
      '3 name field.required',
      '3 email field.invalid_email',
      '4  import.wrong_columns',
      '5  import.wrong_columns',
      '6  import.headings_again',
    ]);
    expect((await api.get('/companies')).data).toEqual([]);
    expect(await run(session, id)).toEqual({ created: 1, faulty: 4 });
  });

  test('rows that lack cells at their end are filled up where somebody says so (rule importing 3)', async () => {
    const { session } = await begin();
    const id = await checked(session, 'Name,Email\nFew\nBoth,a@example.com', { fills_short_rows: true });
    expect(await run(session, id)).toEqual({ created: 2 });
  });

  test('those that match are updated, unchanged ones have no event, the others are made (rule importing 9)', async () => {
    const { organization, api, session } = await begin();
    await api.post('/companies', { name: 'Old', registration_id: '1', note: 'stays' });
    await api.post('/companies', { name: 'Same', registration_id: '2' });
    for (const name of ['Twin A', 'Twin B']) await api.post('/companies', { name, registration_id: '3' });
    const before = (await dealkeep.eventsOf(organization)).length;
    const table = 'Name,Registration ID\nNew name,1\nSame,2\nTwin,3\nNobody,\nFresh,4';
    const id = await checked(session, table, { match_by: 'registration_id' });
    expect(await wrongIn(session, id)).toEqual([
      '4 registration_id import.several_match',
      '5 registration_id field.required',
    ]);
    expect(await run(session, id)).toEqual({ updated: 1, unchanged: 1, created: 1, faulty: 2 });
    const events = (await dealkeep.eventsOf(organization)).slice(before).map(({ type }) => type);
    expect(events).toEqual(['company.updated', 'company.created']);
    const { data } = await api.get('/companies?registration_id=1');
    expect(data).toMatchObject([{ name: 'New name', note: 'stays' }]);
  });
});

describe('contacts, leads and products', () => {
  test('the company of a contact is found by registration ID, e-mail or name, or the row says why not (rules importing 5 and 6)', async () => {
    const { api, session } = await begin();
    await api.post('/companies', { name: 'Acme', registration_id: '77', email: 'Info@acme.example' });
    for (const _ of [1, 2]) await api.post('/companies', { name: 'Twins' });
    const id = await checked(
      session,
      'Meno;Firma;Hlavný kontakt\nEva;77;áno\nPeter;info@ACME.example;nie\nJana;acme;\nX;Twins;\nY;Unknown;maybe',
      { kind: 'contact' },
    );
    expect(await wrongIn(session, id)).toEqual([
      '5 company_id import.several_match',
      '6 company_id import.no_match',
      '6 is_primary import.not_yes_or_no',
    ]);
    expect(await run(session, id)).toEqual({ created: 3, faulty: 2 });
    const { data } = await api.get('/contacts?sort=name');
    expect(data).toMatchObject([
      { name: 'Eva', is_primary: true, company: { name: 'Acme' } },
      { name: 'Jana', company: { name: 'Acme' } },
      { name: 'Peter', is_primary: false },
    ]);
  });

  test('leads find their stage by name, and make the companies and people that are new (rules importing 5 and 6)', async () => {
    const { organization, api, session } = await begin();
    await api.post('/companies', { name: 'Acme' });
    const id = await checked(
      session,
      [
        'Názov;Hodnota;Fáza;Firma;Kontakt;E-mail;Očakávaný dátum uzavretia',
        'One;18 500,50 €;Won;ACME;Eva;eva@acme.example;30. 11. 2026',
        'Two;;;New company;;;2026-12-01',
        'Three;12.500;Nowhere;;;;31.2.2026',
      ].join('\n'),
      { kind: 'lead' },
    );
    expect(await wrongIn(session, id)).toEqual([
      '4 value import.which_number',
      '4 expected_close_date import.not_a_date',
      '4 stage_id import.no_match',
    ]);
    expect(await run(session, id)).toEqual({ created: 2, faulty: 1 });
    const { data } = await api.get('/leads?sort=name');
    expect(data).toMatchObject([
      {
        name: 'One',
        value: 18500.5,
        status: 'won',
        company: { name: 'Acme' },
        contact: { name: 'Eva' },
        expected_close_date: '2026-11-30',
      },
      { name: 'Two', company: { name: 'New company' }, expected_close_date: '2026-12-01' },
    ]);
    const types = (await dealkeep.eventsOf(organization)).map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining(['contact.created', 'company.created', 'lead.created', 'lead.won']),
    );
  });

  test('products: a SKU that is taken, or stands in the file twice, is refused by its line', async () => {
    const { session } = await begin();
    const first = await checked(session, 'SKU;Názov;Cena;Aktívny\nA-1;City bike;450,00;áno', {
      kind: 'product',
    });
    expect(await run(session, first)).toEqual({ created: 1 });
    const second = await checked(session, 'SKU;Name\nA-1;x\nB-1;x\nB-1;y', { kind: 'product' });
    expect(await wrongIn(session, second)).toEqual(['2 sku product.sku', '4 sku import.twice_in_file']);
  });
});

describe('a run', () => {
  const table = (count: number): string =>
    ['Name;Registration ID', ...Array.from({ length: count }, (_, n) => `Company ${n};${n}`)].join('\n');

  test('a row that is refused by then leaves the others of its part as they are', async () => {
    const { api, session } = await begin();
    const id = await checked(session, 'SKU;Name\nA-1;x\nA-2;x\nA-3;x', { kind: 'product' });
    await sql`
      insert into products (organization_id, id, sku, ean, name, vat_rate, active, stock_on_hand, images, attachments, created_at, updated_at)
      values (${session.organization.id}, gen_random_uuid(), 'A-2', '', 'taken', 0, true, 0, '[]', '[]', now(), now())`;
    expect(await run(session, id)).toEqual({ created: 2, refused: 1 });
    expect(await wrongIn(session, id)).toEqual(['3 sku product.sku']);
    expect((await api.get('/products')).data).toHaveLength(3);
  });

  test('two workers at once import no row twice (rule importing 10)', async () => {
    const { api, session } = await begin();
    const id = await checked(session, table(150));
    await startImport(core, session, id);
    await Promise.all([work(session, id), work(session, id)]);
    expect(await countsOf(session, id)).toEqual({ created: 150 });
    expect((await api.get('/companies?registration_id=149')).data).toHaveLength(1);
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from companies where organization_id = ${session.organization.id}`;
    expect(row?.count).toBe(150);
  });

  test('somebody can stop it; what was imported stays (rule importing 10)', async () => {
    const { session } = await begin();
    const id = await checked(session, table(150));
    await startImport(core, session, id);
    await workOnImport(core, { organization: session.organization.id, id }, 0);
    await stopImport(core, session, id);
    await work(session, id);
    expect(await countsOf(session, id)).toEqual({ created: 50, ready: 100 });
  });

  test('a check that its user may no longer do goes back to the columns, with the reason', async () => {
    const { session } = await begin();
    const bytes = new TextEncoder().encode('Name\nx');
    const id = await createImport(core, session, { kind: 'company', fileName: 'table.csv', bytes });
    const choice = { mapping: ['name'], decimal_mark: ',', match_by: null, fills_short_rows: false } as const;
    await chooseMapping(core, session, id, choice);
    await sql`update organizations set subscription = 'lapsed' where id = ${session.organization.id}`;
    await work(session, id);
    expect(await getImport(core, session, id)).toMatchObject({
      status: 'uploaded',
      stopped: { key: 'organization.lapsed' },
    });
    await sql`update organizations set subscription = 'active' where id = ${session.organization.id}`;
    await chooseMapping(core, session, id, choice);
    await work(session, id);
    expect(await getImport(core, session, id)).toMatchObject({ status: 'checked', stopped: null });
  });

  test('an organization has fifty that are not finished, and finished ones do not count (rule importing 1)', async () => {
    const { session } = await begin();
    const one = () =>
      createImport(core, session, {
        kind: 'company',
        fileName: 'table.csv',
        bytes: new TextEncoder().encode('Name\nx'),
      });
    const made = await Promise.all(Array.from({ length: 50 }, one));
    await expect(one()).rejects.toMatchObject({ key: 'import.too_many' });
    await sql`
      update imports set status = 'finished'
      where organization_id = ${session.organization.id} and id = ${made[0] ?? ''}`;
    await one();
  });

  test('ends where its user is deactivated (rule importing 8)', async () => {
    const { session } = await begin();
    const id = await checked(session, table(100));
    await startImport(core, session, id);
    await sql`update memberships set active = false where organization_id = ${session.organization.id}`;
    await workOnImport(core, { organization: session.organization.id, id });
    await sql`update memberships set active = true where organization_id = ${session.organization.id}`;
    expect(await getImport(core, session, id)).toMatchObject({
      status: 'finished',
      stopped: { key: 'import.person_left' },
    });
    expect(await countsOf(session, id)).toEqual({ ready: 100 });
  });
});

describe('within a day', () => {
  test('what it made is removed, but for what somebody changed or uses (rule importing 12)', async () => {
    const { api, session } = await begin();
    const id = await checked(session, 'Name\nGone\nChanged\nUsed\nTouched by its own');
    await run(session, id);
    const made = await rowsOf(session, id);
    const idOf = (name: string): string => made.find(({ cells }) => cells[0] === name)?.record_id ?? '';
    await api.patch(`/companies/${idOf('Changed')}`, { note: 'mine' });
    await api.post('/leads', { company_id: idOf('Used'), name: 'Lead' });
    await undoImport(core, session, id);
    await work(session, id);
    expect(await countsOf(session, id)).toEqual({ removed: 2, kept: 2 });
    expect((await api.get('/companies?sort=name')).data).toMatchObject([
      { name: 'Changed' },
      { name: 'Used' },
    ]);
    expect((await rowsOf(session, id)).map(({ state }) => state)).toEqual([
      'removed',
      'kept',
      'kept',
      'removed',
    ]);
  });

  test('a lead goes with the company and the people that were made for it, which later rows used', async () => {
    const { api, session } = await begin();
    const rows = Array.from({ length: 60 }, (_, n) => `Lead ${n};New company;Person ${n}`);
    const id = await checked(session, ['Name;Company;Contact', ...rows].join('\n'), { kind: 'lead' });
    await run(session, id);
    expect((await api.get('/contacts?limit=100')).data).toHaveLength(60);
    await undoImport(core, session, id);
    await work(session, id);
    expect(await countsOf(session, id)).toEqual({ removed: 60 });
    for (const list of ['leads', 'contacts', 'companies']) {
      expect((await api.get(`/${list}`)).data).toEqual([]);
    }
  });

  test('an owner undoes what somebody has begun who is no longer active (rule importing 12)', async () => {
    const { organization, api, session } = await begin();
    const email = `${crypto.randomUUID()}@example.com`;
    const given = {
      organization: organization.slug,
      name: 'Eva',
      email,
      password: ownerPassword,
      role: 'owner',
    };
    await createUser(core, given);
    const eva = await sessionOf({ ownerEmail: email });
    const id = await checked(eva, 'Name\nGone');
    await run(eva, id);
    await sql`
      update memberships set active = false where organization_id = ${organization.id} and id = ${eva.user.id}`;
    await undoImport(core, session, id);
    await work(session, id);
    expect((await getImport(core, session, id)).status).toBe('undone');
    expect((await api.get('/companies')).data).toEqual([]);
  });

  test('and not later; after a week nothing is left of the import but the records (rules importing 12 and 13)', async () => {
    const { api, session } = await begin();
    const id = await checked(session, 'Name\nStays');
    await run(session, id);
    clock.advance(24 * 3_600_000 + 1000);
    await expect(undoImport(core, session, id)).rejects.toMatchObject({ key: 'import.undo_over' });
    clock.advance(6 * 24 * 3_600_000);
    await removeOld(core, { only: ['imports'] });
    await expect(getImport(core, session, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from import_rows where organization_id = ${session.organization.id}`;
    expect(row?.count).toBe(0);
    expect((await api.get('/companies')).data).toHaveLength(1);
  });
});
