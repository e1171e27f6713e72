import { setTimeout as sleep } from 'node:timers/promises';
import { connect, noLimits } from '@dealkeep/core/foundations';
import { inTransaction } from '../../src/foundations/database/in-transaction.ts';

/** Writers at the same time. */
const writers = 2;
/** Nobody subscribes to it. */
const type = 'task.created';

/**
 * Events of transactions that get their number early, write late and end later still, or not at all, as those of an
 * import do: in front of the events that others committed meanwhile. Answers the ids of those that were committed.
 */
export async function writeInLongTransactions(
  databaseUrl: string,
  organization: string,
  stop: AbortSignal,
): Promise<string[]> {
  const sql = connect(databaseUrl, { connections: writers, name: 'soak writers', limits: noLimits });
  const committed: string[] = [];
  const write = async (): Promise<string[]> => {
    const ids = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, newId);
    return inTransaction(sql, async (tx) => {
      await tx`select pg_current_xact_id()`;
      await sleep(Math.random() * 800);
      for (const id of ids) {
        await tx`
          insert into events (organization_id, id, type, record_id, occurred_at, envelope)
          values (${organization}, ${id}, ${type}, gen_random_uuid(), now(), ${JSON.stringify({ id, type, data: {} })})`;
      }
      await sleep(Math.random() * 200);
      if (Math.random() < 0.1) throw new RolledBack();
      return ids;
    });
  };
  const run = async (): Promise<void> => {
    while (!stop.aborted) {
      try {
        committed.push(...(await write()));
      } catch (error) {
        // Killed with the database, or before its end: it was committed, or it was not.
        if (!(error instanceof RolledBack)) await sleep(100);
      }
    }
  };
  await Promise.all(Array.from({ length: writers }, run));
  await sql.end({ timeout: 1 });
  return committed;
}

class RolledBack extends Error {}

/** Ids say nothing about the order here. */
const newId = (): string => `evt_${crypto.randomUUID().replaceAll('-', '')}`;
