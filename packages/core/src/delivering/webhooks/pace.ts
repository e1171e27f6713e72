import type { Fragment, Statements, Transaction } from '../../foundations/database/connect.ts';

// How fast a webhook with `max_per_minute` is served (decision 41): a bucket of `burst` attempts, refilled evenly,
// and so slowly that a full bucket and what comes in a minute are no more than the figure. `paced_until` of its row
// is when there is one in it again.

/** An attempt begins at most this much later than it was leased; the minute is counted with it. */
export const pacedStartMs = 1000;
/** Where a lease could not look into the bucket, because somebody writes the row of the webhook at that moment. */
export const paceLockedMs = 50;

/** Attempts that may begin at once: a second's worth. */
const burstOf = (sql: Statements, perMinute: Fragment): Fragment => sql`ceil(${perMinute} / 60.0)`;

/** The time in which one more comes. */
export const paceOf = (sql: Statements, perMinute: Fragment): Fragment => sql`
  make_interval(secs => ${60 + pacedStartMs / 1000} / (${perMinute} - ${burstOf(sql, perMinute)} + 1))`;

const own = (sql: Statements): Fragment => sql`w.max_per_minute`;

/** How many attempts `webhooks w` may begin now. */
const attemptsGranted = (sql: Statements, now: string): Fragment => sql`
  case when w.paced_until > ${now} then 0
       else least(${burstOf(sql, own(sql))},
                  1 + floor(extract(epoch from ${now}::timestamptz - w.paced_until)
                            / extract(epoch from ${paceOf(sql, own(sql))}))) end::integer`;

/** With a worker at it, the bucket of a webhook that more waits for is empty again within this time. */
const servedWithinSeconds = 5;

/**
 * Whether what is due for `webhooks w` waits for its pace: one more attempt may begin later, or might for so short a
 * time that a worker is about to take it.
 */
export const waitsForPace = (sql: Statements, now: string): Fragment => sql`
  coalesce(w.paced_until > ${now}::timestamptz - make_interval(secs => ${servedWithinSeconds}), false)`;

/** The organizations and ids of the webhooks of which what is due waits for that. */
export const pacedWebhooks = (sql: Statements, now: string): Fragment =>
  sql`select w.organization_id, w.id from webhooks w where ${waitsForPace(sql, now)}`;

/** Its `paced_until` when so many of them have begun. */
const pacedAfter = (sql: Statements, now: string, begun: Fragment): Fragment => sql`
  (greatest(w.paced_until, ${now}::timestamptz - (${burstOf(sql, own(sql))} - 1) * ${paceOf(sql, own(sql))})
   + ${begun} * ${paceOf(sql, own(sql))})`;

export interface PacedWebhook {
  readonly organization_id: string;
  readonly id: string;
}

/** What is in the bucket of a webhook. */
export interface Bucket extends PacedWebhook {
  /** Attempts that may begin. */
  granted: number;
  /** When these have begun, one more may in so many milliseconds. */
  nextInMs: number;
}

/**
 * Locks the buckets of webhooks; what somebody writes at that moment is not waited for, because others would wait,
 * too.
 */
export function lockBuckets(
  tx: Transaction,
  webhooks: readonly PacedWebhook[],
  now: string,
): PromiseLike<Bucket[]> {
  const granted = attemptsGranted(tx, now);
  return tx<Bucket[]>`
    select w.organization_id, w.id, ${granted} as granted,
           ceil(extract(epoch from ${pacedAfter(tx, now, granted)} - ${now}) * 1000) as "nextInMs"
    from unnest(${webhooks.map((each) => each.organization_id)}::uuid[], ${webhooks.map(({ id }) => id)}::uuid[])
      as wanted (organization_id, id)
    join webhooks w on w.organization_id = wanted.organization_id and w.id = wanted.id
    where w.max_per_minute is not null
    for no key update of w skip locked`;
}

/** So many attempts of each begin, of some perhaps none. */
export async function drawFromBuckets(
  tx: Transaction,
  begun: readonly (PacedWebhook & { attempts: number })[],
  now: string,
): Promise<void> {
  await tx`
    update webhooks w set paced_until = ${pacedAfter(tx, now, tx`begun.attempts`)}
    from unnest(${begun.map((each) => each.organization_id)}::uuid[], ${begun.map(({ id }) => id)}::uuid[],
                ${begun.map(({ attempts }) => attempts)}::integer[]) as begun (organization_id, id, attempts)
    where w.organization_id = begun.organization_id and w.id = begun.id and begun.attempts > 0`;
}
