import { searchedKindNames } from '@dealkeep/contract';
import { oneServer } from '@dealkeep/core/foundations';
import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { hiddenOrganization } from '../../src/change/paging/search.ts';
import type { Fragment } from '../../src/foundations/database/connect.ts';
import { askedPart, candidatesOf, keysOf } from '../../src/records/search/candidates.ts';
import { searchedRecords, searchStatement } from '../../src/records/search/statement.ts';

const { sql, createOrganization } = await startDealkeep({ worker: false });

test.each(searchedKindNames)('a %s is searched along the indexes of its declaration', async (kind) => {
  const { id } = await createOrganization();
  const record = searchedRecords[kind];
  await sql.begin(async (tx) => {
    await tx`set local enable_seqscan = off`;
    await tx`set local enable_sort = off`;
    const parts = [
      askedPart(tx, { organization: id, term: '0905 111 222', isPhone: true }),
      ...candidatesOf(
        {
          sql: tx,
          organization: hiddenOrganization({ sql: tx, organization: id, placement: oneServer }, 'asked'),
        },
        kind,
        record,
        'found',
      ),
    ]
      .map(({ name, rows }): Fragment => tx`${tx.unsafe(name)} as materialized (${rows})`)
      .reduce((all, each) => tx`${all}, ${each}`);
    const rows = await tx<{ 'QUERY PLAN': string }[]>`explain with ${parts} select * from found`;
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    for (const index of ['titled', 'updated']) expect(plan).toContain(`${record.table}_${index}`);
    expect(plan).not.toContain('Seq Scan');
    if (!record.searched.identifiers) return;
    const keyed = await tx<{ 'QUERY PLAN': string }[]>`
      explain select from ${tx.unsafe(`${record.table} ${record.alias}`)} where ${keysOf(record, tx)} && array['x']`;
    expect(keyed.map((row) => row['QUERY PLAN']).join('\n')).toContain(`${record.table}_keyed`);
  });
});

test('a search over everything is planned once for a connection, whatever is asked by whom', async () => {
  const organizations = await Promise.all([createOrganization(), createOrganization()]);
  await sql.begin(async (tx) => {
    for (let number = 0; number < 10; number += 1) {
      const organization = organizations[number % 2]?.id ?? '';
      const asked = { organization, placement: oneServer, term: `term ${number}`, isPhone: number % 3 === 0 };
      await tx`${searchStatement(
        tx,
        asked,
        searchedKindNames.map((kind) => ({ kind })),
      )}`;
    }
    const planned = await tx`
      select generic_plans, custom_plans from pg_prepared_statements where statement like '%join ' || 'lateral%'`;
    // PostgreSQL tries five times whether it is worth while to plan anew.
    expect(planned).toEqual([{ generic_plans: 5, custom_plans: 5 }]);
  });
});
