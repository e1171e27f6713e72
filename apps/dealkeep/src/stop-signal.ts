import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Surroundings } from './surroundings.ts';

/**
 * Aborted by the first thing that asks the process to end: Ctrl-C, a service manager, a closed terminal, or the end
 * of the process that started this one.
 */
export function stopSignal(surroundings: Surroundings, log: Logger): AbortSignal {
  const controller = new AbortController();
  const ask = (reason: string): void => {
    // `npm start` passes on the Ctrl-C that the terminal has sent to everybody already.
    if (controller.signal.aborted) return;
    log.info({ reason }, 'Stopping');
    controller.abort(new StopAsked(reason === 'SIGTERM'));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) surroundings.on(signal, () => ask(signal));
  surroundings.on('disconnect', () => ask('the starting process has ended'));
  return controller.signal;
}

/** Raised to end a start that is not complete yet, because somebody asked for it; no failure. */
export class StopAsked extends Error {
  override readonly name = 'StopAsked';
  /**
   * Whether a service manager asks and nobody waits at a terminal: then a load balancer may need time to look
   * elsewhere.
   */
  readonly unhurried: boolean;

  constructor(unhurried: boolean) {
    super();
    this.unhurried = unhurried;
  }
}

/** Waits, but no longer than until Ctrl-C is pressed. A second SIGTERM is often the first one, passed on. */
export async function unhurriedly(surroundings: Surroundings, seconds: number): Promise<void> {
  const hurry = new AbortController();
  const hear = (): void => hurry.abort();
  surroundings.on('SIGINT', hear);
  await sleep(seconds * 1000, undefined, { signal: hurry.signal }).catch(hear);
  surroundings.off('SIGINT', hear);
}

/** Fulfilled when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
