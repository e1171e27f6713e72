import type { Database, Statements } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { freeLostLeases } from '../deliveries/leases.ts';
import { countMails, removeMailsBefore } from '../mails/mail-jobs.ts';
import { operatorMoment } from '../operator.ts';

/** The queue of everything that is to be sent, as an operator sees it. */
export interface QueueStanding {
  /** `paused`: by `dealkeep queue pause --all`; nothing is sent, whatever the processes are set to. */
  deliveries: 'sending' | 'paused';
  paused_at: string | null;
  /** Deliveries that wait, those of them that are due, and those that are on their way at this moment. */
  waiting: number;
  due: number;
  in_flight: number;
  /** For how long the oldest due delivery has been due. */
  oldest_due_seconds: number;
  /** Mails that wait. */
  mails: number;
}

/** Whether an operator has paused everything; a condition for statements that take something to be sent. */
export const nothingPaused = (sql: Statements) =>
  sql`not exists (select from installation where deliveries_paused_at is not null)`;

/** Since when an operator has everything paused; null when not. */
export async function pausedSince(sql: Statements): Promise<string | null> {
  const [row] = await sql<{ paused_at: string | null }[]>`
    select deliveries_paused_at as paused_at from installation`;
  return row?.paused_at ?? null;
}

/** Nothing new is sent by any worker from the next claim on: neither webhooks nor mails. */
export async function pauseQueue(sql: Database): Promise<QueueStanding> {
  await sql`update installation set deliveries_paused_at = coalesce(deliveries_paused_at, now())`;
  return queueStanding(sql);
}

/** Everything is sent again. */
export async function resumeQueue(sql: Database): Promise<QueueStanding> {
  await sql`update installation set deliveries_paused_at = null`;
  return queueStanding(sql);
}

export async function queueStanding(sql: Statements): Promise<QueueStanding> {
  const [row] = await sql<Omit<QueueStanding, 'deliveries' | 'mails' | 'paused_at'>[]>`
    select count(*) filter (where worker_id is null)::integer as waiting,
           count(*) filter (where worker_id is null and due_at <= now())::integer as due,
           count(*) filter (where worker_id is not null)::integer as in_flight,
           coalesce(extract(epoch from now() - min(due_at) filter (where worker_id is null and due_at <= now())), 0)::integer
             as oldest_due_seconds
    from deliveries`;
  const mails = await countMails(sql);
  if (!row) throw new Error('A count gave no row');
  const paused_at = await pausedSince(sql);
  return { deliveries: paused_at === null ? 'sending' : 'paused', paused_at, ...row, mails };
}

/**
 * Takes out of the queue what happened before a moment, deliveries, held events and mails, as after a restore, when the
 * original has sent it long ago. Raises OperatorError for what is no moment.
 */
export async function discardQueue(
  sql: Database,
  before: string,
): Promise<{ deliveries: number; held_events: number; mails: number }> {
  const moment = operatorMoment('--before', before).toISOString();
  // Deliveries that were leased when a backup was made have been sent as well; the worker that had them does not run on
  // this database.
  await freeLostLeases(sql);
  return inTransaction(sql, async (tx) => {
    const deliveries = await tx`delete from deliveries where worker_id is null and created_at < ${moment}`;
    const held = await tx`delete from held_events where occurred_at < ${moment}`;
    const mails = await removeMailsBefore(tx, moment);
    return { deliveries: deliveries.count, held_events: held.count, mails };
  });
}
