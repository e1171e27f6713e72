import type { DeedBesides } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { type AuditDetail, firstEntryId, rowOf } from './audit-book.ts';
import type { RequestOrigin } from './request-origin.ts';

interface OwnDeed {
  readonly operation: Extract<DeedBesides, `account.${string}`>;
  /** RFC 3339, UTC. */
  readonly now: string;
  readonly from?: RequestOrigin | undefined;
  readonly detail?: AuditDetail;
}

/**
 * The statement that writes what somebody does with their own account, to stand in a larger one, too: an entry for each row
 * of `members`, which has `organization_id`, `id` and `name`.
 */
export function insertOwnDeed(sql: Statements, { now, from, ...deed }: OwnDeed, members: Fragment): Fragment {
  const row = rowOf({ ...deed, resource: 'user', by: { kind: 'user', via: 'console', from } }, now);
  return sql`
    insert into audit_entries (organization_id, id, at, operation, resource, record_id, record_name, actor_kind, actor_id,
                               actor_name, via, address, program, request_id, detail)
    select member.organization_id, ${row.id}::uuid, ${now}::timestamptz, ${row.operation}, 'user', member.id,
           member.name, 'user', member.id, member.name, 'console', ${row.address}, ${row.program}, ${row.request_id},
           ${row.detail && JSON.stringify(row.detail)}::text::jsonb
    from (${members}) member`;
}

/** Everywhere where somebody is active. */
export const membershipsOf = (sql: Statements, accounts: readonly string[]): Fragment => sql`
  select organization_id, id, name from memberships where person_id = any(${[...accounts]}::uuid[]) and active`;

/** Wrong passwords that are told of one user in an hour: whoever tries thousands does not fill the log. */
const failuresToldInAnHour = 10;

/**
 * Notes that somebody tried to sign in as one of these. Nobody waits for it, so that an answer takes as long where nobody has
 * the address.
 */
export function noteFailedSignIn(
  { sql, clock, log }: Pick<Core, 'sql' | 'clock' | 'log'>,
  accounts: readonly string[],
  from: RequestOrigin | undefined,
): void {
  if (accounts.length === 0) return;
  const now = clock.now();
  const hourAgo = firstEntryId(new Date(now.getTime() - 3_600_000).toISOString());
  const tried = sql`
    select m.* from (${membershipsOf(sql, accounts)}) m
    where (select count(*) from (
             select from audit_entries e
             where e.organization_id = m.organization_id and e.actor_id = m.id and e.id > ${hourAgo}
               and e.operation = 'account.sign-in-failed'
             limit ${failuresToldInAnHour}) told) < ${failuresToldInAnHour}`;
  const deed = { operation: 'account.sign-in-failed', now: now.toISOString(), from } as const;
  sql`${insertOwnDeed(sql, deed, tried)}`.catch((error) =>
    log.warn({ error }, 'A failed sign-in could not be noted'),
  );
}
