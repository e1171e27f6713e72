import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTransaction, Reader } from './readers-and-writers.ts';

const dealkeep = await sharedDealkeep();

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
