import {
  type OperationDeclaration,
  type OperationId,
  operationIds,
  operations,
  takesIfMatch,
} from '@dealkeep/contract';
import { erasedKinds } from '@dealkeep/core/records';
import { startDealkeep, WatchedLine } from '@dealkeep/testing';
import { defaultPipeline, plainRecord } from '@dealkeep/testing/business';
import { afterAll, expect, test } from 'vitest';
import { type KnownBusiness, openKnownBusiness, pathOn } from './known-records.ts';

// A statement that is sent and answered costs more than what it does, so each operation has a budget of them,
// `begin` and `commit` included, with credentials, rate limits and the small tables in memory. A hook listens to
// every event.

let line: WatchedLine | undefined;
const dealkeep = await startDealkeep({
  worker: false,
  between: async (url) => {
    line = await WatchedLine.open(url, afterAll);
    return line.url;
  },
});

/**
 * What goes beside a request, now and then: who asks is told of what was revoked, limits are leased, uses are noted.
 */
const isBeside = (statement: string): boolean =>
  /from revocations|rate_windows|graphile_worker.add_jobs|last_used|from api_keys|^select 1$/.test(statement);

async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  if (!line) throw new Error('Nothing stands between Dealkeep and its database');
  const own = (await line.statementsOf(work)).filter((statement) => !isBeside(statement));
  return own.filter((_, at) => !isEmptied(own, at));
}

/** Limits are leased in a transaction of their own, of which nothing else is left. */
const isEmptied = (statements: readonly string[], at: number): boolean => {
  const isPair = (first: number): boolean =>
    /^begin\b/.test(statements[first] ?? '') && statements[first + 1] === 'commit';
  return isPair(at) || isPair(at - 1);
};

type WriteId = {
  // Batches have a budget of their own.
  [Id in OperationId]: Id extends `${string}.batch`
    ? never
    : (typeof operations)[Id]['method'] extends 'GET'
      ? never
      : Id;
}[OperationId];

interface Asked {
  readonly at?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request as connectors send it, another one each time. */
type Write = (business: KnownBusiness) => Promise<Asked>;

let made = 0;
/** Another text each time. */
const another = (): string => {
  made += 1;
  return `Made ${made}`;
};
const createOf =
  (id: OperationId, more: (known: KnownBusiness['known']) => object = () => ({})): Write =>
  async ({ known, leastBody }) => ({ body: { ...leastBody(operations[id]), ...more(known) } });
const changeOf =
  (resource: string, body: () => object | undefined): Write =>
  async ({ freshRecord }) => {
    const [at, json] = [await freshRecord(resource), body()];
    return json === undefined ? { at } : { at, body: json };
  };

const address = 'http://127.0.0.1:4567/';

const told: Readonly<Partial<Record<WriteId, Write>>> = {
  'companies.create': createOf('companies.create', () => ({ name: another() })),
  'companies.update': changeOf('company', () => ({ note: another() })),
  'companies.upsert': async ({ freshRecord, api }) => {
    const name = another();
    const { status } = await api.patch(`/companies/${await freshRecord('company')}`, { name });
    expect(status).toBe(200);
    return { body: { match_by: 'name', name, note: another() } };
  },
  'contacts.upsert': async ({ freshRecord, api }) => {
    const email = `${another().replace(' ', '')}@b.example`;
    const { status } = await api.patch(`/contacts/${await freshRecord('contact')}`, { email });
    expect(status).toBe(200);
    return { body: { match_by: 'email', email, note: another() } };
  },
  'clients.upsert': async ({ freshRecord, api }) => {
    const { company } = (await api.get(`/clients/${await freshRecord('client')}`)).data;
    return { body: { match_by: 'company_id', company_id: company?.id, note: another() } };
  },
  'contacts.create': createOf('contacts.create', () => ({ name: another() })),
  'contacts.update': changeOf('contact', () => ({ note: another() })),
  'clients.create': async ({ freshRecord }) => ({ body: { company_id: await freshRecord('company') } }),
  'clients.update': changeOf('client', () => ({ note: another() })),
  'leads.create': createOf('leads.create', ({ contact }) => ({
    name: another(),
    value: 5,
    contact_id: contact[0],
  })),
  'leads.update': changeOf('lead', () => ({ note: another() })),
  'leads.move': async ({ api, freshRecord }) => {
    const { stages } = await defaultPipeline(api);
    return { at: await freshRecord('lead'), body: { stage_id: stages['Won'] } };
  },
  'leads.archive': changeOf('lead', () => ({})),
  'activities.create': createOf('activities.create', ({ lead }) => ({ name: another(), lead_id: lead[0] })),
  'activities.update': changeOf('activity', () => ({ name: another() })),
  'activities.complete': changeOf('activity', () => ({})),
  'bookings.create': createOf('bookings.create', () => ({
    customer: { name: 'Eva', email: 'eva@b.example' },
  })),
  'bookings.cancel': changeOf('booking', () => ({})),
  'orders.create': createOf('orders.create', ({ client, product }) => ({
    customer: { name: 'Eva', client_uuid: client[0] },
    items: [
      { quantity: 1, product_uuid: product[0], unit_price: 9.5 },
      { quantity: 2.5, product_uuid: product[1], unit_price: 9.5 },
      { quantity: 1, sku: another(), unit_price: 9.5 },
    ],
  })),
  'tasks.create': createOf('tasks.create', ({ company, lead }) => ({
    title: another(),
    company_id: company[0],
    lead_id: lead[0],
  })),
  'tasks.update': changeOf('task', () => ({ title: another() })),
  'invoices.create': createOf('invoices.create', ({ client }) => ({ client_id: client[0] })),
  'companies.erase': changeOf('company', () => undefined),
  'contacts.erase': changeOf('contact', () => undefined),
  'clients.erase': changeOf('client', () => undefined),
  'leads.erase': changeOf('lead', () => undefined),
  'webhooks.create': createOf('webhooks.create', () => ({
    target_url: `${address}${encodeURIComponent(another())}`,
  })),
  'webhooks.update': changeOf('webhook', () => ({ name: another(), target_url: `${address}${made}` })),
  'webhooks.delete': changeOf('webhook', () => ({})),
  'webhooks.test': changeOf('webhook', () => ({})),
  'webhooks.recover': changeOf('webhook', () => ({ since: new Date().toISOString() })),
  'webhook-deliveries.resend': changeOf('delivery', () => ({})),
};

/** A write of which nothing is said above, as the contract has it. */
function plainWrite(id: WriteId): Write {
  const { kind, resource }: OperationDeclaration = operations[id];
  if (kind === 'create') return createOf(id);
  const { body } = plainRecord(resource);
  const [text = ''] = Object.entries(body).find(([, value]) => typeof value === 'string') ?? [];
  return changeOf(resource, () => (kind === 'update' ? { [text]: another() } : {}));
}

const isWrite = (id: OperationId): id is WriteId => operations[id].method !== 'GET' && !id.endsWith('.batch');

/** Every write that is there. */
const writes: Readonly<Record<string, Write>> = Object.fromEntries(
  operationIds.filter(isWrite).map((id) => [id, told[id] ?? plainWrite(id)]),
);

const business = await openKnownBusiness(dealkeep);
const send = async (declaration: OperationDeclaration, { at = '', body, headers }: Asked, key?: string) => {
  const { status } = await business.api.send(declaration.method, pathOn(declaration, at), {
    ...(body === undefined || declaration.method === 'DELETE' ? {} : { json: body }),
    headers: { ...headers, ...(key === undefined ? {} : { 'Idempotency-Key': key }) },
  });
  expect([declaration.id, status]).toEqual([declaration.id, expect.toSatisfy((each) => each < 300)]);
};

/** The statements of the second of two such requests: the first one brings the small tables into memory. */
async function measured(declaration: OperationDeclaration, request: () => Promise<Asked>, withKey: boolean) {
  const keyOf = (): string | undefined => (withKey ? another() : undefined);
  await send(declaration, await request(), keyOf());
  const asked = await request();
  return statementsOf(() => send(declaration, asked, keyOf()));
}

/** "Create or update" also waits for its like and looks for the record. */
const isUpsert = (id: string): boolean => id.endsWith('.upsert');

test.each(Object.entries<Write>(writes).filter(([id]) => isUpsert(id)))(
  '%s that updates takes seven statements at most, eight with a key',
  async (id, request) => {
    for (const withKey of [false, true]) {
      const statements = await measured(operations[id as WriteId], () => request(business), withKey);
      expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(withKey ? 8 : 7);
      expect(statements.at(-1)).toBe('commit');
    }
  },
);

/** It goes through everything that can hold the data, whatever the record. */
const isErasure = (id: string): boolean => id.endsWith('.erase');

test.each(Object.entries<Write>(writes).filter(([id]) => isErasure(id)))(
  '%s takes sixty statements at most, however much it finds',
  async (id, request) => {
    const declaration: OperationDeclaration = operations[id as WriteId];
    const statements = await measured(declaration, () => request(business), true);
    // Each kind more that goes with others takes four more at most.
    const most = 60 + 4 * (erasedKinds.size - 9);
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(most);
  },
);

/** Its batches are transactions of their own. */
const isRecovery = (id: string): boolean => id === 'webhooks.recover';

test('webhooks.recover takes four statements for a batch and three for the audit log, nine with a key', async () => {
  for (const withKey of [false, true]) {
    const request = () => (told['webhooks.recover'] ?? plainWrite('webhooks.recover'))(business);
    const statements = await measured(operations['webhooks.recover'], request, withKey);
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(withKey ? 9 : 7);
  }
});

test.each(Object.entries<Write>(writes).filter(([id]) => !isUpsert(id) && !isErasure(id) && !isRecovery(id)))(
  '%s takes four statements at most, six with a key',
  async (id, request) => {
    const declaration: OperationDeclaration = operations[id as WriteId];
    // A PATCH takes no key.
    for (const withKey of declaration.method === 'POST' ? [false, true] : [false]) {
      const statements = await measured(declaration, () => request(business), withKey);
      expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(withKey ? 6 : 4);
      expect(statements.at(-1)).toBe('commit');
    }
  },
);

const conditional = Object.entries<Write>(writes).filter(
  ([id]) => takesIfMatch(operations[id as WriteId]) && !isErasure(id),
);

const reads = Object.values<OperationDeclaration>(operations).filter(({ method }) => method === 'GET');

/** Whether an operation is on the record at a path, and not on one below it. */
const isOn = (record: string, path: string): boolean =>
  path === record || path.replace(/\/[a-z-]+$/, '') === record;

test.each(conditional)(
  '%s with If-Match takes two statements more, which lock and read the record',
  async (id, request) => {
    const declaration: OperationDeclaration = operations[id as WriteId];
    const get = reads.find(({ kind, path }) => kind === 'get' && isOn(path, declaration.path));
    if (!get) throw new Error(`Nothing reads what ${id} changes`);
    const asItIs = async (): Promise<Asked> => {
      const asked = await request(business);
      const { headers } = await business.api.send('GET', pathOn(get, asked.at ?? ''));
      return { ...asked, headers: { 'If-Match': headers.get('etag') ?? '' } };
    };
    const statements = await measured(declaration, asItIs, false);
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(6);
    expect(statements.at(-1)).toBe('commit');
  },
);

test('a lead with a company and a contact of its own, with a key, takes nine statements at most', async () => {
  const request = async (): Promise<Asked> => ({
    body: {
      name: another(),
      company: { name: another() },
      contact: { name: another(), email: 'a@b.example' },
    },
  });
  const statements = await measured(operations['leads.create'], request, true);
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(9);
});

const leastQuery: Readonly<Record<string, string>> = {
  'webhooks.sample': '?event=lead.created',
  'search.all': '?q=tatra',
};

/** How many statements a batch takes with a key. */
async function statementsOfBatch(
  resource: string,
  operation: string,
  items: readonly object[],
): Promise<number> {
  const statements = await statementsOf(async () => {
    const { page } = await business.api.send<{ status: number }>('POST', `/${resource}/batch`, {
      json: { operation, items },
      headers: { 'Idempotency-Key': another() },
    });
    expect(page.data.filter(({ status }) => status < 300)).toHaveLength(items.length);
  });
  expect(statements.at(-1)).toBe('commit');
  return statements.length;
}

const many = <Item>(size: number, make: () => Item): Item[] => Array.from({ length: size }, make);

const createdInBatches: Readonly<Record<string, () => object>> = {
  companies: () => ({ name: another() }),
  leads: () => ({ name: another(), value: 5 }),
  tasks: () => ({ title: another() }),
  activities: () => ({ name: another(), start_at: '2027-01-11T08:00:00Z' }),
};

test.each(Object.entries(createdInBatches))(
  'a batch of 100 new %s takes six statements with a key, as a batch of one',
  async (resource, make) => {
    await statementsOfBatch(resource, 'create', [make()]);
    for (const size of [1, 100])
      expect(await statementsOfBatch(resource, 'create', many(size, make))).toBeLessThanOrEqual(6);
  },
);

test('a batch of 100 updates with a key takes two statements for each, and six for all', async () => {
  const company = await business.freshRecord('company');
  const items = many(100, () => ({ id: company, note: another() }));
  expect(await statementsOfBatch('companies', 'update', items)).toBeLessThanOrEqual(206);
});

test.each(reads.map((declaration) => [declaration.id, declaration] as const))(
  '%s takes one statement, and none more for the small tables',
  async (_, declaration) => {
    const at = declaration.path.includes('{') ? await business.freshRecord(declaration.resource) : '';
    const query = leastQuery[declaration.id] ?? '';
    const ask = () => business.api.send('GET', pathOn(declaration, at) + query);
    await ask();
    const statements = await statementsOf(ask);
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(1);
  },
);

test('each of these writes stands in the audit log', async () => {
  const rows = await dealkeep.sql<{ operation: string }[]>`
    select distinct operation from audit_entries where organization_id = ${business.organization.id}`;
  const told = new Set(rows.map(({ operation }) => operation));
  expect(Object.keys(writes).filter((id) => !told.has(id))).toEqual([]);
});
