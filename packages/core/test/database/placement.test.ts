import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { connect, findPlacement, oneServer, severalServers } from '@dealkeep/core/foundations';
import { testDatabase } from '@dealkeep/testing';
import { afterAll, describe, expect, test } from 'vitest';

const { url } = await testDatabase({ onOneServer: true });
const sql = connect(url, { connections: 2, name: 'test' });
afterAll(() => sql.end());
const placements = [
  ['on one server', oneServer],
  ['on several servers', severalServers],
] as const;

test('a database without Citus is placed on one server', async () => {
  expect(await findPlacement(sql)).toBe(oneServer);
});

describe.each(placements)('%s', (_, placement) => {
  test('a part of a statement has what the first server knows, whatever its types', async () => {
    const part = await placement.partOfFirst(sql, {
      name: 'known',
      columns: { era: 'smallint', number: 'xid8', since: 'pg_snapshot', nothing: 'text' },
      row: sql`
        select 3::smallint as era, '17'::xid8 as number, '5:9:6,7'::pg_snapshot as since, null::text as nothing`,
    });
    for (let time = 0; time < 2; time += 1)
      expect(
        await sql`
          with ${part()}
          select era, number::text, since::text, nothing, number < '18'::xid8 as before from known`,
      ).toEqual([{ era: 3, number: '17', since: '5:9:6,7', nothing: null, before: true }]);
  });

  test('a transaction counts as open until it has ended', async () => {
    const isOpen = async (id: string): Promise<boolean> => {
      const [row] = await sql<{ open: boolean }[]>`
        select not pg_visible_in_snapshot(${id}::xid8, ${placement.openTransactions(sql)}) as open`;
      return row?.open === true;
    };
    const id = await sql.begin(async (tx) => {
      const [row] = await tx<{ id: string }[]>`select pg_current_xact_id()::text as id`;
      expect(await isOpen(row?.id ?? '')).toBe(true);
      return row?.id ?? '';
    });
    expect(await isOpen(id)).toBe(false);
  });

  test('rows of several organizations are read, together or of each', async () => {
    const rows = await placement.ofOrganizations(['a', 'b'], {
      together: async (all) => all,
      apart: async ([one = '', ...others]) => [one, ...others.map(() => 'too many')],
    });
    expect(rows).toEqual(['a', 'b']);
  });
});

test('of Citus know the database, what an operator does, and no rule of business', async () => {
  const source = fileURLToPath(new URL('../../src/', import.meta.url));
  const files = (await readdir(source, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const knowing = await Promise.all(
    files.map(async (file) => {
      const code = (await readFile(`${source}/${file}`, 'utf8')).replaceAll(
        /\/\*\*?[\s\S]*?\*\/|\/\/.*$/gm,
        '',
      );
      return /citus|distributed/i.test(code) ? [file] : [];
    }),
  );
  const rooms = knowing.flat().map((file) => file.split('/').slice(0, 2).join('/'));
  expect([...new Set(rooms)].toSorted()).toEqual([
    'foundations/database',
    'foundations/index.ts',
    'installation/backup',
    'installation/moving',
    'installation/scale-out',
  ]);
});
