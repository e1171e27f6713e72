import { codeOf, isSuccess, lossError, refusal } from './answer.ts';
import { attempt, type Lost, type PreparedRequest, type Received } from './attempt.ts';
import type { Fetch, Patience, Timing } from './options.ts';
import { delayBeforeNext, retryAfterSeconds } from './retry-plan.ts';

export interface SendOptions {
  readonly fetch: Fetch;
  readonly timing: Timing;
  readonly patience: Required<Patience>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a request until it is answered for good (rule errors 8): 429, 5xx, lost connections and
 * 409 `IDEMPOTENCY_IN_PROGRESS` are tried again, nothing else, as long as attempts and time are left. The request stays
 * the same, its Idempotency-Key included. Throws DealkeepError, or the reason of the aborted signal.
 */
export async function send(request: PreparedRequest, options: SendOptions): Promise<Received> {
  const { fetch, timing, patience, signal } = options;
  const { host } = new URL(request.url);
  const deadline = timing.now() + patience.totalTimeoutMs;
  let mayHaveHappened = false;
  for (let count = 1; ; count += 1) {
    const limitMs = Math.max(1, Math.min(patience.attemptTimeoutMs, deadline - timing.now()));
    const outcome = await attempt(fetch, request, limitMs, signal);
    if (!isLost(outcome) && (isSuccess(outcome) || (mayHaveHappened && isAlreadyDeleted(request, outcome)))) {
      return outcome;
    }

    const now = timing.now();
    const wait = delayBeforeNext(count, waitAskedFor(outcome, now), timing.random);
    if (!isTemporary(outcome) || count >= patience.maxAttempts || now + wait >= deadline) {
      throw isLost(outcome) ? lossError(outcome, host) : refusal(outcome, host, now);
    }
    mayHaveHappened ||= isLost(outcome) || outcome.status >= 500;
    await timing.sleep(wait, signal);
  }
}

const isLost = (outcome: Received | Lost): outcome is Lost => 'lost' in outcome;

function isTemporary(outcome: Received | Lost): boolean {
  if (isLost(outcome) || outcome.status === 429 || outcome.status >= 500) return true;
  return outcome.status === 409 && codeOf(outcome) === 'IDEMPOTENCY_IN_PROGRESS';
}

const waitAskedFor = (outcome: Received | Lost, now: number): number | undefined =>
  isLost(outcome) ? undefined : retryAfterSeconds(outcome.headers.get('retry-after'), now);

/** A DELETE takes no Idempotency-Key: when the answer to it was lost, the next attempt finds nothing to delete. */
const isAlreadyDeleted = (request: PreparedRequest, outcome: Received): boolean =>
  request.method === 'DELETE' && outcome.status === 404 && codeOf(outcome) === 'NOT_FOUND';
