import { randomBytes } from 'node:crypto';
import type { AuditedAction, EveryOperationId } from '@dealkeep/contract';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import type { Actor } from '../../identity/credentials/credential.ts';
import type { RequestOrigin } from '../../identity/credentials/request-origin.ts';

/** What was done. Texts of any length are cut. */
export interface NewAuditEntry {
  /** Id of an operation, or of an action that is none. */
  readonly operation: EveryOperationId | AuditedAction;
  readonly resource: string;
  readonly recordId?: string | null | undefined;
  readonly recordName?: string | null | undefined;
  readonly detail?: AuditDetail | undefined;
}

/** What an entry says besides; never a secret, and of records no value. */
export interface AuditDetail {
  /** Fields of a record that changed. */
  readonly fields?: readonly string[];
  /** Of settings: from what to what. */
  readonly changes?: Readonly<Record<string, readonly [before: AuditValue, after: AuditValue]>>;
  readonly counts?: Readonly<Record<string, number>>;
  /** Why it happened, where nobody asked for it. */
  readonly reason?: string;
}

export type AuditValue = string | number | boolean | null | readonly string[];

/** Who did it. */
export interface AuditedActor {
  readonly kind: 'user' | 'key' | 'connection' | 'assistant' | 'operator' | 'system';
  readonly user?: { readonly id: string; readonly name: string };
  readonly via?: 'console' | 'import' | 'key' | 'connection';
  /** The key or the connection. */
  readonly credential?: { readonly id: string; readonly name: string };
  readonly from?: RequestOrigin | undefined;
}

/** Who did what. */
export interface AuditEntryOf extends NewAuditEntry {
  readonly by: AuditedActor;
}

/** The commands of whoever operates the installation. */
export const operator: AuditedActor = { kind: 'operator' };
/** What time does by itself. */
export const theClock: AuditedActor = { kind: 'system' };

const credentialKinds = { api_key: 'key', oauth: 'connection' } as const;

/** Whoever runs an operation, as the log names them. */
export function auditedActor(actor: Actor, from?: RequestOrigin): AuditedActor {
  if (actor.kind === 'system') return theClock;
  const { user } = actor;
  if (actor.kind === 'session')
    return { kind: 'user', user, via: actor.importing ? 'import' : 'console', from };
  const via = credentialKinds[actor.kind];
  return { kind: from?.assistant ? 'assistant' : via, user, via, credential: actor, from };
}

/** The entries of one transaction, written at its end. */
export class AuditEntries {
  readonly #now: string;
  readonly #rows: AuditRow[] = [];

  constructor(now: string) {
    this.#now = now;
  }

  /** Adds an entry; these events came about by it, unless by one that was added before. */
  add(entry: AuditEntryOf, events: readonly { auditEntry: string | null }[]): void {
    const row = rowOf(entry, this.#now);
    this.#rows.push(row);
    for (const event of events) event.auditEntry ??= row.id;
  }

  get length(): number {
    return this.#rows.length;
  }

  /** Forgets all entries but the first ones. */
  keepOnly(first: number): void {
    this.#rows.length = first;
  }

  rows(): readonly AuditRow[] {
    return this.#rows;
  }
}

/** An entry as it is stored. */
export interface AuditRow {
  readonly id: string;
  readonly at: string;
  readonly operation: string;
  readonly resource: string;
  readonly record_id: string | null;
  readonly record_name: string | null;
  readonly actor_kind: AuditedActor['kind'];
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  readonly via: string | null;
  readonly via_id: string | null;
  readonly via_name: string | null;
  readonly address: string | null;
  readonly program: string | null;
  readonly request_id: string | null;
  readonly detail: AuditDetail | null;
}

const longestName = 200;

const cut = (text: string | null | undefined): string | null =>
  text === null || text === undefined || text === '' ? null : text.slice(0, longestName).toWellFormed();

/** The row of an entry. */
export const rowOf = ({ by, ...entry }: AuditEntryOf, now: string): AuditRow => ({
  id: entryId(now),
  at: now,
  operation: entry.operation,
  resource: entry.resource,
  record_id: entry.recordId ?? null,
  record_name: cut(entry.recordName),
  actor_kind: by.kind,
  actor_id: by.user?.id ?? null,
  actor_name: cut(by.user?.name),
  via: by.via ?? null,
  via_id: by.credential?.id ?? null,
  via_name: cut(by.credential?.name),
  address: by.from?.address ?? null,
  program: by.from?.program ?? null,
  request_id: by.from?.requestId ?? null,
  detail: entry.detail ?? null,
});

/** Of which millisecond the last entry was, and how many were of it. */
let last = { at: 0, count: 0 };

/**
 * A UUIDv7 of a moment (RFC 9562, 5.7, and method 1 of 6.2): entries sort by their moments, and those that this
 * process makes in one millisecond as they are made.
 */
function entryId(now: string): string {
  const at = Date.parse(now);
  last = { at, count: last.at === at ? last.count + 1 : 0 };
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at, 0, 6);
  bytes.writeUInt16BE(0x7000 | (last.count & 0x0fff), 6);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return uuidText(bytes);
}

/** Before every entry of a moment or later, and behind all that are earlier. */
export function firstEntryId(moment: string): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.max(0, Date.parse(moment)), 0, 6);
  return uuidText(bytes);
}

const uuidText = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const columns =
  'id, at, operation, resource, record_id, record_name, actor_kind, actor_id, actor_name, via, via_id, via_name, address, program, request_id, detail';

/**
 * The statement that writes entries, to stand in a larger one, too. As one text: PostgreSQL and postgres.js take
 * that faster than as many parameters as there are columns.
 */
export const insertEntries = (
  sql: Statements,
  organization: string,
  rows: readonly AuditRow[],
): Fragment => sql`
  insert into audit_entries (organization_id, ${sql.unsafe(columns)})
  select ${organization}, ${sql.unsafe(columns)}
  from json_populate_recordset(null::audit_entries, ${JSON.stringify(rows)}::text::json)`;

/** Writes entries of what is no operation, in the transaction of whoever calls. */
export async function addAuditEntries(
  sql: Statements,
  organization: string,
  now: string,
  ...entries: readonly AuditEntryOf[]
): Promise<void> {
  const rows = entries.map((entry) => rowOf(entry, now));
  await sql`${insertEntries(sql, organization, rows)}`;
}
