import { isLost, noWorker } from '../../../change/queue/worker-presence.ts';
import type { Database, Fragment, Statements } from '../../../foundations/database/connect.ts';
import { inTransaction } from '../../../foundations/database/in-transaction.ts';
import { keysOf, type Leased, placeOf } from './lease.ts';

/**
 * Frees the leases that nobody works on any more: of workers that died, and of those that hang. What is freed is due
 * as it was before. Answers how many.
 *
 * @param workerId of the worker that asks, which lives; absent when somebody else asks
 */
export function freeLostLeases(sql: Database, workerId = noWorker): Promise<number> {
  return endLeases(sql, sql`${isLost(sql, workerId)} for update skip locked`);
}

/** Hands everything back that the worker holds, due as it was before; it works no more. */
export async function handBackLeases(sql: Database, workerId: number): Promise<void> {
  await endLeases(sql, sql`worker_id = ${workerId} for update`);
}

/**
 * Frees what this worker holds and does not know, as when the answer of a statement that leased was lost; none
 * of its own may run meanwhile. Answers how many were freed, and whether that was all of them.
 *
 * @param held ids of all deliveries that it knows
 */
export const freeUnknownLeases = (
  sql: Database,
  workerId: number,
  held: ReadonlySet<string>,
): Promise<Freed> =>
  inTransaction(
    sql,
    (tx) => free(tx, tx`d.worker_id = ${workerId} and not d.id = any(${[...held]}::uuid[])`),
    readsAll,
  );

/**
 * Frees these, as far as a worker holds them still. Answers whether that was all, as what somebody has locked is
 * left.
 */
export async function freeLeases(
  sql: Statements,
  workerId: number,
  unsent: readonly Pick<Leased, 'delivery'>[],
): Promise<boolean> {
  const from = sql`
    unnest(${keysOf(sql, unsent)}) as unsent (webhook_id, id, place)
    cross join lateral (
      select d.ctid, d.id from deliveries d
      where d.ctid = ${placeOf(sql, sql`unsent`)} and d.worker_id = ${workerId} offset 0) d`;
  return (await free(sql, sql`true`, from)).all;
}

/**
 * A worker of which something is left remains, and is lost to the others, until it is free. Answers how many leases
 * are.
 *
 * @param which a condition on `workers w`, and how they are locked
 */
function endLeases(sql: Database, which: Fragment): Promise<number> {
  return inTransaction(
    sql,
    async (tx) => {
      const workers = await tx<{ worker_id: number }[]>`
        select worker_id from workers w where ${which}`;
      if (workers.length === 0) return 0;
      const ids = workers.map((worker) => worker.worker_id);
      const { freed, all } = await free(tx, tx`d.worker_id = any(${ids}::integer[])`);
      if (all) await tx`delete from workers where worker_id = any(${ids}::integer[])`;
      return freed;
    },
    readsAll,
  );
}

interface Freed {
  freed: number;
  all: boolean;
}

/** It happens seldom enough to read the whole queue. */
const readsAll = '; set local enable_seqscan = on; set local enable_hashjoin = on';

/**
 * Frees leases. Whoever has locked one is writing its result, or removes it with its webhook; it is left rather than
 * waited for, so that nobody deadlocks.
 *
 * @param which a condition on `deliveries d`
 */
async function free(sql: Statements, which: Fragment, from = sql`deliveries d`): Promise<Freed> {
  const [row] = await sql<Freed[]>`
    with freed as (
      update deliveries set worker_id = null
      where ctid = any(array(select d.ctid from ${from} where ${which} for update of d skip locked))
      returning id)
    select (select count(*)::integer from freed) as freed,
           not exists (select from ${from} where ${which} and d.id not in (select id from freed)) as all`;
  return row ?? { freed: 0, all: true };
}
