import { randomUUID, timingSafeEqual } from 'node:crypto';
import type { ErrorCode } from '@dealkeep/contract';
import type { Fragment, Statements, Transaction } from '../../foundations/database/connect.ts';
import { lockNumber } from '../../foundations/database/in-transaction.ts';
import { abandonedMarkMs } from '../../foundations/operating-limits.ts';
import { Problem } from '../../foundations/problem.ts';
import type { SealedPlace, Secrets } from '../../foundations/secrets.ts';
import type { Services } from '../services.ts';

export interface Idempotency {
  /** 1 to 255 characters, checked. */
  readonly key: string;
  readonly fingerprint: Buffer;
}

/** What is sent, and stored for a repeat. */
export interface Answer {
  readonly status: number;
  /** The JSON text; empty for 204. */
  readonly body: string;
  readonly noStore: boolean;
  /** Of the messages of an error. */
  readonly language?: string | undefined;
  /** Names the record that it is, as it is. */
  readonly tag?: string | undefined;
  readonly replayed?: boolean;
}

/** Whose answer it is: of an organization's credential, or of a user of the console. */
export interface AnswerOwner {
  readonly id: string;
  readonly organization: { readonly id: string };
}

/** Codes that a repeat must be able to get past. */
const notStored = new Set<ErrorCode>([
  'UNAUTHORIZED',
  'WRONG_ENVIRONMENT',
  'PAYMENT_REQUIRED',
  'FORBIDDEN',
  'LEGACY_KEY_NOT_ALLOWED',
  'ROLE_PERMISSION_MISSING',
  'ROLE_SCOPE_LIMITED',
  'TOKEN_OWNER_INACTIVE',
  'IDEMPOTENCY_IN_PROGRESS',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
]);

/** Whether a repeat is answered the same, or may try once more, as where storage was freed meanwhile. */
export const isStored = ({ code, key }: Problem): boolean =>
  !notStored.has(code) && !key.startsWith('storage.');

interface Kept {
  fingerprint: Buffer | null;
  answer: Buffer | null;
  /** It is no longer kept. */
  is_old: boolean | null;
  /** A mark that counts for nothing any more. */
  is_abandoned: boolean | null;
}

/** Stands where the answer will, while something is done that no transaction can undo. */
interface Mark {
  readonly running: string;
}

/**
 * The answer that belongs to a credential and a key (rules idempotency 2, 3, 4, 5, 8 and 9).
 *
 * Of requests at once with one key, the first takes a lock that lasts as long as its transaction, and the others are
 * told IN_PROGRESS: a crash frees it at once, and it cannot be lost before the commit that stores the answer beside
 * the change. Whether an answer is stored and whether the lock is free is one statement, whose snapshot may be older
 * than the lock; so the answer goes in only where none is yet, and where one is after all, the change is undone.
 *
 * What is done outside before the transaction, such as a request to a receiver, is marked first by a row: whoever
 * comes meanwhile is told IN_PROGRESS, and the mark of a process that died counts for nothing after a minute.
 *
 * A row is dated by the later of two clocks, the process's and PostgreSQL's, and its age goes by the earlier: while
 * one of them is a day off, nothing is forgotten too soon, and no repeat makes its record again.
 */
export class StoredAnswer {
  readonly #core: Pick<Services, 'log' | 'retention' | 'secrets'>;
  readonly #owner: AnswerOwner;
  readonly #idempotency: Idempotency;
  readonly #now: string;
  #mark: string | undefined;
  /** A mark that the answer replaces, as it is stored. */
  #replaced: Buffer | undefined;

  constructor(
    core: Pick<Services, 'log' | 'retention' | 'secrets'>,
    { owner, idempotency, now }: { owner: AnswerOwner; idempotency: Idempotency; now: string },
  ) {
    this.#core = core;
    this.#owner = owner;
    this.#idempotency = idempotency;
    this.#now = now;
  }

  /**
   * Takes the lock, first in a transaction. Answers what a repeat gets; undefined where the change is to be made.
   * Raises IDEMPOTENCY_IN_PROGRESS, and IDEMPOTENCY_KEY_REUSED when the key was used for another request.
   */
  async claim(tx: Transaction): Promise<Answer | undefined> {
    const { key } = this.#idempotency;
    const [found] = await tx<(Kept & { taken: boolean })[]>`
      select pg_try_advisory_xact_lock(${String(lockNumber('idempotency', this.#owner.id, key))}) as taken,
             a.fingerprint, a.answer, a.is_old, a.is_abandoned
      from (select 1) as request left join ${this.#stored(tx)} a on true`;
    if (!found?.taken) throw new Problem('idempotency.in_progress');
    return this.#answerOf(found);
  }

  /**
   * Marks that the request is being carried out, before something is done that cannot be undone. Answers what a
   * repeat gets; undefined where it is to be done now. Raises what `claim` raises.
   */
  async mark(sql: Statements): Promise<Answer | undefined> {
    this.#mark = randomUUID();
    for (;;) {
      const [row] = await sql<(Kept & { marked: boolean })[]>`
        with marked as (${this.#store(sql, this.#seal({ running: this.#mark }))})
        select exists (select from marked) as marked, a.fingerprint, a.answer, a.is_old, a.is_abandoned
        from (select 1) as request left join ${this.#stored(sql)} a on true`;
      if (row?.marked) return undefined;
      const replayed = row && this.#answerOf(row);
      if (replayed) return replayed;
    }
  }

  /** Takes the mark away where no answer came in its place, so that a repeat can be carried out. */
  async unmark(sql: Statements): Promise<void> {
    const [kept] = await sql<Kept[]>`select * from ${this.#stored(sql)} a`;
    if (!kept?.answer) return;
    const found = parseStored(this.#core.secrets.decrypt(kept.answer, placeOfStoredAnswer(...this.#row)));
    if (!('running' in found) || found.running !== this.#mark) return;
    await sql`
      delete from idempotent_answers
      where organization_id = ${this.#owner.organization.id} and credential_id = ${this.#owner.id}
        and idempotency_key = ${this.#idempotency.key} and answer = ${kept.answer}`;
  }

  /** What a repeat gets by what is stored; undefined where that is nothing, too old, or to be replaced. */
  #answerOf({ fingerprint, answer, is_old: isOld, is_abandoned: isAbandoned }: Kept): Answer | undefined {
    if (!fingerprint || !answer) return undefined;
    if (isOld) {
      this.#core.log.debug({}, 'An idempotent answer that is no longer kept is written over');
      return undefined;
    }
    const found = parseStored(this.#core.secrets.decrypt(answer, placeOfStoredAnswer(...this.#row)));
    if ('running' in found) {
      if (found.running !== this.#mark && !isAbandoned) throw new Problem('idempotency.in_progress');
      this.#replaced = answer;
      return undefined;
    }
    if (!timingSafeEqual(fingerprint, this.#idempotency.fingerprint)) throw new Problem('idempotency.reused');
    return { ...found, replayed: true };
  }

  #stored(sql: Statements): Fragment {
    return sql`
      (select fingerprint, answer, created_at <= ${this.#keptSince(sql)} as is_old,
              created_at <= ${this.#ago(sql, abandonedMarkMs)} as is_abandoned
       from idempotent_answers
       where organization_id = ${this.#owner.organization.id} and credential_id = ${this.#owner.id}
         and idempotency_key = ${this.#idempotency.key})`;
  }

  /** The statement that stores the answer; it returns no row where another one is stored already. */
  insert(sql: Statements, answer: Answer): Fragment {
    return this.#store(sql, sealAnswer(this.#core.secrets, answer, this.#row));
  }

  #seal(mark: Mark): Buffer {
    return this.#core.secrets.encrypt(JSON.stringify(mark), placeOfStoredAnswer(...this.#row));
  }

  #store(sql: Statements, sealed: Buffer): Fragment {
    const { key, fingerprint } = this.#idempotency;
    return sql`
      insert into idempotent_answers as stored (organization_id, credential_id, idempotency_key, fingerprint, answer,
                                                created_at)
      values (${this.#owner.organization.id}, ${this.#owner.id}, ${key}, ${fingerprint}, ${sealed},
              greatest(${this.#now}::timestamptz, now()))
      on conflict (organization_id, credential_id, idempotency_key) do update
        set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at
        where stored.created_at <= ${this.#keptSince(sql)} or stored.answer = ${this.#replaced ?? null}
      returning true as stored`;
  }

  #keptSince(sql: Statements): Fragment {
    return this.#ago(sql, this.#core.retention.answerHours * 3600_000);
  }

  #ago(sql: Statements, ms: number): Fragment {
    return sql`(least(${this.#now}::timestamptz, now()) - make_interval(secs => ${ms / 1000}::float))`;
  }

  get #row(): StoredAnswerRow {
    return [this.#owner.organization.id, this.#owner.id, this.#idempotency.key];
  }
}

type StoredAnswerRow = readonly [organization: string, credential: string, key: string];

/** Where the answer of an idempotent request stands. */
export const placeOfStoredAnswer = (...row: StoredAnswerRow): SealedPlace => ({
  table: 'idempotent_answers',
  column: 'answer',
  row,
});

/** An answer as it is stored in its row. */
export const sealAnswer = (
  secrets: Secrets,
  { status, body, noStore, language, tag }: Answer,
  row: StoredAnswerRow,
): Buffer =>
  secrets.encrypt(JSON.stringify({ status, body, noStore, language, tag }), placeOfStoredAnswer(...row));

/** The answer that is stored in a row; undefined while there is a mark in its place. Raises UnreadableSecret. */
export function openAnswer(secrets: Secrets, sealed: Uint8Array, row: StoredAnswerRow): Answer | undefined {
  const stored = parseStored(secrets.decrypt(sealed, placeOfStoredAnswer(...row)));
  return 'running' in stored ? undefined : stored;
}

function parseStored(text: string): Answer | Mark {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null && 'running' in value) {
    return { running: String(value.running) };
  }
  if (
    typeof value === 'object' &&
    value !== null &&
    'status' in value &&
    typeof value.status === 'number' &&
    'body' in value &&
    typeof value.body === 'string' &&
    'noStore' in value &&
    typeof value.noStore === 'boolean'
  ) {
    const language =
      'language' in value && typeof value.language === 'string' ? { language: value.language } : {};
    const tag = 'tag' in value && typeof value.tag === 'string' ? { tag: value.tag } : {};
    return { status: value.status, body: value.body, noStore: value.noStore, ...language, ...tag };
  }
  throw new Error('A stored answer has another form than expected');
}
