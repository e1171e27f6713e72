import type { RequestOutcome } from '../outgoing/index.ts';
import type { ClaimedDelivery } from './read-claimed.ts';

/** One attempt that is over. */
export interface FinishedAttempt {
  /** Of its row in the log; the same when it is written again after a failure. */
  id: string;
  delivery: ClaimedDelivery;
  /** Undefined when the event is gone. */
  eventType: string | undefined;
  startedAt: Date;
  endedAt: Date;
  outcome: RequestOutcome;
}
