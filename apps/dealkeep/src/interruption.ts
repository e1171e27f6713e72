import { constants } from 'node:os';

/** The operator has ended a command with Ctrl-C or a signal. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  /** As shells count it. */
  readonly exitCode: number;

  constructor(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') {
    super(`Interrupted by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/**
 * Answers what `work` answers; raises Interrupted when a signal comes first, so that the caller can still end what it
 * has started.
 */
export function unlessInterrupted<Result>(work: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => reject(new Interrupted(signal)));
    }
    work().then(resolve, reject);
  });
}

/** Aborted by Ctrl-C or a signal, or when nobody reads stdout any more: the usual end of a command that has none. */
export function stopAsked(): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  process.stdout.on('error', stop);
  return controller.signal;
}
