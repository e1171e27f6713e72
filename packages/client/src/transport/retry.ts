import { apiErrorIn, isLost, type Outcome, type Received, retryAfterSeconds } from './outcome.ts';

/** Why a request is sent again (rule errors 8). */
export type Cause = 'failure' | 'rateLimit' | 'inProgress';

/** How often a request is sent again. */
export interface RetryPlan {
  /** All attempts, the first included. Any number when absent. */
  readonly attempts?: number;
  /** Repetitions for one cause; as many as attempts and time allow for one that is absent. */
  readonly repetitions?: Readonly<Partial<Record<Cause, number>>>;
  /** The longest wait, in milliseconds, that makes sense to the caller. Any when absent. */
  readonly longestWait?: number;
}

/** Time and chance, as a platform has them. */
export interface RetryClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** 0 up to, not including, 1. */
  random(): number;
}

export interface Sending<Loss> {
  /** Sends the request once. */
  readonly send: () => Promise<Outcome<Loss>>;
  readonly method: string;
  readonly plan: RetryPlan;
  /** No attempt begins after this moment, in milliseconds since 1970. Any time when absent. */
  readonly latestStart?: number;
  readonly clock: RetryClock;
  /** Resolves after so many milliseconds, which are waited because of that outcome. */
  readonly pause: (milliseconds: number, because: Outcome<Loss>) => Promise<unknown>;
  /** Why an outcome may become another one: what errors 8 says when absent. */
  readonly causeOf?: (outcome: Outcome<Loss>) => Cause | undefined;
}

/**
 * Sends a request until it is answered for good, or the plan or the time is at its end. The last outcome is the
 * result.
 */
export async function sendPersistently<Loss>(sending: Sending<Loss>): Promise<Outcome<Loss>> {
  const { plan, clock, latestStart = Number.POSITIVE_INFINITY } = sending;
  const { attempts = Number.POSITIVE_INFINITY, longestWait = Number.POSITIVE_INFINITY } = plan;
  const repeated = { failure: 0, rateLimit: 0, inProgress: 0 };
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await sending.send();
    // A DELETE takes no Idempotency-Key: when the answer to it was lost, the next attempt finds nothing to delete.
    if (sending.method === 'DELETE' && repeated.failure > 0 && !isLost(outcome) && isNotFound(outcome)) {
      return { ...outcome, status: 204, content: undefined };
    }
    const cause = (sending.causeOf ?? causeOf)(outcome);
    if (cause === undefined || attempt >= attempts) return outcome;
    if (repeated[cause] >= (plan.repetitions?.[cause] ?? Number.POSITIVE_INFINITY)) return outcome;
    const now = clock.now();
    const asked = isLost(outcome) ? undefined : retryAfterSeconds(outcome.header('retry-after'), now);
    const wait = delayBeforeNext(repeated[cause] + 1, asked, clock.random);
    // What chance adds to the wait that is asked for keeps nobody from waiting.
    const leastWait = asked === undefined ? wait : asked * 1000;
    if (leastWait > longestWait || now + leastWait > latestStart) return outcome;
    repeated[cause] += 1;
    await sending.pause(Math.min(wait, latestStart - now), outcome);
  }
}

/**
 * Why an outcome may become another one: 429, 5xx, a failing network and 409 `IDEMPOTENCY_IN_PROGRESS` may, and
 * nothing else (rule errors 8). An answer that the API gives again stays the same.
 */
export function causeOf<Loss>(outcome: Outcome<Loss>): Cause | undefined {
  if (isLost(outcome)) return outcome.isPassing ? 'failure' : undefined;
  const { status, header, content } = outcome;
  if (header('idempotent-replayed') === 'true') return undefined;
  if (status === 429) return 'rateLimit';
  if (status >= 500) return 'failure';
  return apiErrorIn(content)?.code === 'IDEMPOTENCY_IN_PROGRESS' ? 'inProgress' : undefined;
}

/** The wait after the first failure, before jitter; it doubles with every further one. */
const firstDelay = 1_000;
const longestDelay = 20_000;
const retryAfterJitter = 1_000;

/**
 * Milliseconds to wait before the next attempt (rule errors 8): exponential backoff, a random half of it left out,
 * so that clients that failed together do not return together. Never less than the API asks for.
 */
export function delayBeforeNext(
  /** 1 after the first failure. */
  failures: number,
  retryAfter: number | undefined,
  random: () => number,
): number {
  const backoff = Math.min(firstDelay * 2 ** (failures - 1), longestDelay);
  if (retryAfter === undefined) return Math.round(backoff * (1 - random() / 2));
  return Math.round(Math.max(retryAfter * 1000, backoff / 2) + random() * retryAfterJitter);
}

const isNotFound = ({ status, content }: Received): boolean =>
  status === 404 && apiErrorIn(content)?.code === 'NOT_FOUND';
