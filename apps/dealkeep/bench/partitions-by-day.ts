import type { Database } from '@dealkeep/core/foundations';
import { type Figure, figure } from './figures.ts';

/** The rows of each table in a second one, `…_by_day`, with the same indexes, in a partition for each day. */
export async function makePartitions(
  sql: Database,
  { tables, begun, days }: { tables: Readonly<Record<string, string>>; begun: number; days: number },
): Promise<void> {
  for (const [name, column] of Object.entries(tables)) {
    await sql.unsafe(
      `create table ${name}_by_day (like ${name} including defaults) partition by range (${column})`,
    );
    for (let day = 0; day < days; day += 1) {
      const [from, to] = [day, day + 1].map((each) => new Date(begun + each * 86_400_000).toISOString());
      await sql.unsafe(
        `create table ${name}_${day} partition of ${name}_by_day for values from ('${from}') to ('${to}')`,
      );
    }
    const indexes = await sql<{ statement: string }[]>`
      select pg_get_indexdef(indexrelid) as statement from pg_index where indrelid = ${name}::regclass`;
    for (const { statement } of indexes) {
      // A key that is unique over all partitions would have to hold the day.
      const plain = statement.replace('UNIQUE ', '');
      await sql.unsafe(plain.replace(/INDEX \S+ ON \S+/, `INDEX ON ${name}_by_day`));
    }
    await sql.unsafe(`insert into ${name}_by_day select * from ${name}`);
  }
  await sql`vacuum analyze`;
  await sql`checkpoint`;
}

interface Asked {
  id: string;
  occurred_at: string;
  transaction: string;
}

interface Lookup {
  what: string;
  statement: (by: string) => string;
  value: (row: Asked) => string;
}

const lookups: readonly Lookup[] = [
  {
    what: 'an event by its id',
    statement: (by) => `select envelope from events${by} where organization_id = $1 and id = $2`,
    value: ({ id }) => id,
  },
  {
    what: 'a page of the feed',
    statement: (by) => `
      select envelope from events${by}
      where organization_id = $1 and (era, transaction_id, id) > (1::smallint, $2::text::xid8, '')
      order by era, transaction_id, id limit 50`,
    value: ({ transaction }) => transaction,
  },
  {
    what: 'the attempts of an event',
    statement: (by) => `select * from attempts${by} where organization_id = $1 and event_id = $2`,
    value: ({ id }) => id,
  },
  {
    what: 'a page of the delivery log',
    statement: (by) => `
      select * from attempts${by} where organization_id = $1 and started_at < $2
      order by started_at desc, id desc limit 50`,
    value: ({ occurred_at }) => occurred_at,
  },
];

/** What looking into all partitions takes against looking into one table. */
export async function compareLookups(
  sql: Database,
  how: {
    organization: string;
    days: number;
    rounds: number;
    cpuOf: (work: () => PromiseLike<unknown>) => Promise<number>;
  },
): Promise<Figure[]> {
  const asked = await sql<Asked[]>`
    select id, occurred_at, transaction_id::text as transaction from events order by random() limit 1000`;
  const figures: Figure[] = [];
  for (const { what, statement, value } of lookups) {
    const spent = { '': 0, _by_day: 0 };
    for (let round = 0; round <= how.rounds; round += 1) {
      for (const by of ['', '_by_day'] as const) {
        const text = statement(by);
        const seconds = await how.cpuOf(async () => {
          for (const row of asked) await sql.unsafe(text, [how.organization, value(row)], { prepare: true });
        });
        // The first round plans.
        if (round > 0) spent[by] += seconds;
      }
    }
    figures.push(
      figure(`${what} in ${how.days} partitions`, spent._by_day / spent[''], {
        unit: 'times the CPU',
        rule: 'at least',
        goal: 1,
      }),
    );
  }
  return figures;
}
