import { readFile } from 'node:fs/promises';
import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { statementsOf } from '../../src/foundations/database/statements-of.ts';

const { sql } = await startDealkeep({ worker: false });

const values = [
  null,
  '',
  ' ',
  'Acme',
  'office@ACME.example',
  'SK 2020 123 456',
  'Žltý kôň ΟΔΥΣΣΕΥΣ',
  'ﬁ２ª ß æ œ Ł',
  '+421 905 111 222',
  '0905/111 222',
  '1234',
  '12 34 5',
  '١٢٣٤٥٦',
  `${'š'.repeat(400)} end`,
];

test('a record has the keys under which indexes from before the upgrade have it', async () => {
  const migration = new URL('../../migrations/0039-everything-is-searched.sql', import.meta.url);
  const [before = ''] = statementsOf(await readFile(migration, 'utf8')).filter((each) =>
    each.includes('function search_keys('),
  );
  await sql.unsafe(before.replace('search_keys(', 'search_keys_before('));
  const differing = await sql`
    with value as (select * from unnest(${values}::text[]) as value),
         record as (select array[a.value, b.value] as identifiers, array[c.value] || a.value as phones
                    from value a, value b, value c)
    select identifiers, phones from record
    where array(select distinct unnest(search_keys(identifiers, phones)) order by 1)
      <> array(select unnest(search_keys_before(identifiers, phones)) order by 1)
       or search_keys(identifiers, '{}') && array['', null]
    limit 3`;
  expect([...differing]).toEqual([]);
  const [known] =
    await sql`select search_keys(array['Žltý kôň', null], array['+421 905 111 222', '12']) as keys`;
  expect(known?.['keys']).toEqual(['zltykon', 'tel:905111222']);
});
