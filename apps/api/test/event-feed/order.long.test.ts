import { connect } from '@dealkeep/core';
import { sharedDealkeep, startDealkeep, testDatabase } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';

const dealkeep = await sharedDealkeep();
type Api = ReturnType<typeof dealkeep.as>;

/** Follows a cursor, a page at a time. */
class Reader {
  readonly seen: string[] = [];
  readonly #api: Api;
  #cursor: string | undefined;

  constructor(api: Api) {
    this.#api = api;
  }

  async read(limit: number): Promise<boolean> {
    const { page } = await this.#api.get('/events', {
      limit,
      ...(this.#cursor === undefined ? {} : { cursor: this.#cursor }),
    });
    this.seen.push(...page.data.map(({ id }) => id));
    this.#cursor = page.next_cursor ?? undefined;
    return page.has_more;
  }

  async readAll(): Promise<string[]> {
    while (await this.read(100));
    return this.seen;
  }
}

/** A transaction that stays open for as long as it is wanted, on a connection of its own. */
async function openTransaction(url: string) {
  const sql = connect(url, { connections: 1, name: 'test writer' });
  onTestFinished(() => sql.end({ timeout: 1 }));
  const begin = async (): Promise<void> => void (await sql.unsafe('begin; select pg_current_xact_id()'));
  await begin();
  return {
    write: async (organization: string, id: string): Promise<void> =>
      void (await sql`
        insert into events (organization_id, id, type, record_id, occurred_at, envelope)
        values (${organization}, ${id}, 'lead.created', gen_random_uuid(), now(), ${envelope(id)})`),
    begin,
    end: async (how: 'commit' | 'rollback'): Promise<void> => void (await sql.unsafe(how)),
  };
}

let written = 0;
const newId = (): string => {
  written += 1;
  // Ids say nothing about the order here.
  return `evt_${((written * 7919) % 100_003).toString(16).padStart(8, '0')}`;
};

const writers = 5;
const step = fc.oneof(
  fc.record({ writer: fc.nat(writers - 1), does: fc.constantFrom('write', 'write', 'commit', 'rollback') }),
  fc.record({ reader: fc.nat(1), limit: fc.integer({ min: 1, max: 4 }) }),
);

test('several writers that commit out of order: every reader sees each event once, all in the same order', async () => {
  const open = await Promise.all(
    Array.from({ length: writers }, () => openTransaction(dealkeep.databaseUrl)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
      const { api, organization } = await openBusiness(dealkeep);
      const readers = [new Reader(api), new Reader(api)];
      const pending = open.map((): string[] => []);
      const committed: string[] = [];
      const end = async (writer: number, how: 'commit' | 'rollback'): Promise<void> => {
        await open[writer]?.end(how);
        if (how === 'commit') committed.push(...(pending[writer] ?? []));
        pending[writer] = [];
        await open[writer]?.begin();
      };
      for (const each of steps) {
        if ('reader' in each) await readers[each.reader]?.read(each.limit);
        else if (each.does === 'write') {
          const id = newId();
          await open[each.writer]?.write(organization.id, id);
          pending[each.writer]?.push(id);
        } else await end(each.writer, each.does === 'commit' ? 'commit' : 'rollback');
      }
      for (const writer of open.keys()) await end(writer, 'commit');
      // The transactions that begin anew have numbers, and stay open: nothing stands behind them yet.
      const [one, other] = await Promise.all(readers.map((reader) => reader.readAll()));
      const third = await new Reader(api).readAll();
      expect(one).toEqual(third);
      expect(other).toEqual(third);
      expect(third.toSorted()).toEqual(committed.toSorted());
    }),
    { numRuns: 15 },
  );
});

const envelope = (id: string): string =>
  JSON.stringify({
    id,
    type: 'lead.created',
    timestamp: '2026-10-01T08:00:00.000Z',
    api_version: '2026-10-01',
    organization: { id: '01985f6e-2c41-7001-8a2b-3c4d5e6f7081', slug: 'x' },
    test: false,
    data: {},
  });

test('many requests at once: a reader beside them sees each event once, in the order of one who comes later', async () => {
  const { api } = await openBusiness(dealkeep);
  const beside = new Reader(api);
  let over = false;
  const reading = (async () => {
    while (!over) await beside.read(7);
  })();
  await Promise.all(
    Array.from({ length: 12 }, async (_, writer) => {
      for (let number = 0; number < 8; number += 1) {
        await api.post('/leads', { name: `${writer} ${number}`, company: { name: `C ${writer}` } });
      }
    }),
  );
  over = true;
  await reading;
  await beside.readAll();
  const later = await new Reader(api).readAll();
  expect(beside.seen).toEqual(later);
  expect(new Set(later).size).toBe(12 * 8 + 12);
});

test('an open transaction of another database of the server keeps no event back', async () => {
  const other = await testDatabase();
  onTestFinished(() => other.drop());
  await openTransaction(other.url);
  const { api } = await openBusiness(dealkeep);
  await api.post('/companies', { name: 'Tatra' });
  expect(await new Reader(api).readAll()).toHaveLength(1);
});

test('an event stands behind a transaction that began before it, until that one has ended', async () => {
  const own = await startDealkeep({ worker: false });
  const { id, key } = await own.createOrganization();
  const api = own.as(key);
  const { write, end } = await openTransaction(own.databaseUrl);
  await api.post('/companies', { name: 'Later' });
  const reader = new Reader(api);
  await reader.readAll();
  expect(reader.seen).toEqual([]);
  await write(id, 'evt_00');
  await end('commit');
  const seen = await reader.readAll();
  expect(seen).toEqual(['evt_00', expect.any(String)]);
});
