import type { Platform, Scope } from '@dealkeep/contract';
import { type AuditedActor, addAuditEntries, operator, theClock } from '../../change/audit/audit-log.ts';
import type { WebhookKey } from '../../change/queue/delivery-jobs.ts';
import { endRestHooks } from '../../delivering/webhooks/withdraw-deliveries.ts';
import type { Clock } from '../../foundations/clock.ts';
import type { Database, Statements, Transaction } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { notFound } from '../../foundations/problem.ts';
import { idleSince } from './protocol.ts';

/** A connected application as the console shows it. */
export interface OAuthConnection {
  id: string;
  app: { client_id: string; name: string };
  user: { id: string; name: string };
  scopes: Scope[];
  /** How many REST hooks end with it. */
  hooks: number;
  created_at: string;
  last_used_at: string;
  /** The program of its last request, as it introduced itself. */
  last_used_by: string | null;
  /** The platforms of automation that ever used it. */
  platforms: Platform[];
}

/** The living connections of an organization, newest first. */
export const listConnections = (
  sql: Statements,
  { organization, user }: { organization: string; user?: string },
): Promise<OAuthConnection[]> =>
  sql<OAuthConnection[]>`
    select c.id, json_build_object('client_id', a.client_id, 'name', a.name) as app,
           json_build_object('id', m.id, 'name', m.name) as "user", c.scopes, c.created_at, c.last_used_at,
           c.last_used_by, c.platforms,
           (select count(*)::integer from webhooks w
            where w.organization_id = c.organization_id and w.oauth_connection_id = c.id
              and w.deleted_at is null) as hooks
    from oauth_connections c
    join oauth_apps a on a.client_id = c.client_id
    join memberships m on m.organization_id = c.organization_id and m.id = c.user_id
    where c.organization_id = ${organization} and c.ended_at is null
      ${user === undefined ? sql`` : sql`and c.user_id = ${user}`}
    order by c.created_at desc, c.id desc`;

/**
 * Disconnects an application. Raises NOT_FOUND.
 *
 * @param by whoever operates the installation, when absent
 */
export async function disconnect(
  { sql, clock }: { sql: Database; clock: Clock },
  connection: { organization: string; id: string },
  by: AuditedActor = operator,
): Promise<void> {
  const now = clock.now().toISOString();
  const ended = await inTransaction(sql, (tx) => endConnection(tx, connection, 'disconnected', { now, by }));
  if (!ended) throw notFound();
}

const endedAtOnce = 100;

/** Ends the connections that nobody used for 180 days. Answers how many. */
export async function endIdleConnections({ sql, clock }: { sql: Database; clock: Clock }): Promise<number> {
  const now = clock.now();
  let total = 0;
  for (;;) {
    const ended = await inTransaction(sql, async (tx) => {
      const idle = await tx<{ organization: string; id: string }[]>`
        select organization_id as organization, id from oauth_connections
        where ended_at is null and last_used_at < ${idleSince(now)}
        order by last_used_at limit ${endedAtOnce} for update skip locked`;
      let count = 0;
      for (const connection of idle) {
        const isEnded = await endConnection(tx, connection, 'idle', { now: now.toISOString(), by: theClock });
        if (isEnded) count += 1;
      }
      return count;
    });
    total += ended;
    if (ended < endedAtOnce) return total;
  }
}

/** Why a connection ended. */
type EndOfConnection = 'disconnected' | 'revoked' | 'idle' | 'reused' | 'person';

/**
 * Ends a connection: its tokens go at once, its REST hooks with them (rule oauth 19). Answers
 * whether it had not ended before.
 */
export async function endConnection(
  sql: Transaction,
  { organization, id }: { organization: string; id: string },
  because: EndOfConnection,
  { now, by }: { now: string; by: AuditedActor },
): Promise<boolean> {
  const [ended] = await sql<{ app: string }[]>`
    update oauth_connections c set ended_at = ${now}, ended_because = ${because}
    where organization_id = ${organization} and id = ${id} and ended_at is null
    returning (select a.name from oauth_apps a where a.client_id = c.client_id) as app`;
  if (!ended) return false;
  const what = { operation: 'connections.end', resource: 'me', recordId: id, recordName: ended.app } as const;
  await addAuditEntries(sql, organization, now, { ...what, detail: { reason: because }, by });
  await sql`
    with access as (
      delete from oauth_access_tokens where organization_id = ${organization} and connection_id = ${id})
    delete from oauth_refresh_tokens where organization_id = ${organization} and connection_id = ${id}`;
  const hooks = await sql<WebhookKey[]>`
    select organization_id, id as webhook_id from webhooks
    where organization_id = ${organization} and oauth_connection_id = ${id}`;
  await endRestHooks(sql, hooks);
  return true;
}
