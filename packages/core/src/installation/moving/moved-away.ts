import { connect, type Database } from '../../foundations/database/connect.ts';
import { noLimits } from '../../foundations/operating-limits.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { movingConnection } from './fence.ts';
import { findMoving, takeCommandLocks, takeLockHere } from './move-organization.ts';
import { type MovingOrganization, requireSameTables } from './move-requirements.ts';

/** An organization that has moved away, of which something is asked where it was before. */
export interface MovedAway {
  /** PostgreSQL's own address, of the role that owns the tables. */
  readonly here: string;
  /** That of the installation which the organization moved into; undefined where nobody is to look there. */
  readonly there: string | undefined;
  readonly slug: string;
}

/** Whether an organization is in the installation that it moved into; `unknown` where nobody is to look there. */
export type Whereabouts = 'there' | 'nowhere' | 'unknown';

/**
 * Works on what an organization that has moved left here, while no other command moves it, and tells where it is.
 * Raises OperatorError for one that has not moved, or of which that is not certain.
 */
export async function onMovedAway<Result>(
  { here, there, slug }: MovedAway,
  work: (sql: Database, organization: MovingOrganization, found: Whereabouts) => Promise<Result>,
): Promise<Result> {
  const settings = { idle_in_transaction_session_timeout: '0', synchronous_commit: 'on' };
  const connection = { connections: 1, name: movingConnection, limits: noLimits, settings };
  const sql = connect(here, connection);
  const other = there === undefined ? undefined : connect(there, connection);
  try {
    const organization = await findMoving(sql, slug);
    if (organization.moved_at === null) throw new OperatorError(`"${slug}" has not moved: it is here`);
    if (organization.move_ended_at === null) {
      throw new OperatorError(
        `It is not certain that "${slug}" has arrived: run its move again, which finds out`,
      );
    }
    if (!other) {
      await takeLockHere(sql, organization);
      return await work(sql, organization, 'unknown');
    }
    await requireSameTables(other, 'The other database');
    await takeCommandLocks(sql, other, organization);
    return await work(sql, organization, await lookFor(other, organization));
  } finally {
    await Promise.all([sql.end({ timeout: 5 }), other?.end({ timeout: 5 })]);
  }
}

async function lookFor(
  other: Database,
  { id, moved_into: into }: MovingOrganization,
): Promise<'there' | 'nowhere'> {
  const [installation] = await other<{ name: string | null }[]>`select name from installation`;
  // None where it is being forgotten here.
  if (into !== null && installation?.name !== into) {
    throw new OperatorError(
      'The other database is not known as the one that the organization moved into: name that one. Nobody can tell of one that was restored from before any organization moved into it',
      { help: { allowed: 'unchecked' } },
    );
  }
  const [found] = await other`select from organizations where id = ${id}`;
  return found ? 'there' : 'nowhere';
}
