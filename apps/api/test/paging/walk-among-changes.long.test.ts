import { sharedDealkeep } from '@dealkeep/testing';
import { type Business, openBusiness } from '@dealkeep/testing/business';
import { beforeAll, describe, expect, test } from 'vitest';
import { listsOfRecords } from './every-list.ts';
import { type ListedRecords, recordMakers } from './record-makers.ts';

const dealkeep = await sharedDealkeep();
const { sql } = dealkeep;

/** Records that stay as they are during a walk, others that change, and those that come meanwhile. */
const steady = 10;
const restless = 4;
const newcomers = 5;

/** Few moments, so that many records have the same, some of them before and some after the walk. */
const moments = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', '2031-01-01T00:00:00.000Z'];
let stamps = 0;
function anyMoment(): string {
  stamps += 1;
  return moments[Math.floor(stamps * 1.7) % moments.length] ?? '';
}

/** Sort values that cannot be given to another record: unique in the table, or bound to others of the record. */
const bound = ['/tags name', '/custom-fields name', '/bookings starts_at'];

test('every list has a way to fill it', async () => {
  const makers = await recordMakers(dealkeep, await openBusiness(dealkeep));
  expect(Object.keys(makers).toSorted()).toEqual(listsOfRecords.map(({ path }) => path).toSorted());
});

interface Page {
  ids: string[];
  cursor: string | null;
}

describe.each(listsOfRecords)('$path, walked while records come and others change', ({ path, sorts }) => {
  let business: Business;
  let records: ListedRecords;
  let nullable: string[];
  let count = 0;
  const isBound = (column: string): boolean => bound.includes(`${path} ${column}`);
  beforeAll(async () => {
    business = await openBusiness(dealkeep);
    const found = (await recordMakers(dealkeep, business))[path];
    if (!found) throw new Error(`Nothing makes records of ${path}`);
    records = found;
    const columns = await sql<{ name: string }[]>`
      select column_name as name from information_schema.columns
      where table_name = ${records.table} and is_nullable = 'YES' and column_name = any(${sorts}::text[])`;
    nullable = columns.map(({ name }) => name);
    await newIds();
    while (count < steady + restless) await add();
  });

  /** Adds a record somewhere among the moments; every third without any sort value that the table can be without. */
  async function add(): Promise<void> {
    count += 1;
    const cleared = count % 3 === 0 ? nullable : [];
    await records.make(count);
    for (const id of await newIds()) {
      await change(
        id,
        cleared.reduce((all, column) => sql`${all}, ${sql(column)} = null`, sql``),
      );
    }
  }

  const known = new Set<string>();
  const newIds = async (): Promise<string[]> => {
    const rows = await sql<{ id: string }[]>`
      select id from ${sql(records.table)} where organization_id = ${business.organization.id}`;
    const found = rows.map(({ id }) => id).filter((id) => !known.has(id));
    for (const id of found) known.add(id);
    return found;
  };

  /** Gives a record other moments, and what is said besides. */
  const change = (id: string, besides = sql``) => sql`
    update ${sql(records.table)} set created_at = ${anyMoment()}, updated_at = ${anyMoment()} ${besides}
    where organization_id = ${business.organization.id} and id = ${id}`;

  /** Gives a record the place of another one, or none where the list allows that. */
  async function move(id: string, other: string, column: string): Promise<void> {
    if (column.endsWith('_at') || isBound(column)) return void (await change(id));
    await change(
      id,
      sql`, ${sql(column)} = (
        select ${sql(column)} from ${sql(records.table)}
        where organization_id = ${business.organization.id} and id = ${other})`,
    );
  }

  const page = async (sort: string, limit: number, cursor = ''): Promise<Page> => {
    const search = new URLSearchParams({ sort, limit: String(limit), ...(cursor ? { cursor } : {}) });
    const answer = await business.api.send<{ id: string } | { uuid: string }>('GET', `${path}?${search}`);
    const { data, next_cursor } = answer.page;
    return { ids: data.map((each) => ('id' in each ? each.id : each.uuid)), cursor: next_cursor };
  };

  test.each(sorts)('by %s: what stays comes once, in its order', async (sort) => {
    const column = sort.replace('-', '');
    const all = (await page(sort, 100)).ids;
    expect(all.length).toBeGreaterThanOrEqual(steady + restless);
    const movers = all.filter((_, at) => at % Math.ceil(all.length / restless) === 1);
    const stayers = all.filter((id) => !movers.includes(id));

    const seen: string[] = [];
    let turn = 0;
    const limit = Math.ceil(all.length / 5);
    let cursor: string | null = '';
    while (cursor !== null) {
      const mover = movers[turn % movers.length] ?? '';
      const place = stayers[(turn * 5) % stayers.length] ?? '';
      const changes = turn < newcomers ? [add(), move(mover, place, column)] : [];
      const [next]: [Page, ...unknown[]] = await Promise.all([page(sort, limit, cursor), ...changes]);
      seen.push(...next.ids);
      cursor = next.cursor;
      turn += 1;
    }
    expect(seen.filter((id) => stayers.includes(id))).toEqual(stayers);
    expect(turn).toBeGreaterThanOrEqual(5);
  });
});
