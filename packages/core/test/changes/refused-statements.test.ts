import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { change } from '../../src/change/verb/change.ts';
import { refusedFor } from '../../src/foundations/database/failures.ts';

const { core, sql, ...dealkeep } = await sharedDealkeep();

const raised = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  );

test('a statement refuses itself with a code of its own, and only in the case that it names', async () => {
  expect(refusedFor(await raised(sql`select refuse('reference data changed')`))).toBe(
    'reference data changed',
  );
  expect(await sql`select case when 1 > 2 then refuse('never') end as refused`).toEqual([{ refused: null }]);
  expect(refusedFor(await raised(sql`select 'reference data changed'::integer`))).toBeUndefined();
});

test('a change that relied on another referenceData by now is made again with that', async () => {
  const organization = await dealkeep.createOrganization();
  const asked = {
    organization: { id: organization.id, slug: organization.slug },
    now: new Date().toISOString(),
  };
  const versions: number[] = [];
  await change(core, asked, async (changing) => {
    versions.push((await changing.referenceData()).version);
    if (versions.length === 1)
      await sql`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
  });
  expect(versions).toEqual([versions[0], Number(versions[0]) + 1]);
});
