import { connect, type Socket } from 'node:net';

/** How long one address may take before the next is tried beside it. Source: RFC 8305 §5. */
const attemptDelayMs = 250;
/** A name with hundreds of addresses must not make us knock at all of them. */
const maximumAttempts = 6;

/**
 * Connects to the first of these addresses that answers: they are tried in their order, each next one when the
 * one before failed or has not answered for a quarter of a second, and the slower ones are closed (Happy
 * Eyeballs; Node's own gives an address up after that time, which a far receiver does not survive).
 * Rejects with the first address's error when none answers, and with the signal's reason when it is aborted.
 */
export function connectToAny(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const waiting = addresses.slice(0, maximumAttempts);
    const open = new Set<Socket>();
    let firstError: Error | undefined;
    let nextAttempt: NodeJS.Timeout | undefined;

    const leave = (winner?: Socket) => {
      clearTimeout(nextAttempt);
      signal.removeEventListener('abort', onAbort);
      waiting.length = 0;
      for (const socket of open) if (socket !== winner) socket.destroy();
      open.clear();
    };
    const onAbort = () => {
      leave();
      reject(signal.reason);
    };
    const tryNext = () => {
      clearTimeout(nextAttempt);
      const host = waiting.shift();
      if (host === undefined) return;
      const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 });
      open.add(socket);
      socket.once('connect', () => {
        leave(socket);
        resolve(socket);
      });
      // This listener stays, so that an error between here and the next owner's listener cannot crash.
      socket.on('error', (error) => {
        if (!open.delete(socket)) return;
        firstError ??= error;
        if (waiting.length > 0) return tryNext();
        if (open.size > 0) return;
        leave();
        reject(firstError);
      });
      if (waiting.length > 0) nextAttempt = setTimeout(tryNext, attemptDelayMs);
    };

    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    tryNext();
  });
}
