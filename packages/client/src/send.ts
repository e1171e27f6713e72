import { lossError, refusal } from './answer.ts';
import type { Settings } from './settings.ts';
import {
  causeOf,
  fetchOnce,
  isLost,
  isSuccess,
  type PreparedRequest,
  type Received,
  sendPersistently,
} from './transport/index.ts';

export interface SendOptions extends Pick<Settings, 'fetch' | 'timing' | 'patience'> {
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a request until it is answered for good, as long as attempts and time are left (rule errors 8). Throws
 * DealkeepError, or the reason of the aborted signal.
 */
export async function send(request: PreparedRequest, options: SendOptions): Promise<Received> {
  const { fetch, timing, patience, signal } = options;
  const deadline = timing.now() + patience.totalTimeoutMs;
  const outcome = await sendPersistently({
    send: () => {
      const limit = Math.min(patience.attemptTimeoutMs, deadline - timing.now());
      return fetchOnce(fetch, request, Math.max(1, limit), signal);
    },
    method: request.method,
    plan: { attempts: patience.maxAttempts },
    // Nobody watches a program wait: a host without a name or with another certificate may be one that is being
    // restarted.
    causeOf: (each) => (isLost(each) ? 'failure' : causeOf(each)),
    // The last one has some time, too.
    latestStart: deadline - 1,
    clock: timing,
    pause: (milliseconds) => timing.sleep(milliseconds, signal),
  });
  if (!isLost(outcome) && isSuccess(outcome.status)) return outcome;
  const { host } = new URL(request.url);
  throw isLost(outcome) ? lossError(outcome.lost, host) : refusal(outcome, host, timing.now());
}
