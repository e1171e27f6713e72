import type { Statements } from '../../foundations/database/connect.ts';
import { lockNumber } from '../../foundations/database/in-transaction.ts';

/** Whoever writes shares this lock, and the move has it for itself. */
export const fenceLock = (organization: string): string =>
  String(lockNumber('organization move', organization));

/**
 * Whether an organization was moved to another installation, which sends its mails. Raises an error while it moves:
 * the mail is tried again, here or there.
 */
export async function hasMoved(
  { sql }: { readonly sql: Statements },
  organization: string,
): Promise<boolean> {
  const [row] = await sql<{ moved: boolean; stands: boolean }[]>`
    select moved_at is not null as moved, pg_try_advisory_xact_lock_shared(${fenceLock(organization)}) as stands
    from organizations where id = ${organization}`;
  if (row && !row.moved && !row.stands)
    throw new Error('The organization is being moved to another installation');
  return row?.moved === true;
}
