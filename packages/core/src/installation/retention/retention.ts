import { limits } from '@dealkeep/contract';
import { isLiving } from '../../accounts/sessions/sessions.ts';
import { firstEntryId } from '../../change/audit/audit-log.ts';
import { mailTask } from '../../change/queue/mail-jobs.ts';
import { deletedHookMs } from '../../delivering/webhooks/deleted-hooks.ts';
import type { Clock } from '../../foundations/clock.ts';
import type { Database, Fragment } from '../../foundations/database/connect.ts';
import { oneServer, type Placement } from '../../foundations/database/placement.ts';
import {
  idleConnectionDays,
  type Retention,
  tokenRotationGraceSeconds,
  usualRetention,
} from '../../foundations/operating-limits.ts';
import { idsOfOrganizations, onOneServer } from '../../identity/tenancy/due-organizations.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** What one statement removes. */
interface Old {
  /** What became old before this moment. */
  before: string;
  now: Date;
  /** At most so many rows. */
  batch: number;
}

interface Kept {
  name: string;
  /** Milliseconds, by what the operator has set. */
  keptMs: (retention: Retention) => number;
  /** How often it is looked for. */
  every: 'minute' | 'hour';
}

/** Found by age alone, in all organizations at once: an index of its own says which are old. */
interface KeptByAge extends Kept {
  remove: (sql: Database, old: Old) => PromiseLike<{ count: number }>;
}

/** Found organization by organization, so that a large one keeps no small one waiting. */
interface KeptByOrganization extends Kept {
  table: string;
  /** Which rows are old, and what their age goes by. An index has it behind the organization. */
  isOld: (sql: Database, before: string) => Fragment;
  age: (sql: Database) => Fragment;
  /** Removes them another way than by a `delete`. */
  removeOf?: (sql: Database, organization: string, old: Old) => PromiseLike<{ count: number }>;
  /** From which moment on an organization still needs everything, however old. */
  neededSince?: (sql: Database) => Promise<ReadonlyMap<string, string>>;
}

/**
 * What is kept how long. Everything is removed in batches, each a transaction of its own that locks nothing else, so
 * that nobody waits for a removal. Held events stand elsewhere, because their number counts as well as their age
 * (`dropExcessHeldEvents`).
 */
const kept = [
  /** A client that repeats a request does so within a day. */
  {
    name: 'answers',
    keptMs: ({ answerHours }) => answerHours * hour,
    every: 'hour',
    remove: (sql, { before, batch }) => sql`
      delete from idempotent_answers where ctid = any(array(
        select ctid from idempotent_answers where created_at < ${before} order by created_at limit ${batch}))`,
  },
  /** The delivery log: what the console shows, and from which an event can be sent again. */
  {
    name: 'attempts',
    keptMs: ({ deliveryLogDays }) => deliveryLogDays * day,
    every: 'hour',
    table: 'attempts',
    isOld: (sql, before) => sql`started_at < ${before}`,
    age: (sql) => sql`started_at, id`,
  },
  /**
   * A day longer than the attempts, from which an event can be sent again. Events of deliveries that wait or are
   * held stay longer.
   */
  {
    name: 'events',
    keptMs: ({ eventDays }) => eventDays * day,
    every: 'hour',
    table: 'events',
    isOld: (sql, before) => sql`occurred_at < ${before}`,
    neededSince: oldestWaiting,
    age: (sql) => sql`occurred_at`,
  },
  /** What was imported, with its report: the records stay. */
  {
    name: 'imports',
    keptMs: () => limits.importDays * day,
    every: 'hour',
    table: 'imports',
    isOld: (sql, before) => sql`created_at < ${before}`,
    age: (sql) => sql`created_at`,
  },
  /** Who did what: as long as somebody may ask, and no longer, because it says of people what they did. */
  {
    name: 'auditEntries',
    keptMs: ({ auditDays }) => auditDays * day,
    every: 'hour',
    table: 'audit_entries',
    isOld: (sql, before) => sql`id < ${firstEntryId(before)}`,
    age: (sql) => sql`id`,
    removeOf: removeEntries,
  },
  /** Mails that could not be sent: until then an operator can have them tried again. */
  {
    name: 'mails',
    keptMs: ({ mailDays }) => mailDays * day,
    every: 'hour',
    remove: (sql, old) => removeFailedJobs(sql, sql`task_identifier = ${mailTask}`, old),
  },
  /** Other jobs that failed for good: as long as it takes somebody to look at them. */
  {
    name: 'failedJobs',
    keptMs: () => day,
    every: 'hour',
    remove: (sql, old) => removeFailedJobs(sql, sql`task_identifier <> ${mailTask}`, old),
  },
  /** Former secrets of webhooks: their end was decided when the secret was changed (`previousSecretHours`). */
  {
    name: 'secrets',
    keptMs: () => 0,
    every: 'hour',
    remove: (sql, { before }) => sql`
      update webhooks set previous_secret = null, previous_signing_key = null, previous_secret_until = null
      where previous_secret_until <= ${before}`,
  },
  /**
   * Hooks that their credential deleted, with what is held for them: until then it can subscribe again (rule hooks
   * 27).
   */
  {
    name: 'deletedHooks',
    keptMs: () => deletedHookMs,
    every: 'hour',
    remove: (sql, { before, batch }) => sql`
      delete from webhooks where (organization_id, id) in (
        select organization_id, id from webhooks where deleted_at <= ${before}
        order by id limit ${batch} for update skip locked)`,
  },
  /** Counts of requests: processes whose clocks are behind still count in the minutes before. */
  {
    name: 'windows',
    keptMs: () => 5 * minute,
    every: 'minute',
    remove: (sql, { before, batch }) => sql`
      delete from rate_windows where (minute, bucket_id) in (
        select minute, bucket_id from rate_windows where minute < ${Math.floor(Date.parse(before) / minute)}
        order by minute, bucket_id limit ${batch} for update skip locked)`,
  },
  /** Sessions of the console that nobody can use any more: `isLiving` says how long they live. */
  {
    name: 'sessions',
    keptMs: () => 0,
    every: 'minute',
    remove: (sql, { now, batch }) => sql`
      delete from console_sessions where ctid = any(array(
        select ctid from console_sessions where not ${isLiving(sql, now)} limit ${batch}))`,
  },
  /** Failed attempts to sign in: nobody is slowed down for longer. */
  {
    name: 'signInAttempts',
    keptMs: ({ signInAttemptHours }) => signInAttemptHours * hour,
    every: 'minute',
    remove: (sql, { before, batch }) => sql`
      delete from sign_in_attempts where ctid = any(array(
        select ctid from sign_in_attempts where last_at < ${before} limit ${batch}))`,
  },
  /**
   * For this long after their end they are shown as expired and can be sent again. Then they go, because they hold
   * the address of somebody who does not belong here.
   */
  {
    name: 'invitations',
    keptMs: () => 30 * day,
    every: 'minute',
    remove: (sql, { before, batch }) => sql`
      delete from invitations where ctid = any(array(
        select ctid from invitations where expires_at < ${before} limit ${batch}))`,
  },
  /** Their end was decided when they were issued. */
  {
    name: 'accessTokens',
    keptMs: () => 0,
    every: 'minute',
    remove: (sql, { before, batch }) => sql`
      delete from oauth_access_tokens where ctid = any(array(
        select ctid from oauth_access_tokens where expires_at < ${before} limit ${batch}))`,
  },
  /** Answers with new tokens: for an application that lost the response and asks again at once. */
  {
    name: 'tokenAnswers',
    keptMs: () => tokenRotationGraceSeconds * second,
    every: 'minute',
    remove: (sql, { before }) => sql`
      update oauth_refresh_tokens set answer = null where answer is not null and rotated_at < ${before}`,
  },
  /**
   * Refresh tokens that were exchanged. One that is used again gives away its thief, and ends the connection; but
   * who has not used a connection for so long has lost it anyway, so that an older one gives away nobody.
   */
  {
    name: 'refreshTokens',
    keptMs: () => idleConnectionDays * day,
    every: 'hour',
    remove: (sql, { before, batch }) => sql`
      delete from oauth_refresh_tokens where ctid = any(array(
        select ctid from oauth_refresh_tokens where rotated_at < ${before} order by rotated_at limit ${batch}))`,
  },
  /** After their end. The code of a living connection stays: used again, it gives away its thief. */
  {
    name: 'codes',
    keptMs: () => day,
    every: 'minute',
    remove: (sql, { before, batch }) => sql`
      delete from oauth_codes where ctid = any(array(
        select o.ctid from oauth_codes o where o.expires_at < ${before} and not exists (
          select from oauth_connections c
          where c.organization_id = o.organization_id and c.id = o.connection_id and c.ended_at is null)
        limit ${batch}))`,
  },
] as const satisfies readonly (KeptByAge | KeptByOrganization)[];

export type KeptName = (typeof kept)[number]['name'];

/** Rows that one statement removes at most. */
const batch = 1000;

/**
 * Removes what is kept no longer. A fault with one kind does not keep the others; it is raised at the end. Answers
 * how many of each kind there were.
 *
 * @param which those that are looked for so often, or those of these names; everything when absent
 */
export async function removeOld(
  {
    sql,
    clock,
    retention = usualRetention,
    placement = oneServer,
  }: { sql: Database; clock: Clock; retention?: Retention; placement?: Placement },
  { every, only }: { every?: Kept['every']; only?: readonly KeptName[] } = {},
): Promise<Partial<Record<KeptName, number>>> {
  const now = clock.now();
  const removed: Partial<Record<KeptName, number>> = {};
  const faults: unknown[] = [];
  for (const kind of kept) {
    if (every !== undefined && kind.every !== every) continue;
    if (only !== undefined && !only.includes(kind.name)) continue;
    try {
      const before = new Date(now.getTime() - kind.keptMs(retention)).toISOString();
      removed[kind.name] = await removeKind({ sql, placement }, kind, { before, now, batch });
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'Something old could not be removed');
  return removed;
}

/**
 * The same for a worker, by the earlier of its clock and PostgreSQL's: one whose clock is a day ahead removes
 * nothing a day early for everybody.
 */
export async function sweepOld(
  core: { sql: Database; clock: Clock; retention: Retention; placement: Placement },
  every: Kept['every'],
): Promise<Partial<Record<KeptName, number>>> {
  const [row] = await core.sql<{ now: string }[]>`select now() as now`;
  const now = new Date(Math.min(core.clock.now().getTime(), Date.parse(row?.now ?? '')));
  return removeOld({ ...core, clock: { now: () => now } }, { every });
}

async function removeKind(
  { sql, placement }: { readonly sql: Database; readonly placement: Placement },
  kind: KeptByAge | KeptByOrganization,
  old: Old,
): Promise<number> {
  if ('remove' in kind) return removeInBatches(() => kind.remove(sql, old));
  const needed = await kind.neededSince?.(sql);
  let removed = 0;
  // Records that stand apart can be asked for one organization after the other alone.
  const find = placement.choose({ together: havingOld, apart: idsOfOrganizations });
  for (const id of await find(sql, kind, old.before)) {
    const since = needed?.get(id);
    const before = since !== undefined && since < old.before ? since : old.before;
    const due = { ...old, before };
    removed += await removeInBatches(() => kind.removeOf?.(sql, id, due) ?? removeOf(sql, kind, id, due));
  }
  return removed;
}

/**
 * The organizations that have something old: of many most have nothing, and one look at the index of each is enough.
 */
async function havingOld(
  sql: Database,
  { table, isOld }: KeptByOrganization,
  before: string,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select ${onOneServer(sql)} o.id from organizations o
    cross join lateral (select from ${sql(table)} t where t.organization_id = o.id and ${isOld(sql, before)} limit 1) found`;
  return rows.map(({ id }) => id);
}

const removeOf = (
  sql: Database,
  { table, isOld, age }: KeptByOrganization,
  organization: string,
  { before, batch }: Old,
): PromiseLike<{ count: number }> => sql`
  delete from ${sql(table)} where organization_id = ${organization} and ctid = any(array(
    select ctid from ${sql(table)} where organization_id = ${organization} and ${isOld(sql, before)}
    order by ${age(sql)} limit ${batch}))`;

/** The program may not remove entries of the audit log; the database does, and none of the last 30 days. */
async function removeEntries(
  sql: Database,
  organization: string,
  { before, batch }: Old,
): Promise<{ count: number }> {
  const [row] = await sql<{ count: number }[]>`
    select remove_old_audit_entries(${organization}, ${firstEntryId(before)}, ${batch}) as count`;
  return { count: row?.count ?? 0 };
}

async function removeInBatches(removeBatch: () => PromiseLike<{ count: number }>): Promise<number> {
  let removed = 0;
  for (let count = batch; count >= batch; removed += count) ({ count } = await removeBatch());
  return removed;
}

/** Of the jobs that graphile-worker tries no more. */
const removeFailedJobs = (
  sql: Database,
  which: Fragment,
  { before, batch }: Old,
): PromiseLike<{ count: number }> => sql`
  select from graphile_worker.complete_jobs(array(
    select id from graphile_worker.jobs
    where ${which} and locked_by is null and attempts >= max_attempts and created_at < ${before}
    order by created_at limit ${batch}))`;

/** When the oldest event occurred that each organization still waits for. */
async function oldestWaiting(sql: Database): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ organization_id: string; oldest: string }[]>`
    select organization_id, min(oldest) as oldest
    from (select organization_id, min(created_at) as oldest from deliveries group by organization_id
          union all
          select organization_id, min(occurred_at) from held_events group by organization_id) waiting
    group by organization_id`;
  return new Map(rows.map(({ organization_id, oldest }) => [organization_id, oldest]));
}
