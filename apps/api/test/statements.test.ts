import { type OperationDeclaration, type OperationId, operations } from '@dealkeep/contract';
import { startDealkeep, WatchedLine } from '@dealkeep/testing';
import { defaultPipeline } from '@dealkeep/testing/business';
import { afterAll, expect, test } from 'vitest';
import { type KnownBusiness, openKnownBusiness, pathOn } from './known-records.ts';

// A statement that is sent and answered costs more than what it does, so each operation has a budget of them, `begin`
// and `commit` included, with credentials, rate limits and the small tables in memory. A hook listens to every event.

let line: WatchedLine | undefined;
const dealkeep = await startDealkeep({
  worker: false,
  between: async (url) => {
    line = await WatchedLine.open(url, afterAll);
    return line.url;
  },
});

/** What goes beside a request, now and then: who asks is told of what was revoked, limits are leased, uses are noted. */
const isBeside = (statement: string): boolean =>
  /from revocations|rate_windows|pg_notify|last_used|from api_keys|^select 1$/.test(statement);

async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  if (!line) throw new Error('Nothing stands between Dealkeep and its database');
  return (await line.statementsOf(work)).filter((statement) => !isBeside(statement));
}

type WriteId = {
  [Id in OperationId]: (typeof operations)[Id]['method'] extends 'GET' ? never : Id;
}[OperationId];

interface Asked {
  readonly at?: string;
  readonly body?: object;
}

interface Write {
  /** A request as connectors send it, another one each time. */
  request(business: KnownBusiness): Promise<Asked>;
  /** Statements without and with an `Idempotency-Key`; a PATCH takes none. */
  readonly budget: readonly [without: number, withKey: number];
}

let made = 0;
/** Another text each time. */
const another = (): string => {
  made += 1;
  return `Made ${made}`;
};
const [ofCreate, ofChange] = [
  [4, 6],
  [5, 6],
] as const;
const createOf = (id: OperationId, more: () => object = () => ({})): Write => ({
  request: async ({ leastBody }) => ({ body: { ...leastBody(operations[id]), ...more() } }),
  budget: ofCreate,
});
const changeOf = (resource: string, body: () => object, budget: Write['budget'] = ofChange): Write => ({
  request: async ({ freshRecord }) => ({ at: await freshRecord(resource), body: body() }),
  budget,
});

const address = 'http://127.0.0.1:4567/';
const orderLine = () => ({ quantity: 1, sku: another(), unit_price: 9.5 });

/** A write that is missing here does not compile. */
const writes: Readonly<Record<WriteId, Write>> = {
  'companies.create': createOf('companies.create', () => ({ name: another() })),
  'companies.update': changeOf('company', () => ({ note: another() })),
  'contacts.create': createOf('contacts.create', () => ({ name: another() })),
  'contacts.update': changeOf('contact', () => ({ note: another() })),
  'clients.create': {
    request: async ({ freshRecord }) => ({ body: { company_id: await freshRecord('company') } }),
    budget: ofCreate,
  },
  'clients.update': changeOf('client', () => ({ note: another() })),
  'leads.create': createOf('leads.create', () => ({ name: another(), value: 5 })),
  'leads.update': changeOf('lead', () => ({ note: another() })),
  'leads.move': {
    request: async ({ api, freshRecord }) => {
      const { stages } = await defaultPipeline(api);
      return { at: await freshRecord('lead'), body: { stage_id: stages['Won'] } };
    },
    budget: ofChange,
  },
  'leads.archive': changeOf('lead', () => ({})),
  'activities.create': createOf('activities.create', () => ({ name: another() })),
  'activities.update': changeOf('activity', () => ({ name: another() })),
  'activities.complete': changeOf('activity', () => ({})),
  'bookings.create': createOf('bookings.create'),
  'bookings.cancel': changeOf('booking', () => ({})),
  // Customer and products, sums, the number with order and lines, and the stock.
  'orders.create': {
    ...createOf('orders.create', () => ({ items: [orderLine(), orderLine(), orderLine()] })),
    budget: [7, 8],
  },
  'tasks.create': createOf('tasks.create', () => ({ title: another() })),
  'tasks.update': changeOf('task', () => ({ title: another() })),
  // What it is for and its sums are looked up first; the number and the invoice are one statement.
  'invoices.create': { ...createOf('invoices.create'), budget: [5, 6] },
  // How many there are is counted behind a lock, by a statement that sees what came before it.
  'webhooks.create': {
    ...createOf('webhooks.create', () => ({
      target_url: `${address}${encodeURIComponent(another())}`,
    })),
    budget: [5, 7],
  },
  'webhooks.delete': changeOf('webhook', () => ({})),
};

const business = await openKnownBusiness(dealkeep);
const send = async (declaration: OperationDeclaration, { at = '', body }: Asked, key?: string) => {
  const { status } = await business.api.send(declaration.method, pathOn(declaration, at), {
    ...(body === undefined || declaration.method === 'DELETE' ? {} : { json: body }),
    headers: key === undefined ? {} : { 'Idempotency-Key': key },
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

test.each(Object.entries<Write>(writes))(
  '%s keeps its budget of statements',
  async (id, { request, budget }) => {
    const declaration: OperationDeclaration = operations[id as WriteId];
    const ways = declaration.method === 'POST' ? [false, true] : [false];
    for (const [way, withKey] of ways.entries()) {
      const statements = await measured(declaration, () => request(business), withKey);
      expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(budget[way] ?? 0);
      expect(statements.at(-1)).toBe('commit');
    }
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

const reads = Object.values<OperationDeclaration>(operations).filter(({ method }) => method === 'GET');

test.each(reads.map((declaration) => [declaration.id, declaration] as const))(
  '%s takes one statement, and none more for the small tables',
  async (_, declaration) => {
    const at = declaration.path.includes('{') ? await business.freshRecord(declaration.resource) : '';
    const query = declaration.id === 'webhooks.sample' ? '?event=lead.created' : '';
    const ask = () => business.api.send('GET', pathOn(declaration, at) + query);
    await ask();
    const statements = await statementsOf(ask);
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(1);
  },
);
