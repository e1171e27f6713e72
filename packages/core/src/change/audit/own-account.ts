import type { AuditedAction } from '@dealkeep/contract';
import type { Statements } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import type { RequestOrigin } from '../../identity/credentials/request-origin.ts';
import type { Services } from '../services.ts';
import { type AuditDetail, type AuditRow, firstEntryId, insertEntries, rowOf } from './audit-log.ts';

interface OwnAuditEntry {
  readonly operation: Extract<AuditedAction, `account.${string}`>;
  /** RFC 3339, UTC. */
  readonly now: string;
  readonly from?: RequestOrigin | undefined;
  readonly detail?: AuditDetail;
}

/** A user as an organization knows them. */
export interface OwnMembership {
  readonly organization_id: string;
  readonly id: string;
  readonly name: string;
}

const entryOf = ({ id, name }: OwnMembership, { now, from, ...entry }: OwnAuditEntry): AuditRow =>
  rowOf(
    {
      ...entry,
      resource: 'user',
      recordId: id,
      recordName: name,
      by: { kind: 'user', user: { id, name }, via: 'console', from },
    },
    now,
  );

/** Writes what somebody does with their own account: an entry for each of these organizations. */
export async function addOwnAuditEntry(
  sql: Statements,
  entry: OwnAuditEntry,
  members: readonly OwnMembership[],
): Promise<void> {
  for (const member of members)
    await sql`${insertEntries(sql, member.organization_id, [entryOf(member, entry)])}`;
}

/** Everywhere where somebody is active. */
export const membershipsOf = (sql: Statements, accounts: readonly string[]) => sql<OwnMembership[]>`
  select organization_id, id, name from memberships where person_id = any(${[...accounts]}::uuid[]) and active`;

/** Wrong passwords that are told of one user in an hour: whoever tries thousands does not fill the log. */
const failuresToldInAnHour = 10;

/**
 * Notes that somebody tried to sign in as one of these. It never rejects: whoever answers does not wait for it, so
 * that an answer takes as long where nobody has the address.
 */
export async function noteFailedSignIn(
  { sql, clock, log }: Pick<Services, 'sql' | 'clock' | 'log'>,
  accounts: readonly string[],
  from: RequestOrigin | undefined,
): Promise<void> {
  if (accounts.length === 0) return;
  const now = clock.now();
  const hourAgo = firstEntryId(new Date(now.getTime() - 3_600_000).toISOString());
  const entry = { operation: 'account.sign-in-failed', now: now.toISOString(), from } as const;
  const note = async (): Promise<void> => {
    for (const member of await membershipsOf(sql, accounts))
      await inTransaction(sql, async (tx) => {
        // Of several at once each counts what those before it have told.
        await tx`
          select from memberships where organization_id = ${member.organization_id} and id = ${member.id} for no key update`;
        await tx`
          ${insertEntries(tx, member.organization_id, [entryOf(member, entry)])}
          where (select count(*) from (
                   select 1 from audit_entries e
                   where e.organization_id = ${member.organization_id} and e.actor_id = ${member.id} and e.id > ${hourAgo}
                     and e.operation = 'account.sign-in-failed'
                   limit ${failuresToldInAnHour}) told) < ${failuresToldInAnHour}`;
      });
  };
  await note().catch((error) => log.warn({ error }, 'A failed sign-in could not be noted'));
}
