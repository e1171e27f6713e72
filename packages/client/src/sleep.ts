import { longestTimer } from './transport/index.ts';

/** Resolves after that many milliseconds; rejects with the signal's reason as soon as it is aborted. */
export function abortableSleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      },
      Math.min(milliseconds, longestTimer),
    );
    signal?.addEventListener('abort', abort, { once: true });
  });
}
