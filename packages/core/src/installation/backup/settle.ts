import { addAuditEntries, operator } from '../../change/audit/audit-log.ts';
import { beginRestoredEra } from '../../change/events/event-era.ts';
import { countMails } from '../../change/queue/mail-jobs.ts';
import type { Clock } from '../../foundations/clock.ts';
import type { Transaction } from '../../foundations/database/connect.ts';
import type { Environment } from '../../foundations/environment.ts';
import type { BackupHeader } from './backup-file.ts';

/** What may become of that which was taken back since a backup was made, and nobody knows. */
export interface SettleOptions {
  clock: Clock;
  environment: Environment;
  /**
   * `restored`: what happened since is unknown, so nothing is sent until an operator says so, and nobody stays
   * signed in. `recovered`: the same, of PostgreSQL's own files and log. `moved`: nothing has happened since;
   * everything goes on.
   */
  as: 'restored' | 'recovered' | 'moved';
  /** Of API keys and of connections of applications, and the REST hooks that they made. */
  keys: 'keep' | 'end';
  /** Those that people made; a REST hook belongs to its key. */
  webhooks: 'keep' | 'disable';
}

/** What was found in a backup, and what was done about it. */
export interface Settled {
  deliveries: 'sending' | 'held';
  /** What waits to be sent. */
  waiting: { deliveries: number; held_events: number; mails: number };
  sessions_ended: number;
  /** Whose links count no more: it may have been accepted or withdrawn since. */
  invitations_ended: number;
  /** Keys and connections that count again, or that were ended. */
  keys: { state: 'keep' | 'end'; keys: number; connections: number; rest_hooks: number };
  /** Those that work again, or that were disabled. */
  webhooks: { state: 'keep' | 'disable'; count: number };
  /** They go on when a worker starts. */
  imports_under_way: number;
}

/** Has what was at a moment begin a life of its own; of a backup in the transaction that brought it. */
export async function settle(
  tx: Transaction,
  { made_at }: Pick<BackupHeader, 'made_at'>,
  options: SettleOptions,
): Promise<Settled> {
  const { as, environment, clock } = options;
  const now = clock.now().toISOString();
  await tx`update installation set environment = ${environment}`;
  // Workers that had leased something are workers of the original.
  await tx`update deliveries set worker_id = null where worker_id is not null`;
  const keys = await settleKeys(tx, options.keys, now);
  const webhooks = await settleWebhooks(tx, options.webhooks, now);
  let [sessions_ended, invitations_ended] = [0, 0];
  if (as !== 'moved') {
    await beginRestoredEra(tx);
    sessions_ended = (await tx`delete from console_sessions`).count;
    invitations_ended = await endInvitationLinks(tx);
    await tx`delete from oauth_codes where redeemed_at is null`;
    const origin = as === 'restored' ? `Restored from a backup of ${made_at}` : `Recovered as of ${made_at}`;
    await holdEverything(tx, `${origin}: what was sent since then is not known`);
    await noteRestore(tx, now);
  }
  return {
    deliveries: as === 'moved' ? 'sending' : 'held',
    waiting: {
      deliveries: await count(tx, 'deliveries'),
      held_events: await count(tx, 'held_events'),
      mails: await countMails(tx),
    },
    sessions_ended,
    invitations_ended,
    keys,
    webhooks,
    imports_under_way: await count(tx, "imports where status in ('checking', 'running', 'undoing')"),
  };
}

async function count(tx: Transaction, what: string): Promise<number> {
  const [row] = await tx.unsafe<{ count: number }[]>(`select count(*)::integer as count from ${what}`);
  return row?.count ?? 0;
}

/** They stay open, so that owners see them, and send them again or withdraw them. Answers how many there were. */
async function endInvitationLinks(tx: Transaction): Promise<number> {
  const ended = await tx`delete from invitation_tokens returning organization_id, invitation_id`;
  return new Set(ended.map((row) => `${row['organization_id']} ${row['invitation_id']}`)).size;
}

/** As `dealkeep queue pause --all`; `dealkeep queue resume --all` ends it. */
async function holdEverything(tx: Transaction, reason: string): Promise<void> {
  await tx`
    update installation
    set deliveries_paused_at = coalesce(deliveries_paused_at, now()), deliveries_paused_reason = ${reason}`;
}

/** So that owners see from when on the log is silent. */
async function noteRestore(tx: Transaction, now: string): Promise<void> {
  for (const { id, name } of await tx<{ id: string; name: string }[]>`select id, name from organizations`) {
    const what = { operation: 'backups.restore', resource: 'organization', recordId: id } as const;
    await addAuditEntries(tx, id, now, { ...what, recordName: name, by: operator });
  }
}

async function settleKeys(tx: Transaction, state: 'keep' | 'end', now: string): Promise<Settled['keys']> {
  const living = `revoked_at is null and (expires_at is null or expires_at > '${now}')`;
  const found = {
    state,
    keys: await count(tx, `api_keys where ${living}`),
    connections: await count(tx, 'oauth_connections where ended_at is null'),
    // Those that were deleted are disabled; a backup of an older version does not know when.
    rest_hooks: await count(
      tx,
      'webhooks where coalesce(api_key_id, oauth_connection_id) is not null and disabled_reason is null',
    ),
  };
  if (state === 'keep') return found;
  await tx`update api_keys set revoked_at = ${now} where revoked_at is null`;
  await tx`update oauth_connections set ended_at = ${now}, ended_because = 'revoked' where ended_at is null`;
  await tx`delete from oauth_access_tokens`;
  await tx`delete from oauth_refresh_tokens`;
  await tx`delete from webhooks where api_key_id is not null or oauth_connection_id is not null`;
  return found;
}

/** As a person disables one: what waits for it is dropped. */
async function settleWebhooks(
  tx: Transaction,
  state: 'keep' | 'disable',
  now: string,
): Promise<Settled['webhooks']> {
  const living = 'api_key_id is null and oauth_connection_id is null and disabled_reason is null';
  const found = { state, count: await count(tx, `webhooks where ${living}`) };
  if (state === 'keep') return found;
  await tx`
    update webhooks set disabled_reason = 'by_hand', disabled_at = ${now}, dropped_events = 0
    where ${tx.unsafe(living)}`;
  const isDisabled = tx`webhook_id in (select id from webhooks where disabled_reason = 'by_hand')`;
  await tx`delete from deliveries where ${isDisabled}`;
  await tx`delete from held_events where ${isDisabled}`;
  return found;
}
