import { randomUUIDv7 } from 'node:crypto';
import type { FieldProblem } from '@dealkeep/contract';
import type { WebhookKey } from '../../change/queue/delivery-jobs.ts';
import type { Services } from '../../change/services.ts';
import type { ValidPart } from '../../change/verb/check-input.ts';
import { type Changing, NothingWritten, type Refusal } from '../../change/verb/verb.ts';
import type { Fragment, Statements, Transaction } from '../../foundations/database/connect.ts';
import { invalidFields, Problem } from '../../foundations/problem.ts';
import type { SecretColumns } from './new-secret.ts';
import { paceOf } from './pace.ts';
import { newKeyPair, newWebhookSecret, placeOfSecret } from './signing-keys.ts';
import { type AskedHeader, headersAfter, type StaticHeader, sealHeaders } from './static-headers.ts';
import { badTarget, targetProblems } from './targets.ts';
import {
  requireKnownEvents,
  type WantedColumns,
  type WantedEvents,
  wantedColumns,
  wantedProblems,
} from './wanted-events.ts';

/** A webhook that is made; a REST hook belongs to a key or a connection. */
export interface NewWebhook {
  readonly name: string;
  readonly target_url: string;
  readonly events: readonly string[];
  readonly wanted: WantedColumns;
  readonly api_key_id?: string | null;
  readonly oauth_connection_id?: string | null;
}

/** Makes a webhook, where there is room. Answers its id and its secret. Raises LIMIT_EXCEEDED. */
export async function insertWebhook(
  { core, sql, organization, now, write }: Changing,
  { name, target_url, events, wanted, api_key_id = null, oauth_connection_id = null }: NewWebhook,
  room: Room,
): Promise<{ id: string; secret: string }> {
  const id = randomUUIDv7();
  const secret = newWebhookSecret();
  const sealed = core.secrets.encrypt(secret, placeOfSecret({ organization_id: organization, id }));
  const inserted = sql`
    insert into webhooks (organization_id, id, api_key_id, oauth_connection_id, name, target_url, events,
                          filters, changed_fields, condition, secret, created_at)
    select ${organization}, ${id}, ${api_key_id}, ${oauth_connection_id}, ${name}, ${target_url}, ${[...events]},
           ${wanted.filters && sql.json(wanted.filters)}, ${wanted.changed_fields && [...wanted.changed_fields]},
           ${wanted.condition}, ${sealed}, ${now}
    where ${room.isThere} returning id`;
  await write(sql`written as (${inserted})`, room.refused);
  return { id, secret };
}

/**
 * Whether one more webhook may be made, until the commit. An organization has its maximum, REST hooks and manual
 * webhooks together.
 */
export interface Room {
  /** Part of the condition of what makes it. */
  readonly isThere: Fragment;
  /** What it means that nothing was made: LIMIT_EXCEEDED. */
  readonly refused: Refusal;
}

/**
 * The lock makes the count hold until the commit, and only a statement after it sees what was made before it.
 * Answers besides whether a webhook meets a condition: what it finds another one may have changed meanwhile.
 */
export async function lockRoom(
  sql: Transaction,
  organization: string,
  isSought: Fragment = sql`false`,
): Promise<[Room, boolean]> {
  const [found] = await sql<{ max_webhooks: number; is_found: boolean }[]>`
    select max_webhooks, exists (select from webhooks where ${isSought}) as is_found
    from organizations where id = ${organization} for no key update`;
  const max = found?.max_webhooks ?? 0;
  const room: Room = {
    isThere: sql`${webhooksOf(sql, organization)} < ${max}`,
    refused: (failure) =>
      failure instanceof NothingWritten ? new Problem('webhook.limit', { max }) : undefined,
  };
  return [room, found?.is_found === true];
}

/** Raises LIMIT_EXCEEDED as `insertWebhook` does, where none is made. */
export async function requireRoom(sql: Statements, organization: string): Promise<void> {
  const [found] = await sql<{ max: number; full: boolean }[]>`
    select max_webhooks as max, ${webhooksOf(sql, organization)} >= max_webhooks as full
    from organizations where id = ${organization}`;
  if (found?.full !== false) throw new Problem('webhook.limit', { max: found?.max ?? 0 });
}

const webhooksOf = (sql: Statements, organization: string): Fragment => sql`
  (select count(*) from webhooks where organization_id = ${organization} and deleted_at is null)`;

/** What can be changed of a webhook of either kind; an absent field stays. */
interface WebhookChanges extends WantedEvents {
  readonly name?: string | undefined;
  readonly target_url?: string | undefined;
  readonly events?: readonly string[] | undefined;
}

interface ChangeableWebhook extends Pick<WantedColumns, 'filters' | 'changed_fields'> {
  readonly id: string;
  readonly name: string | null;
  readonly target_url: string;
  readonly events: string[];
}

/**
 * Changes a locked webhook, whose changes were judged already, and answers it as it is then. What waits goes to a
 * new target, which is not blamed for the failures of the one before.
 *
 * @param others columns that are set besides
 */
export async function changeWebhook<Webhook extends ChangeableWebhook>(
  { sql, organization, write, describe }: Changing,
  before: Webhook,
  changes: WebhookChanges,
  others: OwnersColumns | SecretColumns = {},
): Promise<Webhook> {
  const { name = before.name, target_url = before.target_url, events = before.events, ...wanted } = changes;
  const { filters, changed_fields, condition } = wantedColumns(wantedAfter(before, wanted));
  // Who is given another secret begins anew as well.
  const isFresh = target_url !== before.target_url || 'secret' in others;
  const well = isFresh ? { failing_since: null, idle_since: null, failing_told_at: null } : {};
  describe({ name: before.name, before });
  const updated = sql`
    update webhooks set ${sql({
      name,
      target_url,
      events: [...events],
      filters: filters && sql.json(filters),
      changed_fields,
      condition,
      ...well,
      ...others,
    })}
    where organization_id = ${organization} and id = ${before.id} returning id`;
  await write(sql`written as (${updated})`);
  return { ...before, name, target_url, events: [...events], filters, changed_fields };
}

/** The events that were asked for, and what is wrong with what was asked of them. */
interface AskedEvents {
  readonly asked: readonly (string | undefined)[];
  readonly problems: readonly FieldProblem[];
}

/**
 * Judges the target, and raises what is wrong with it and the events: VALIDATION_ERROR, or UNKNOWN_EVENT,
 * WEBHOOK_URL_INVALID or WEBHOOK_URL_BLOCKED where that is all. Raises SERVICE_UNAVAILABLE as judging a target does.
 */
export async function requireDeliverable(
  core: Services,
  organization: string,
  { asked, problems }: AskedEvents,
  target: string | undefined,
): Promise<void> {
  const ofTarget = await targetProblems(core, organization, target);
  const [bad] = ofTarget;
  if (!bad) requireKnownEvents(problems, asked);
  else throw problems.length > 0 ? invalidFields([...problems, ...ofTarget]) : badTarget(bad);
}

/** What is wrong with what a webhook wants after changes, of which some may be refused. */
export const changeProblems = (
  before: ChangeableWebhook,
  { events, ...wanted }: ValidPart<WebhookChanges>,
): FieldProblem[] => wantedProblems(events ?? before.events, wantedAfter(before, wanted));

/** What it wants after the change: null asks for nothing any more. */
const wantedAfter = <Filters, Fields>(
  before: Pick<WantedColumns, 'filters' | 'changed_fields'>,
  { filters, changed_fields }: { filters?: Filters | undefined; changed_fields?: Fields | undefined },
) => ({
  filters: filters === undefined ? before.filters : filters,
  changed_fields: changed_fields === undefined ? before.changed_fields : changed_fields,
});

/** What owners ask of a webhook made by hand besides its events. What is absent stays. */
export interface OwnersWishes {
  readonly headers?: readonly AskedHeader[] | null | undefined;
  readonly max_per_minute?: number | null | undefined;
  readonly asymmetric_signature?: boolean | null | undefined;
}

export type OwnersColumns = {
  headers?: Buffer | null;
  signing_key?: Buffer | null;
  previous_signing_key?: null;
  public_key?: string | null;
  max_per_minute?: number | null;
  paced_until?: null;
};

/** The columns that hold it. */
export function ownersColumns(
  { secrets }: Pick<Services, 'secrets'>,
  { organization_id, webhook_id: id }: WebhookKey,
  { headers, max_per_minute: perMinute, asymmetric_signature: signs }: OwnersWishes,
  former: { headers: readonly StaticHeader[]; public_key: string | null } = { headers: [], public_key: null },
): OwnersColumns {
  const webhook = { organization_id, id };
  const columns: OwnersColumns = {};
  if (headers !== undefined) {
    const after = headersAfter(headers ?? [], former.headers);
    columns.headers = after.length > 0 ? sealHeaders(secrets, webhook, after) : null;
  }
  if (signs === true && former.public_key === null) {
    const { signingKey, publicKey } = newKeyPair();
    columns.signing_key = secrets.encrypt(signingKey, placeOfSecret(webhook, 'signing_key'));
    columns.public_key = publicKey;
  }
  if (signs === false || signs === null) {
    columns.signing_key = columns.previous_signing_key = columns.public_key = null;
  }
  if (perMinute !== undefined) columns.max_per_minute = perMinute;
  if (perMinute === null) columns.paced_until = null;
  return columns;
}

/** A greater figure counts at once, not when the next attempt would have begun by the one before. */
export async function quickenPace(
  sql: Transaction,
  { organization_id, webhook_id }: WebhookKey,
  now: string,
): Promise<void> {
  await sql`
    update webhooks w set paced_until = least(w.paced_until, ${now}::timestamptz + ${paceOf(sql, sql`w.max_per_minute`)})
    where w.organization_id = ${organization_id} and w.id = ${webhook_id}`;
}
