import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Statements } from '../../foundations/database/connect.ts';
import { endAutovacuums } from '../../foundations/database/end-autovacuums.ts';
import { isLockNotAvailable, lockMend } from '../../foundations/database/failures.ts';
import { lockNumber } from '../../foundations/database/in-transaction.ts';
import { quoted } from '../../foundations/database/tables.ts';
import { fencePatience } from '../../foundations/operating-limits.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { fenceLock } from '../../identity/tenancy/has-moved.ts';
import { movedTables } from './moved-tables.ts';

/** What the connections of a move are called; the triggers let them pass. */
export const movingConnection = 'move of an organization';

/** Two commands do not move one organization at once. */
export const commandLock = (organization: string): string =>
  String(lockNumber('organization move command', organization));

/**
 * Makes on each table what can keep an organization still; nothing waits for it yet but each table's writers, a
 * fifth of a second at most. Whoever began to write before has ended then. Raises OperatorError when something keeps
 * a table locked.
 *
 * @param sql a pool of one connection
 */
export async function prepareFence(sql: Database, organization: string): Promise<void> {
  for (const table of await fencedTables(sql)) {
    await patiently(sql, table, () => sql.unsafe(triggersOf(table, organization)));
  }
}

/**
 * Has the database refuse whatever changes a row of an organization, from when this answers until the connection
 * ends. Raises OperatorError when something keeps on writing.
 */
export const raiseFence = (sql: Database, organization: string): Promise<void> =>
  patiently(
    sql,
    'the rows of the organization',
    () => sql`select pg_advisory_lock(${fenceLock(organization)})`,
  );

/** Whether this connection still has what `raiseFence` took. */
export const isFenced = (sql: Statements, organization: string) => sql`
  exists (select from pg_locks
          where locktype = 'advisory' and pid = pg_backend_pid() and mode = 'ExclusiveLock' and granted and objsubid = 1
            and (classid::bigint << 32) | objid::bigint = ${fenceLock(organization)}::bigint)`;

/** Takes the triggers away. One whose table is busy stays; without its lock it lets everything pass. */
export async function takeFenceAway(sql: Database, organization: string): Promise<void> {
  await sql`select pg_advisory_unlock(${fenceLock(organization)})`;
  await sql.unsafe(`set lock_timeout = ${fencePatience.lockMs}`);
  for (const table of await fencedTables(sql)) {
    const drops = commands.map(
      (command) => `drop trigger if exists ${triggerName(organization, command)} on ${quoted(table)}`,
    );
    for (let tries = fencePatience.dropTries; tries > 0; tries -= 1) {
      try {
        await sql.unsafe(drops.join(';'));
        break;
      } catch (error) {
        if (!isLockNotAvailable(error)) throw error;
        await sleep(fencePatience.againMs);
      }
    }
  }
  await sql.unsafe('set lock_timeout = 0');
}

/** People too: a password that changed here after it was copied would count no more there. */
const fencedTables = async (sql: Statements): Promise<string[]> => [
  ...(await movedTables(sql)).map(({ name }) => name),
  'users',
];

const commands = ['insert', 'update', 'delete'] as const;

const triggerName = (organization: string, command: (typeof commands)[number]): string =>
  quoted(`moves_${organization.replaceAll('-', '')}_${command}`);

function triggersOf(table: string, organization: string): string {
  const is = (row: 'old' | 'new'): string =>
    `${row}.${table === 'organizations' ? 'id' : 'organization_id'} = '${organization}'::uuid`;
  const conditions = { insert: is('new'), update: `${is('old')} or ${is('new')}`, delete: is('old') };
  // A person whom nobody knows yet is in no organization.
  const watched = table === 'users' ? commands.slice(1) : commands;
  return watched
    .map((command) => {
      const when = table === 'users' ? '' : `when (${conditions[command]})`;
      return `create or replace trigger ${triggerName(organization, command)} before ${command} on ${quoted(table)}
        for each row ${when} execute function keep_moving_organization('${organization}', '${fenceLock(organization)}')`;
    })
    .join(';');
}

/**
 * Does what locks a table, which keeps whoever comes after it waiting: for a fifth of a second, then again, with
 * room for everybody else in between. Raises OperatorError when somebody else holds a lock for too long.
 *
 * @param sql a pool of one connection
 */
export async function patiently(
  sql: Database,
  what: string,
  work: () => PromiseLike<unknown>,
): Promise<void> {
  for (const end = performance.now() + fencePatience.totalMs; ; await sleep(fencePatience.againMs)) {
    try {
      await sql.unsafe(`set lock_timeout = ${fencePatience.lockMs}`);
      await work();
      await sql.unsafe('set lock_timeout = 0');
      return;
    } catch (error) {
      if (!isLockNotAvailable(error)) throw error;
      await sql.unsafe('set lock_timeout = 0');
      if (performance.now() < end) {
        await endAutovacuums(sql);
        continue;
      }
      throw new OperatorError(`Something keeps a lock (on ${what}): ${lockMend}`);
    }
  }
}
