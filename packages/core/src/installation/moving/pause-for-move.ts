import { setTimeout as sleep } from 'node:timers/promises';
import { mailsOf } from '../../change/queue/mail-jobs.ts';
import { freeLostLeases } from '../../delivering/deliveries/lease/free-leases.ts';
import type { Database, Statements } from '../../foundations/database/connect.ts';
import { movingDrainedMs } from '../../foundations/operating-limits.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { commandLock, patiently } from './fence.ts';

/** By this an operator sees why nothing is sent, and a worker knows which pauses a move has left. */
export const reasonOfMove = 'Being moved to another installation';

/**
 * Has nothing more of an organization sent: no worker takes a delivery of it after this has answered. An operator's
 * pause stays what it is.
 */
export async function pauseForMove(source: Database, organization: string): Promise<void> {
  await source`
    insert into queue_pauses (organization_id, webhook_id, host, spellings, reason)
    values (${organization}, null, null, null, ${reasonOfMove})
    on conflict (organization_id, webhook_id, host) do nothing`;
  // Waits for workers that take deliveries at this moment, and may not have seen the pause.
  await patiently(source, 'deliveries', () =>
    source.begin(async (tx) => void (await tx`lock table deliveries in share mode`)),
  );
}

/** Ends the pause of a move. */
export async function resumeAfterMove(source: Statements, organization: string): Promise<void> {
  await source`
    delete from queue_pauses
    where organization_id = ${organization} and webhook_id is null and host is null and reason = ${reasonOfMove}`;
}

/** Waits until nothing is on its way. Raises OperatorError. */
export async function waitForLeases(source: Database, organization: string): Promise<void> {
  await waitUntil('A delivery', async () => {
    await freeLostLeases(source);
    const [leased] = await source`
      select from deliveries
      where webhook_id in (select id from webhooks where organization_id = ${organization}) and worker_id is not null limit 1`;
    return leased === undefined;
  });
}

/** Waits until no mail is being sent. Raises OperatorError. */
export const waitForMails = (source: Database, organization: string): Promise<void> =>
  waitUntil('A mail', async () => {
    const [sent] = await source`
      select from graphile_worker.jobs where ${mailsOf(source, organization)} and locked_at is not null limit 1`;
    return sent === undefined;
  });

async function waitUntil(what: string, isOver: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + movingDrainedMs; !(await isOver()); await sleep(100)) {
    if (performance.now() < end) continue;
    throw new OperatorError(
      `${what} of the organization has been on its way for more than ${movingDrainedMs / 1000} s: nothing was moved; run this again later`,
    );
  }
}

/**
 * Ends the pauses that moves left which were killed before the organization had left. Answers how many.
 */
export async function endPausesOfEndedMoves({ sql }: { readonly sql: Database }): Promise<number> {
  const paused = await sql<{ id: string }[]>`
    select p.organization_id as id from queue_pauses p join organizations o on o.id = p.organization_id
    where p.reason = ${reasonOfMove} and p.webhook_id is null and p.host is null and o.moved_at is null`;
  let ended = 0;
  for (const { id } of paused) {
    await sql.begin(async (tx) => {
      const [row] = await tx<
        { free: boolean }[]
      >`select pg_try_advisory_xact_lock(${commandLock(id)}) as free`;
      // Perhaps it has left meanwhile.
      const [left] = await tx`select from organizations where id = ${id} and moved_at is not null`;
      if (!row?.free || left) return;
      await resumeAfterMove(tx, id);
      ended += 1;
    });
  }
  return ended;
}
