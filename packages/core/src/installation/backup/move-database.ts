import { PassThrough } from 'node:stream';
import type { Clock } from '../../foundations/clock.ts';
import {
  connect,
  type Database,
  type Statements,
  type Transaction,
} from '../../foundations/database/connect.ts';
import { migrate } from '../../foundations/database/migrate.ts';
import { copiedTables, quoted } from '../../foundations/database/tables.ts';
import type { Environment } from '../../foundations/environment.ts';
import { noLimits } from '../../foundations/operating-limits.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { ofAllOrganizations } from '../../identity/tenancy/due-organizations.ts';
import { causeOf, messageOf } from './causes.ts';
import { keepStill, requireStill } from './keep-still.ts';
import { requireAlone, requireNobody } from './requirements.ts';
import { OutcomeUnknown, type RestoredBackup, restoreBackup } from './restore-backup.ts';
import { requireDealkeep, takeBackup } from './take-backup.ts';

interface Move {
  /** PostgreSQL's own addresses; the second for the role that owns the tables there. */
  from: string;
  to: string;
  version: string;
  clock: Clock;
  environment: Environment;
  /** Of the keys that this environment has. */
  fingerprints: readonly string[];
}

/**
 * Why the queue of the database is paused that is moved; and of the other one, which gets it with the rows, until
 * the move is over.
 */
const moving = 'Moving to another database';
const moved = 'Moved to another database';

/**
 * Moves everything into an empty database of another server: a backup that is restored while it is made. Nothing has
 * happened in between, so everything goes on there as it was. Here nobody writes meanwhile, and the queue is paused
 * from before the other database has anything, so that nothing is sent twice, whatever ends the move and whichever
 * of the two is started then. Ended at any moment, it goes on when it is run again. Raises OperatorError.
 *
 * @returns undefined where a former move had brought everything, and this one has only finished it
 */
export async function moveDatabase(move: Move): Promise<RestoredBackup | undefined> {
  const options = { connections: 1, name: 'dealkeep move', limits: noLimits };
  const unhurried = { idle_in_transaction_session_timeout: '0' };
  const source = connect(move.from, { ...options, settings: unhurried });
  const target = connect(move.to, options);
  try {
    await requireDealkeep(source);
    const former = await whatFormerMoveLeft(source, target);
    if (former === 'copied') await leaveAfterFormer(source, target);
    const restored = former === undefined ? await copyAndLeave(source, move) : undefined;
    await arrive(source, target, move.to);
    return restored;
  } finally {
    await Promise.all([source.end({ timeout: 5 }), target.end({ timeout: 5 })]);
  }
}

interface Pause {
  since: string | null;
  reason: string | null;
}

/** Undefined of a database that is none of ours yet. */
async function pauseOf(sql: Database): Promise<Pause | undefined> {
  const [ours] = await sql`
    select from pg_attribute
    where attrelid = to_regclass('public.installation') and attname = 'deliveries_paused_reason'`;
  if (!ours) return undefined;
  const [pause] = await sql<Pause[]>`
    select deliveries_paused_at as since, deliveries_paused_reason as reason from installation`;
  return pause;
}

/**
 * What stands in the other database of a former move that did not come to its end: `copied` is everything, and
 * `left` is everything where this database says so, too. Whatever was copied has the pause of that move, by its
 * moment.
 */
async function whatFormerMoveLeft(
  source: Database,
  target: Database,
): Promise<'copied' | 'left' | undefined> {
  const here = await pauseOf(source);
  if (here?.reason !== moving && here?.reason !== moved) return undefined;
  // The former command may be at its commit still.
  await requireAlone(target);
  const there = await pauseOf(target);
  await target`select pg_advisory_unlock_all()`;
  if (there?.reason !== moving || there.since !== here.since) return undefined;
  return here.reason === moved ? 'left' : 'copied';
}

/**
 * Raises OperatorError where either database was changed since the copy: nobody could say which of them is right.
 */
const leaveAfterFormer = async (source: Database, target: Database): Promise<void> => {
  await source.begin(async (tx) => {
    await keepStill(tx);
    for (const { name } of await copiedTables(tx)) {
      const [here, there] = [await countRows(tx, name), await countRows(target, name)];
      if (here === there) continue;
      throw new OperatorError(
        `The other database has everything of a former move, and one of the two was changed since (${name}: ${here} rows here, ${there} there): make the other one anew (dropdb, createdb) and move again, or go on there and resume its queue`,
      );
    }
    await requireStill(tx);
    await leave(tx);
  });
};

async function countRows(sql: Statements, table: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select ${ofAllOrganizations(sql)} count(*) as count from ${sql.unsafe(quoted(table))}`;
  return row?.count ?? 0;
}

/** Raises OperatorError; this database goes on as before then, unless everything may have arrived. */
async function copyAndLeave(source: Database, move: Move): Promise<RestoredBackup> {
  await requireNobody(source);
  await source`
    update installation set deliveries_paused_at = now(), deliveries_paused_reason = ${moving}
    where deliveries_paused_at is null`;
  const progress: { restored?: RestoredBackup } = {};
  try {
    await source.begin(async (tx) => {
      await keepStill(tx);
      progress.restored = await copy(move, () => requireStill(tx));
      await leave(tx);
    });
  } catch (error) {
    if (progress.restored) {
      throw new OperatorError(
        `Everything is in the other database, and this one does not answer (${messageOf(error)}): the queues of both are paused; run this again when it answers`,
      );
    }
    throw error instanceof OutcomeUnknown ? atLeastPaused(error) : await stayAfter(error, source);
  }
  if (!progress.restored) throw new Error('A move ended without its copy');
  return progress.restored;
}

const atLeastPaused = ({ sentence }: OutcomeUnknown): OperatorError =>
  new OperatorError(`${sentence}. The queues of both are paused; run this again, and it goes on from there`);

async function copy(
  { from, to, version, ...place }: Move,
  beforeCommit: () => Promise<void>,
): Promise<RestoredBackup> {
  const channel = new PassThrough();
  const options = {
    ...place,
    as: 'moved',
    keys: 'keep',
    webhooks: 'keep',
    changeEnvironment: false,
    beforeCommit,
  } as const;
  const restoring = restoreBackup(to, channel, options).catch((error: unknown) => {
    // Else the other side would wait for somebody who reads.
    channel.destroy(error instanceof Error ? error : undefined);
    throw error;
  });
  // A failure here fails the restore, by the channel, unless that has everything already: then there is nothing to
  // undo.
  const taking = takeBackup({ url: from, version, clock: place.clock }, channel).catch(() => {});
  const restored = await restoring;
  await taking;
  return restored;
}

/** Whoever starts this database from now on finds its queue paused, and why. */
const leave = async (tx: Transaction): Promise<void> =>
  void (await tx`update installation set deliveries_paused_reason = ${moved}`);

/** The queue goes on here, unless somebody else had paused it. Answers what is to be told. */
async function stayAfter(error: unknown, source: Database): Promise<unknown> {
  const cause = causeOf(error, 'nothing was moved, and everything goes on here');
  try {
    await source`
      update installation set deliveries_paused_at = null, deliveries_paused_reason = null
      where deliveries_paused_reason = ${moving}`;
    return cause;
  } catch (other) {
    return new OperatorError(
      `${messageOf(cause)}. The queue of this database is paused still (${messageOf(other)}): run this again, or resume it`,
    );
  }
}

/** The other database is brought up to date, and goes on as this one did before. */
async function arrive(source: Database, target: Database, to: string): Promise<void> {
  try {
    await migrate(to);
    const here = await pauseOf(source);
    await target`
      update installation set deliveries_paused_at = null, deliveries_paused_reason = null
      where deliveries_paused_reason = ${moving} and deliveries_paused_at = ${here?.since ?? null}`;
  } catch (error) {
    throw new OperatorError(
      `Everything is in the other database, which could not be finished (${messageOf(error)}): its queue is paused; run this again`,
    );
  }
}
