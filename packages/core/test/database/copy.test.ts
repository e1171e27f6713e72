import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { testDatabase } from '@dealkeep/testing';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../../src/foundations/database/connect.ts';
import { copyIn, copyOut } from '../../src/foundations/database/postgres-js/copy.ts';

const { ownerUrl: url } = await testDatabase({ migrated: false });
const sql = connect(url, { connections: 1, name: 'test copies' });
afterAll(() => sql.end({ timeout: 5 }));

test('a copy into a table that fails when its last row is there is told, and undone', async () => {
  await sql`create table unique_numbers (n integer unique deferrable initially immediate)`;
  const rows = Readable.from([Buffer.from('1\n2\n'), Buffer.from('1\n')]);
  const copied = sql.begin((tx) => copyIn(tx.unsafe('copy unique_numbers from stdin'), rows));
  await expect(copied).rejects.toMatchObject({ code: '23505' });
  expect(await sql`select from unique_numbers`).toHaveLength(0);
});

test('a copy that fails in the middle is told, and one whose rows cannot be read', async () => {
  await sql`create table few_numbers (n integer check (n < 3))`;
  const copied = (rows: AsyncIterable<Buffer>) =>
    sql.begin((tx) => copyIn(tx.unsafe('copy few_numbers from stdin'), rows));
  const many = Readable.from(Array.from({ length: 1000 }, (_, at) => Buffer.from(`${at}\n`.repeat(1000))));
  await expect(copied(many)).rejects.toMatchObject({ code: '23514' });
  async function* broken() {
    yield Buffer.from('1\n');
    throw new Error('The file is broken');
  }
  await expect(copied(broken())).rejects.toThrow('The file is broken');
  await expect(sql.begin((tx) => copyIn(tx.unsafe('copy nothing from stdin'), many))).rejects.toThrow(
    'does not exist',
  );
  expect(await sql`select from few_numbers`).toHaveLength(0);
});

test('a connection goes on after a copy that was read more slowly than it came', async () => {
  await sql.begin(async (tx) => {
    // Its only row comes with its end.
    const all = copyOut(tx.unsafe(`copy (select repeat('x', 200000)) to stdout`));
    let bytes = 0;
    for await (const piece of all) {
      bytes += piece.length;
      for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    }
    expect(bytes).toBe(200_001);
    expect([...(await tx`select 1 as one`)]).toEqual([{ one: 1 }]);
  });
});
