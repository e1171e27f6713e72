import type { Database, Fragment, Statements, Transaction } from '../../database/connect.ts';
import { inTransaction } from '../../database/in-transaction.ts';
import { noWorker, presenceClass } from '../../installation/worker-presence.ts';
import { hungWorkerSeconds, workerGraceSeconds } from '../../operating-limits.ts';

/**
 * Frees the leases that nobody works on any more: of workers that died, and of those that hang. What is freed is due as
 * it was before. Answers how many.
 *
 * @param workerId of the worker that asks, which lives; absent when somebody else asks
 */
export async function freeLostLeases(sql: Database, workerId = noWorker): Promise<number> {
  // Asked first by itself, because nearly always no worker is lost.
  if ((await sql`select from workers w where ${isLost(sql, workerId)} limit 1`).length === 0) return 0;
  return inTransaction(sql, async (tx) => {
    const lost = await tx<{ worker_id: number }[]>`
      select worker_id from workers w where ${isLost(tx, workerId)} for update skip locked`;
    const ids = lost.map((worker) => worker.worker_id);
    return ids.length > 0 ? endLeases(tx, ids) : 0;
  });
}

/**
 * Frees what this worker holds and does not know, as when the answer of a statement that leased was lost; none
 * of its own may run meanwhile. Answers how many were freed, and whether that was all of them.
 *
 * @param held ids of all deliveries that it knows
 */
export async function freeUnknownLeases(
  sql: Database,
  workerId: number,
  held: ReadonlySet<string>,
): Promise<{ freed: number; all: boolean }> {
  return inTransaction(sql, (tx) =>
    free(tx, tx`d.worker_id = ${workerId} and not d.id = any(${[...held]}::uuid[])`),
  );
}

/** Frees these, as far as a worker holds them still. Answers whether that was all, as what somebody has locked is left. */
export async function freeLeases(
  sql: Database,
  workerId: number,
  deliveries: readonly { webhook_id: string; id: string }[],
): Promise<boolean> {
  const unsent = sql`
    unnest(${deliveries.map((each) => each.webhook_id)}::uuid[], ${deliveries.map((each) => each.id)}::uuid[])
      as unsent (webhook_id, id)
    join deliveries d on d.webhook_id = unsent.webhook_id and d.id = unsent.id and d.worker_id = ${workerId}`;
  const left = await sql`
    with freed as (
      update deliveries d set worker_id = null
      from (select d.webhook_id, d.id from ${unsent} for update of d skip locked) free
      where d.webhook_id = free.webhook_id and d.id = free.id
      returning d.id)
    select from ${unsent} where d.id not in (select id from freed) limit 1`;
  return left.length === 0;
}

/** Hands everything back that the worker holds, due as it was before; it works no more. */
export async function handBackLeases(sql: Database, workerId: number): Promise<void> {
  await inTransaction(sql, async (tx) => {
    await tx`select from workers where worker_id = ${workerId} for update`;
    await endLeases(tx, [workerId]);
  });
}

/** A worker of which something is left remains, and is lost to the others, until it is free. Answers how many are. */
async function endLeases(tx: Transaction, workers: readonly number[]): Promise<number> {
  const { freed, all } = await free(tx, tx`d.worker_id = any(${[...workers]}::integer[])`);
  if (all) await tx`delete from workers where worker_id = any(${[...workers]}::integer[])`;
  return freed;
}

/**
 * Frees leases. Whoever has locked one is writing its result, or removes it with its webhook; it is left rather than
 * waited for, so that nobody deadlocks. It happens seldom enough to read the whole queue.
 */
async function free(tx: Transaction, which: Fragment): Promise<{ freed: number; all: boolean }> {
  await tx`set local enable_seqscan = on`;
  await tx`set local enable_hashjoin = on`;
  const { count: freed } = await tx`
    update deliveries d set worker_id = null
    from (select d.webhook_id, d.id from deliveries d where ${which} for update skip locked) lost
    where d.webhook_id = lost.webhook_id and d.id = lost.id`;
  const left = await tx`select from deliveries d where ${which} limit 1`;
  return { freed, all: left.length === 0 };
}

/** Whether a worker `w` is lost to the worker that asks. */
export const isLost = (sql: Statements, workerId = noWorker): Fragment => sql`
  w.worker_id <> ${workerId}
  and (w.seen_at < clock_timestamp() - make_interval(secs => ${hungWorkerSeconds})
       or (pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => ${workerGraceSeconds})
           and not exists (
             select from pg_locks where locktype = 'advisory' and classid = ${presenceClass} and granted
               and objid::bigint = w.worker_id
               and database = (select oid from pg_database where datname = current_database()))))`;
