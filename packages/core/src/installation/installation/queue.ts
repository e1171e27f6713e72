import { countMails, removeMailsBefore } from '../../change/queue/mail-jobs.ts';
import { listPauses, pausedWebhooks, type QueuePause } from '../../change/queue/queue-pauses.ts';
import { freeLostLeases } from '../../delivering/deliveries/lease/free-leases.ts';
import { pacedWebhooks } from '../../delivering/webhooks/pace.ts';
import type { Database, Fragment, Statements } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { operatorMoment } from '../../foundations/operator.ts';

/** The queue of everything that is to be sent, as an operator sees it. */
export interface QueueSummary {
  /** `paused`: by `dealkeep queue pause --all`; nothing is sent, whatever the processes are set to. */
  deliveries: 'sending' | 'paused';
  paused_at: string | null;
  /** Everything that is paused, what has been so for longest first. */
  pauses: QueuePause[];
  /**
   * Deliveries that wait; those of them that are due; those of the due whose organization, host or webhook is
   * paused.
   */
  waiting: number;
  due: number;
  due_paused: number;
  /** Those of the other due ones that wait because their webhook takes only so many a minute. */
  due_paced: number;
  /** Those that wait for their next attempt after one that failed. */
  retrying: number;
  /** Those that are on their way at this moment: leased by a worker. */
  in_flight: number;
  /** For how long the oldest of the remaining due ones has been due. */
  oldest_due_seconds: number;
  /** Mails that wait. */
  mails: number;
}

type Counts = Omit<QueueSummary, 'deliveries' | 'paused_at' | 'pauses' | 'mails'>;

/** All deliveries, to stand behind `from`: which of them wait, are due, and why those that are due are not sent. */
const queued = (sql: Statements): Fragment => sql`(
  with paused as materialized (${pausedWebhooks(sql)}),
  paced as materialized (${pacedWebhooks(sql, new Date().toISOString())})
  select d.organization_id, d.due_at, d.attempts, d.worker_id is null as waits,
         d.worker_id is null and d.due_at <= now() as is_due, paused.id is not null as is_paused,
         paused.id is null and paced.id is not null as is_paced
  from deliveries d
  left join paused on paused.organization_id = d.organization_id and paused.id = d.webhook_id
  left join paced on paced.organization_id = d.organization_id and paced.id = d.webhook_id)`;

const counts = (sql: Statements): Fragment => sql`
  count(*) filter (where waits)::integer as waiting,
  count(*) filter (where is_due)::integer as due,
  count(*) filter (where is_due and is_paused)::integer as due_paused,
  count(*) filter (where is_due and is_paced)::integer as due_paced,
  count(*) filter (where waits and not is_due and attempts > 0)::integer as retrying,
  count(*) filter (where not waits)::integer as in_flight,
  coalesce(extract(epoch from now() - min(due_at) filter (where is_due and not is_paused and not is_paced)), 0)::integer
    as oldest_due_seconds`;

export async function queueSummary(sql: Statements): Promise<QueueSummary> {
  const [row] = await sql<Counts[]>`select ${counts(sql)} from ${queued(sql)} queued`;
  if (!row) throw new Error('A count gave no row');
  const pauses = await listPauses(sql);
  const paused_at = pauses.find(({ kind }) => kind === 'all')?.paused_at ?? null;
  const mails = await countMails(sql);
  return { deliveries: paused_at === null ? 'sending' : 'paused', paused_at, ...row, mails, pauses };
}

/** What waits, for one organization. */
export interface OrganizationQueue extends Counts {
  /** Its slug. */
  organization: string;
}

/** The most waiting first. */
export const organizationQueues = (sql: Statements, limit: number): Promise<OrganizationQueue[]> => sql<
  OrganizationQueue[]
>`
  select o.slug as organization, counted.waiting, counted.due, counted.due_paused, counted.due_paced, counted.retrying,
         counted.in_flight, counted.oldest_due_seconds
  from (select organization_id, ${counts(sql)} from ${queued(sql)} queued group by 1) counted
  join organizations o on o.id = counted.organization_id
  order by waiting desc, due desc, o.slug limit ${limit}`;

/**
 * Takes out of the queue what happened before a moment, deliveries, held events and mails, as after a restore, when
 * the original has sent it long ago. Raises OperatorError for what is no moment.
 */
export async function discardQueue(
  sql: Database,
  before: string,
): Promise<{ deliveries: number; held_events: number; mails: number }> {
  const moment = operatorMoment('before', before).toISOString();
  // Deliveries that were leased when a backup was made have been sent as well; the worker that had them does not run
  // on this database.
  await freeLostLeases(sql);
  return inTransaction(sql, async (tx) => {
    const deliveries = await tx`delete from deliveries where worker_id is null and created_at < ${moment}`;
    const held = await tx`delete from held_events where occurred_at < ${moment}`;
    const mails = await removeMailsBefore(tx, moment);
    return { deliveries: deliveries.count, held_events: held.count, mails };
  });
}
