import { constants } from 'node:os';

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
 * Answers what `work` answers; raises Interrupted when a signal comes first. In either case `end` ends what the caller
 * has started, and no signal cuts that short.
 */
export function unlessInterrupted<Result>(
  work: () => Promise<Result>,
  end: () => Promise<void>,
): Promise<Result> {
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  const hear = (signal: (typeof signals)[number]): void => reject(new Interrupted(signal));
  for (const signal of signals) process.on(signal, hear);
  return Promise.race([work(), interrupted])
    .finally(end)
    .finally(() => {
      for (const signal of signals) process.off(signal, hear);
    });
}

/** Aborted by Ctrl-C or a signal, or when nobody reads stdout any more: the usual end of a command that has none. */
export function stopAsked(): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  for (const signal of signals) process.on(signal, stop);
  process.stdout.on('error', stop);
  return controller.signal;
}
