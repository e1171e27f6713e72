import { timingSafeEqual } from 'node:crypto';
import type { ErrorCode } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { lockNumber, tryLock } from '../database/locks.ts';
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

export interface OnceContext {
  core: Core;
  tx: Transaction;
  credential: { readonly id: string; readonly organization: { readonly id: string } };
  now: string;
  idempotency: Idempotency;
  encode(outcome: { problem: Problem }): Answer;
  /** What is told instead of what the work raised; asked when all that it did is undone. */
  retold?(error: unknown): Promise<unknown>;
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

/**
 * Runs the work once for a credential and key (specification, Idempotency rules; decisions, section 6).
 *
 * The mark of a running request is a lock of its own transaction: whoever cannot take it is told IN_PROGRESS, a crash
 * frees it at once, and it cannot outlive or be lost before the commit that stores the answer beside the change.
 */
export async function answerOnce(
  context: OnceContext,
  work: (tx: Transaction) => Promise<Answer>,
): Promise<Answer> {
  const { core, tx, credential, idempotency, encode, retold } = context;
  if (!(await tryLock(tx, lockNumber('idempotency', credential.id, idempotency.key)))) {
    throw new Problem('idempotency.in_progress');
  }
  const stored = await findAnswer(context);
  if (stored) {
    if (!timingSafeEqual(stored.fingerprint, idempotency.fingerprint))
      throw new Problem('idempotency.reused');
    return { ...parseAnswer(core.secrets.decrypt(stored.answer, placeOfAnswer(context))), replayed: true };
  }
  let answer: Answer;
  try {
    // What the work did before it failed is undone; that it failed is stored.
    answer = await inTransaction(tx, work);
  } catch (raised) {
    const error = retold ? await retold(raised) : raised;
    if (!(error instanceof Problem) || notStored.has(error.code)) throw error;
    answer = encode({ problem: error });
  }
  await storeAnswer(context, answer);
  return answer;
}

async function findAnswer({ tx, credential, idempotency, core, now }: OnceContext) {
  const keptSince = new Date(new Date(now).getTime() - 24 * 3600_000).toISOString();
  const [row] = await tx<{ fingerprint: Buffer; answer: Buffer; fresh: boolean }[]>`
    select fingerprint, answer, created_at > ${keptSince} as fresh from idempotent_answers
    where organization_id = ${credential.organization.id} and credential_id = ${credential.id}
      and idempotency_key = ${idempotency.key}`;
  if (row && !row.fresh) core.log.debug({}, 'An idempotent answer older than 24 hours is written over');
  return row?.fresh ? row : undefined;
}

async function storeAnswer(context: OnceContext, answer: Answer): Promise<void> {
  const { core, tx, credential, now, idempotency } = context;
  const { status, body, noStore } = answer;
  const sealed = core.secrets.encrypt(JSON.stringify({ status, body, noStore }), placeOfAnswer(context));
  await tx`
    insert into idempotent_answers (organization_id, credential_id, idempotency_key, fingerprint, answer, created_at)
    values (${credential.organization.id}, ${credential.id}, ${idempotency.key}, ${idempotency.fingerprint},
            ${sealed}, ${now})
    on conflict (organization_id, credential_id, idempotency_key) do update
      set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at`;
}

const placeOfAnswer = ({ credential, idempotency }: OnceContext): SealedPlace =>
  placeOfStoredAnswer(credential.organization.id, credential.id, idempotency.key);

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
