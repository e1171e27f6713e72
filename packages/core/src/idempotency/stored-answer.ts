import { timingSafeEqual } from 'node:crypto';
import type { ErrorCode } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Fragment, Statements, Transaction } from '../database/connect.ts';
import { lockNumber } from '../database/in-transaction.ts';
import { Problem } from '../problem.ts';
import type { SealedPlace } from '../secrets.ts';

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
  readonly replayed?: boolean;
}

/** Whose answer it is: of an organization's credential, or of a person of the console. */
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

/** Whether a repeat is answered the same, or may try once more. */
export const isStored = ({ code }: Problem): boolean => !notStored.has(code);

interface Found {
  taken: boolean;
  fingerprint: Buffer | null;
  answer: Buffer | null;
  fresh: boolean | null;
}

/**
 * The answer that belongs to a credential and a key (rules idempotency 2, 3, 4, 5, 8 and 9).
 *
 * Of requests at once with one key, the first takes a lock that lasts as long as its transaction, and the others are
 * told IN_PROGRESS: a crash frees it at once, and it cannot be lost before the commit that stores the answer beside the
 * change. Whether an answer is stored and whether the lock is free is one statement, whose snapshot may be older than
 * the lock; so the answer goes in only where none is yet, and where one is after all, the change is undone.
 */
export class StoredAnswer {
  readonly #core: Pick<Core, 'secrets' | 'log'>;
  readonly #owner: AnswerOwner;
  readonly #idempotency: Idempotency;
  readonly #now: string;

  constructor(
    core: Pick<Core, 'secrets' | 'log'>,
    { owner, idempotency, now }: { owner: AnswerOwner; idempotency: Idempotency; now: string },
  ) {
    this.#core = core;
    this.#owner = owner;
    this.#idempotency = idempotency;
    this.#now = now;
  }

  /**
   * Takes the lock, first in a transaction. Answers what a repeat gets; undefined where the change is to be made. Raises
   * IDEMPOTENCY_IN_PROGRESS, and IDEMPOTENCY_KEY_REUSED when the key was used for another request.
   */
  async claim(tx: Transaction): Promise<Answer | undefined> {
    const { key } = this.#idempotency;
    const [found] = await tx<Found[]>`
      select pg_try_advisory_xact_lock(${String(lockNumber('idempotency', this.#owner.id, key))}) as taken,
             a.fingerprint, a.answer, a.created_at > ${this.#keptSince} as fresh
      from (select 1) as request left join idempotent_answers a
        on a.organization_id = ${this.#owner.organization.id} and a.credential_id = ${this.#owner.id}
        and a.idempotency_key = ${key}`;
    if (!found?.taken) throw new Problem('idempotency.in_progress');
    const { fingerprint, answer } = found;
    if (!fingerprint || !answer) return undefined;
    if (!found.fresh) {
      this.#core.log.debug({}, 'An idempotent answer older than 24 hours is written over');
      return undefined;
    }
    if (!timingSafeEqual(fingerprint, this.#idempotency.fingerprint)) throw new Problem('idempotency.reused');
    return { ...parseAnswer(this.#core.secrets.decrypt(answer, this.#place)), replayed: true };
  }

  /** The statement that stores the answer; it returns no row where another one is stored already. */
  insert(sql: Statements, { status, body, noStore }: Answer): Fragment {
    const sealed = this.#core.secrets.encrypt(JSON.stringify({ status, body, noStore }), this.#place);
    const { key, fingerprint } = this.#idempotency;
    return sql`
      insert into idempotent_answers as stored (organization_id, credential_id, idempotency_key, fingerprint, answer,
                                                created_at)
      values (${this.#owner.organization.id}, ${this.#owner.id}, ${key}, ${fingerprint}, ${sealed}, ${this.#now})
      on conflict (organization_id, credential_id, idempotency_key) do update
        set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at
        where stored.created_at <= ${this.#keptSince}
      returning true as stored`;
  }

  get #keptSince(): string {
    return new Date(new Date(this.#now).getTime() - 24 * 3600_000).toISOString();
  }

  get #place(): SealedPlace {
    return placeOfStoredAnswer(this.#owner.organization.id, this.#owner.id, this.#idempotency.key);
  }
}

/** Where the answer of an idempotent request stands. */
export const placeOfStoredAnswer = (
  ...row: [organization: string, credential: string, key: string]
): SealedPlace => ({
  table: 'idempotent_answers',
  column: 'answer',
  row,
});

function parseAnswer(text: string): Answer {
  const value: unknown = JSON.parse(text);
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
    return { status: value.status, body: value.body, noStore: value.noStore };
  }
  throw new Error('A stored answer has another form than expected');
}
