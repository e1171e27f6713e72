import { constants } from 'node:os';
import type { Surroundings } from './surroundings.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The operator has ended a command with Ctrl-C or a signal. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  /** As shells count it. */
  readonly exitCode: number;

  constructor(signal: (typeof signals)[number]) {
    super(`Interrupted by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/**
 * Answers what `work` answers; raises Interrupted when a signal comes first. In either case `end` ends what the
 * caller has started, and no signal cuts that short.
 */
export function unlessInterrupted<Result>(
  surroundings: Surroundings,
  work: () => Promise<Result>,
  end: () => Promise<void>,
): Promise<Result> {
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  const ears = signals.map((signal) => [signal, () => reject(new Interrupted(signal))] as const);
  for (const [signal, hear] of ears) surroundings.on(signal, hear);
  return Promise.race([work(), interrupted])
    .finally(end)
    .finally(() => {
      for (const [signal, hear] of ears) surroundings.off(signal, hear);
    });
}

/** Aborted by Ctrl-C or a signal, or when nobody reads stdout any more: the usual end of a command that has none. */
export function stopAsked(surroundings: Surroundings): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  for (const signal of signals) surroundings.on(signal, stop);
  surroundings.stdout.on('error', stop);
  return controller.signal;
}
