import { setTimeout as sleep } from 'node:timers/promises';
import {
  openStream,
  type StreamAddress,
  type StreamedEvent,
  StreamLost,
  type StreamMessage,
  StreamRefused,
} from './open-stream.ts';

export type Ready = Extract<StreamMessage, { kind: 'ready' }>;

export interface FollowOptions extends StreamAddress {
  signal: AbortSignal;
  /** Once, at the first connection. */
  ready(facts: Ready): void;
  /** What a person who waits for events should know. */
  notice(sentence: string): void;
}

/** Milliseconds. */
const longestPause = 30_000;
/** A connection that lasted so long was a good one. */
const goodFor = 10_000;

/**
 * The events, over as many connections as it takes: interruptions of up to ten minutes miss nothing,
 * and nothing comes twice. Ends when the signal is aborted. Raises StreamRefused when trying again cannot help, and
 * StreamLost when the very first connection fails.
 */
export async function* follow(options: FollowOptions): AsyncGenerator<StreamedEvent, void, undefined> {
  const { signal, notice } = options;
  let cursor: string | undefined;
  let connected = false;
  let told = false;
  let failures = 0;
  /** Ids since the cursor: what the next connection may bring again. */
  const received = new Set<string>();
  while (!signal.aborted) {
    const begun = performance.now();
    let atLeast = 0;
    try {
      for await (const message of openStream(options, cursor, signal)) {
        if (message.kind === 'ready') {
          if (!connected) options.ready(message);
          if (message.missed)
            notice('The server was out of reach for too long: events since then are not shown.');
          else if (told) notice('Connected again; nothing was missed.');
          connected = true;
          told = false;
          cursor = message.cursor;
        }
        if (message.kind === 'cursor') {
          cursor = message.cursor;
          received.clear();
        }
        if (message.kind === 'event' && !received.has(message.event.id)) {
          received.add(message.event.id);
          yield message.event;
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!connected || !mayPass(error)) throw error;
      if (error instanceof StreamRefused) atLeast = error.retryAfterSeconds * 1000;
      if (error instanceof StreamRefused && error.code === 'INVALID_CURSOR') cursor = undefined;
      if (!told) notice(`${sentenceOf(error)} Trying again …`);
      told = true;
    }
    failures = performance.now() - begun > goodFor ? 0 : failures + 1;
    await sleep(Math.max(atLeast, pauseAfter(failures)), undefined, { signal }).catch(() => {});
  }
}

/** Whether a failure can pass by itself: the limits of requests and of streams, and all trouble of the server. */
function mayPass(error: unknown): boolean {
  if (error instanceof StreamLost) return true;
  if (!(error instanceof StreamRefused)) return false;
  const { code, status = 0 } = error;
  return status >= 500 || code === 'RATE_LIMITED' || code === 'LIMIT_EXCEEDED' || code === 'INVALID_CURSOR';
}

const sentenceOf = (error: unknown): string =>
  error instanceof StreamLost
    ? `The connection to the server was lost: ${error.message}.`
    : error instanceof Error
      ? error.message
      : String(error);

/** Longer each time, and never the same for two who were cut off together. */
function pauseAfter(failures: number): number {
  const longest = Math.min(longestPause, 500 * 2 ** failures);
  return longest * (0.5 + Math.random() / 2);
}
