import { setTimeout as sleep } from 'node:timers/promises';
import { addAuditEntries, operator } from '../../change/audit/audit-log.ts';
import { incomingOrganization } from '../../change/events/feed-horizon.ts';
import type { Clock } from '../../foundations/clock.ts';
import { connect, type Database } from '../../foundations/database/connect.ts';
import { endedCommandMs, lastAttemptsLoggedMs, noLimits } from '../../foundations/operating-limits.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { noteRevocation, untilEffective } from '../../identity/credentials/revocation.ts';
import { unknownOrganization } from '../../identity/tenancy/named-organization.ts';
import { causeOf, messageOf } from '../backup/causes.ts';
import { beginEraBehind, type CopiedOrganization, copyOrganization } from './copy-organization.ts';
import { commandLock, isFenced, movingConnection, prepareFence, raiseFence, takeFenceAway } from './fence.ts';
import {
  type MovingOrganization,
  requireMovable,
  requireSettled,
  requireTwoInstallations,
} from './move-requirements.ts';
import { isRowOf, movedTables } from './moved-tables.ts';
import { pauseForMove, resumeAfterMove, waitForLeases, waitForMails } from './pause-for-move.ts';

export interface OrganizationMove {
  /** PostgreSQL's own addresses: of the role that owns the tables, and of any that writes rows. */
  readonly from: string;
  readonly to: string;
  readonly slug: string;
  /** What the former address says of the new one. */
  readonly newAddress?: string | undefined;
  readonly version: string;
  readonly clock: Clock;
}

/** What would move. */
export interface OrganizationMovePreview {
  readonly organization: string;
  /** By their tables, without those that have none. */
  readonly rows: Readonly<Record<string, number>>;
  /** As it was measured last; null is never. */
  readonly storage_bytes: number | null;
}

export interface MovedOrganization extends Partial<CopiedOrganization> {
  readonly organization: string;
  readonly moved_at: string;
  readonly moved_to: string | null;
  /** For how long it could not be changed; absent where a former command had moved it already. */
  readonly paused_ms?: number;
}

/** Says what a move would move, and raises OperatorError for what stands in its way. Changes nothing. */
export const previewOrganizationMove = (move: OrganizationMove): Promise<OrganizationMovePreview> =>
  withBoth(move, async (source, target) => {
    const organization = await findMoving(source, move.slug);
    await requireTwoInstallations(source, target, move.version);
    if (organization.moved_at === null) await requireMovable(source, target, organization);
    const rows: [string, number][] = [];
    for (const table of await movedTables(source)) {
      const [row] = await source.unsafe<{ count: number }[]>(
        `select count(*)::integer as count from "${table.name}" where ${isRowOf(table, organization.id)}`,
      );
      if (row && row.count > 0) rows.push([table.name, row.count]);
    }
    const [measured] = await source<{ storage_bytes: number | null }[]>`
      select storage_bytes from organizations where id = ${organization.id}`;
    return {
      organization: organization.slug,
      rows: Object.fromEntries(rows),
      storage_bytes: measured?.storage_bytes ?? null,
    };
  });

/**
 * Moves an organization with everything into the database of another installation, while all others go on. Nothing
 * of it changes and nothing of it is sent from when its rows are read until they are there. Ended at any moment, it
 * is whole in one place: here as before, or there; run once more, it goes on. Raises OperatorError, with nothing
 * moved.
 */
export const moveOrganization = (move: OrganizationMove): Promise<MovedOrganization> =>
  withBoth(move, async (source, target) => {
    const organization = await findMoving(source, move.slug);
    await requireTwoInstallations(source, target, move.version);
    await takeCommandLocks(source, target, organization);
    const into = await nameOfInstallation(target);
    if ((await settleFormerMove(source, target, organization, into)) === 'moved') {
      return standingOf(source, organization);
    }
    // A former command had it leave.
    if (organization.moved_at !== null) await stay(source, organization.id);
    await requireMovable(source, target, organization);
    await beginEraBehind(source, target, organization.id);
    const progress = { hasLeft: false };
    try {
      await pauseForMove(source, organization.id);
      await waitForLeases(source, organization.id);
      await sleep(lastAttemptsLoggedMs);
      await prepareFence(source, organization.id);
      const pausedSince = performance.now();
      await raiseFence(source, organization.id);
      await waitForWhatIsOnItsWay(source, organization.id);
      const copied = await target.begin(async (tx) => {
        // Held by this transaction, too, until it has ended, should the connection be another one than at the
        // beginning.
        const [row] = await tx<{ taken: boolean }[]>`
          select pg_try_advisory_xact_lock(${commandLock(organization.id)}) as taken`;
        if (!row?.taken) throw anotherCommand();
        const whole = await copyOrganization(move.from, tx, organization.id);
        const now = move.clock.now().toISOString();
        const what = { operation: 'organizations.move', resource: 'organization' } as const;
        const entry = { ...what, recordId: organization.id, recordName: organization.name, by: operator };
        await addAuditEntries(tx, organization.id, now, entry);
        progress.hasLeft = true;
        await leave(source, organization.id, { now, into, address: move.newAddress ?? null });
        // No process answers with what it remembers of keys when writing begins there.
        await untilEffective();
        return whole;
      });
      await end(source, organization.id);
      const paused_ms = Math.round(performance.now() - pausedSince);
      return { ...(await standingOf(source, organization)), ...copied, paused_ms };
    } catch (error) {
      const cause = causeOf(error, 'nothing was moved, and the organization goes on here');
      if (!progress.hasLeft) throw await stayAfter(cause, source, organization.id);
      const state = await settleLater(source, target, organization, into);
      if (state === 'moved') return standingOf(source, organization);
      throw await stayAfter(cause, source, organization.id);
    }
  });

/** The same after a failure, when nobody knows what the other database has committed. Raises OperatorError. */
async function settleLater(
  source: Database,
  target: Database,
  organization: MovingOrganization,
  into: string,
): Promise<'moved' | 'here'> {
  try {
    await takeCommandLocks(source, target, organization);
    return await settleFormerMove(source, target, organization, into);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      'Whether the organization has arrived is not known, as a database does not answer: it is kept still in both. Run this again when both answer; it goes on from there',
    );
  }
}

async function withBoth<Result>(
  { from, to }: OrganizationMove,
  work: (source: Database, target: Database) => Promise<Result>,
): Promise<Result> {
  // What has left must not be here again after a crash of the server, whatever is usual there.
  const settings = { idle_in_transaction_session_timeout: '0', synchronous_commit: 'on' };
  const source = connect(from, { connections: 1, name: movingConnection, limits: noLimits, settings });
  const target = connect(to, { connections: 1, name: incomingOrganization, limits: noLimits, settings });
  try {
    return await work(source, target);
  } finally {
    await Promise.all([source.end({ timeout: 5 }), target.end({ timeout: 5 })]);
  }
}

/** Raises OperatorError for one that is not known. */
export async function findMoving(source: Database, slug: string): Promise<MovingOrganization> {
  const [found] = await source<MovingOrganization[]>`
    select id, name, slug, time_zone, moved_at, moved_to, moved_into, move_ended_at
    from organizations where slug = ${slug}`;
  if (!found) throw unknownOrganization(slug);
  return found;
}

/** Held until the connections end. A command that was killed lets go of them a moment later. */
export async function takeCommandLocks(
  source: Database,
  target: Database,
  organization: MovingOrganization,
): Promise<void> {
  const lock = commandLock(organization.id);
  await takeLockHere(source, organization);
  const [own] = await source<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const [same] = await target`
    select from pg_locks
    where locktype = 'advisory' and objsubid = 1 and granted and pid = ${own?.pid ?? 0}
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32) | objid::bigint = ${lock}::bigint`;
  if (same) throw new OperatorError('The other database is this one');
  await takeLock(target, lock);
}

/** The same in one database alone. */
export const takeLockHere = (source: Database, { id }: MovingOrganization): Promise<void> =>
  takeLock(source, commandLock(id));

const anotherCommand = (): OperatorError =>
  new OperatorError('Another command moves the organization at this moment: wait until it has ended');

async function takeLock(sql: Database, lock: string): Promise<void> {
  for (const end = performance.now() + endedCommandMs; ; await sleep(250)) {
    const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${lock}) as taken`;
    if (row?.taken) return;
    if (performance.now() > end) {
      throw anotherCommand();
    }
  }
}

/** So that an organization that has left is looked for where it went. */
async function nameOfInstallation(target: Database): Promise<string> {
  const [row] = await target<{ name: string }[]>`
    update installation set name = coalesce(name, gen_random_uuid()) returning name`;
  if (!row) throw new Error('The table installation has lost its row');
  return row.name;
}

/**
 * Ends what a former command left: an organization that had left and has arrived has moved; one that has not is here
 * again. Its connection to the other database is gone: whatever it wrote there is there or will never be. Raises
 * OperatorError.
 */
async function settleFormerMove(
  source: Database,
  target: Database,
  { id, slug }: MovingOrganization,
  into: string,
): Promise<'moved' | 'here'> {
  const { moved_at, moved_into, move_ended_at } = await findMoving(source, slug);
  if (moved_at === null) return 'here';
  // None is named any more once its rows are being removed here.
  if (moved_into !== null && moved_into !== into) {
    const state = move_ended_at === null ? 'was on its way' : 'has moved';
    throw new OperatorError(`The organization ${state} to another installation than this one: name that one`);
  }
  const [there] = await target`select from organizations where id = ${id}`;
  if (there) {
    if (move_ended_at === null) await end(source, id);
    return 'moved';
  }
  if (move_ended_at !== null) {
    throw new OperatorError('The organization has moved to the other installation, and is there no more');
  }
  await source.begin(async (tx) => {
    await tx`update organizations set moved_at = null, moved_to = null, moved_into = null where id = ${id}`;
    await noteRevocation(tx);
  });
  return 'here';
}

/** What goes on by itself when nothing is written any more: mails that are being sent. Raises OperatorError. */
async function waitForWhatIsOnItsWay(source: Database, organization: string): Promise<void> {
  await waitForLeases(source, organization);
  await waitForMails(source, organization);
  await requireSettled(source, organization);
}

/** From now on it is nowhere, until the other database has committed it. */
const leave = (
  source: Database,
  organization: string,
  { now, into, address }: { now: string; into: string; address: string | null },
): Promise<void> =>
  source.begin(async (tx) => {
    const left = await tx`
      update organizations set moved_at = ${now}, moved_to = ${address}, moved_into = ${into}
      where id = ${organization} and moved_at is null and ${isFenced(tx, organization)}`;
    if (left.count !== 1) {
      throw new OperatorError(
        'The connection to the database was lost that kept the organization still: nothing was moved; run this again',
      );
    }
    await noteRevocation(tx);
  });

/** It is known to be there: what waits is sent from there, and who is signed in, is so there. */
const end = (source: Database, organization: string): Promise<void> =>
  source.begin(async (tx) => {
    await tx`update organizations set move_ended_at = now() where id = ${organization} and move_ended_at is null`;
    const own = tx`webhook_id in (select id from webhooks where organization_id = ${organization})`;
    await tx`delete from deliveries where ${own}`;
    await tx`delete from held_events where ${own}`;
    await tx`delete from console_sessions where organization_id = ${organization}`;
  });

/**
 * It goes on here as before. Nothing is done where the connection was lost and another command has begun to move it.
 * Raises what the database says.
 */
async function stay(source: Database, organization: string): Promise<void> {
  const [row] = await source<{ taken: boolean }[]>`
    select pg_try_advisory_lock(${commandLock(organization)}) as taken`;
  if (!row?.taken) return;
  await takeFenceAway(source, organization);
  await resumeAfterMove(source, organization);
}

/**
 * The same after a failure, which is told whatever else fails. Triggers without the lock let everything pass, and a
 * worker ends the pause, so that what could not be taken away matters for a minute at most.
 */
async function stayAfter(cause: unknown, source: Database, organization: string): Promise<unknown> {
  try {
    await stay(source, organization);
    return cause;
  } catch (error) {
    return new OperatorError(
      `${messageOf(cause)}. Its deliveries are paused still (${messageOf(error)}): a worker ends the pause within a minute`,
    );
  }
}

async function standingOf(source: Database, { slug }: MovingOrganization): Promise<MovedOrganization> {
  const { moved_at, moved_to } = await findMoving(source, slug);
  if (moved_at === null) throw new Error('The organization has not moved');
  return { organization: slug, moved_at, moved_to };
}
