import { startDealkeep } from '@dealkeep/testing';
import { type Business, openBusiness } from '@dealkeep/testing/business';
import { beforeAll, describe, expect, test } from 'vitest';
import { everyList } from './every-list.ts';
import { type ListedRecords, recordMakers } from './record-makers.ts';

const dealkeep = await startDealkeep({ worker: false });
const { sql } = dealkeep;

/** Records that stay as they are during a walk, others that change, and those that come meanwhile. */
const steady = 10;
const restless = 4;
const newcomers = 8;

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
  expect(Object.keys(makers).toSorted()).toEqual(everyList.map(({ path }) => path).toSorted());
});

interface Page {
  ids: string[];
  cursor: string | null;
}

describe.each(everyList)('$path, walked while records come and others change', ({ path, sorts }) => {
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
    while (count < steady + restless) await add();
  });

  /** Adds a record somewhere among the moments. */
  async function add(): Promise<void> {
    count += 1;
    const before = await ids();
    await records.make(count);
    for (const id of await ids()) {
      if (before.has(id)) continue;
      await stamp(id);
      if (count % 3 === 0) await clear(id);
    }
  }

  /** Leaves a record without any sort value that the table can be without. */
  async function clear(id: string): Promise<void> {
    for (const column of nullable) {
      await sql`
        update ${sql(records.table)} set ${sql(column)} = null
        where organization_id = ${business.organization.id} and id = ${id}`;
    }
  }

  const ids = async (): Promise<Set<string>> => {
    const rows = await sql<{ id: string }[]>`
      select id from ${sql(records.table)} where organization_id = ${business.organization.id}`;
    return new Set(rows.map(({ id }) => id));
  };

  const stamp = (id: string) => sql`
    update ${sql(records.table)} set created_at = ${anyMoment()}, updated_at = ${anyMoment()}
    where organization_id = ${business.organization.id} and id = ${id}`;

  /** Gives a record the place of another one, or none where the list allows that. */
  async function move(id: string, other: string, column: string): Promise<void> {
    await stamp(id);
    if (column.endsWith('_at') || isBound(column)) return;
    await sql`
      update ${sql(records.table)} set ${sql(column)} = (
        select ${sql(column)} from ${sql(records.table)}
        where organization_id = ${business.organization.id} and id = ${other})
      where organization_id = ${business.organization.id} and id = ${id}`;
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
    const limit = Math.ceil(all.length / 7);
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
