/** How patient a request is. */
export interface Patience {
  /** Repetitions after a failure of the service or of the network. */
  readonly repetitions: number;
  /** Repetitions after a refusal by the rate limit. */
  readonly rateLimitWaits: number;
  /** Repetitions while the API is still doing what an earlier attempt began. */
  readonly twinWaits: number;
  /** The longest wait that makes sense to this caller, in milliseconds. */
  readonly longestWait: number;
  /** How long one answer may take, in milliseconds; what takes longer counts as a failure of the network. */
  readonly answerLimit: number;
}

/** A running workflow waits as long as the API asks. */
export const workflowPatience: Patience = {
  repetitions: 5,
  rateLimitWaits: 120,
  twinWaits: 60,
  longestWait: 5 * 60_000,
  answerLimit: 60_000,
};

/** A person waits at the editor: for a dropdown, or for a workflow to be published. */
export const editorPatience: Patience = {
  repetitions: 2,
  rateLimitWaits: 2,
  twinWaits: 2,
  longestWait: 10_000,
  answerLimit: 10_000,
};

/** What came of one attempt: an answer's status and `Retry-After`, or no answer at all. */
export type Attempted = Answered | 'no answer';

interface Answered {
  readonly status: number;
  readonly retryAfter?: string;
}

/** What was repeated so far, by cause. */
export interface Repetitions {
  failures: number;
  rateLimits: number;
  twins: number;
}

/** Which of them a failed attempt counts as. */
export const kindOfRepetition = (status: number | undefined, code: string | undefined): keyof Repetitions =>
  status === 429 ? 'rateLimits' : code === 'IDEMPOTENCY_IN_PROGRESS' ? 'twins' : 'failures';

/**
 * Milliseconds to wait before the request is repeated; undefined when it must not be.
 *
 * What every client of the API does (rule errors 8): 429 after `Retry-After`, 5xx and network errors with exponential
 * back-off, 409 IDEMPOTENCY_IN_PROGRESS after a short pause, nothing else.
 *
 * @param random between 0 and 1, spreads callers that failed together
 */
export function retryDelay(
  attempted: Attempted,
  code: string | undefined,
  so: Repetitions,
  patience: Patience,
  random: number,
): number | undefined {
  const delay = delayFor(attempted, code, so, patience);
  if (delay === undefined) return undefined;
  const spread = Math.round(delay * (1 + random / 10));
  return spread <= patience.longestWait * 1.1 ? spread : undefined;
}

const limitOf = { failures: 'repetitions', rateLimits: 'rateLimitWaits', twins: 'twinWaits' } as const;

function delayFor(
  attempted: Attempted,
  code: string | undefined,
  so: Repetitions,
  patience: Patience,
): number | undefined {
  const { status, retryAfter }: Partial<Answered> = attempted === 'no answer' ? {} : attempted;
  const asked = secondsOf(retryAfter);
  const kind = kindOfRepetition(status, code);
  if (so[kind] >= patience[limitOf[kind]]) return undefined;
  if (kind === 'rateLimits') return 1000 * (asked ?? 5);
  if (kind === 'twins') return 1000 * (asked ?? 1);
  if (status !== undefined && status < 500) return undefined;
  const backOff = 500 * 2 ** so.failures;
  return asked === undefined ? backOff : Math.max(backOff, asked * 1000);
}

/** `Retry-After` in seconds; the API sends whole seconds, a proxy before it may send a date. */
function secondsOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return Math.max(1, seconds);
  const moment = Date.parse(retryAfter);
  return Number.isNaN(moment) ? undefined : Math.max(1, Math.ceil((moment - Date.now()) / 1000));
}
