import type { ClientOptions, ErrorLanguage, Fetch, Patience, Timing } from './options.ts';
import { longestTimer } from './transport/index.ts';

/** The options of the client, checked and complete. */
export interface Settings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly language: ErrorLanguage | undefined;
  readonly patience: Required<Patience>;
  readonly fetch: Fetch;
  readonly timing: Timing;
}

/** Throws a TypeError that names what is wrong with the options, never the key itself. */
export function readSettings(options: ClientOptions): Settings {
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    apiKey: readApiKey(options.apiKey),
    language: options.language,
    patience: readPatience(options, { maxAttempts: 5, attemptTimeoutMs: 30_000, totalTimeoutMs: 180_000 }),
    // Looked up at each call, so that tests and platforms may replace it later.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timing: { now: Date.now, sleep: abortableSleep, random: Math.random, ...options.timing },
  };
}

/** What is given, else what stands in `otherwise`. */
export function readPatience(given: Patience, otherwise: Required<Patience>): Required<Patience> {
  const patience = {
    maxAttempts: given.maxAttempts ?? otherwise.maxAttempts,
    attemptTimeoutMs: given.attemptTimeoutMs ?? otherwise.attemptTimeoutMs,
    totalTimeoutMs: given.totalTimeoutMs ?? otherwise.totalTimeoutMs,
  };
  if (!Number.isInteger(patience.maxAttempts) || patience.maxAttempts < 1) {
    throw new TypeError('maxAttempts must be a whole number, 1 or more.');
  }
  if (!(patience.attemptTimeoutMs > 0)) throw new TypeError('attemptTimeoutMs must be more than 0.');
  if (!(patience.totalTimeoutMs > 0)) throw new TypeError('totalTimeoutMs must be more than 0.');
  return patience;
}

function readBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new TypeError('baseUrl must be the API root, such as https://dealkeep.example/api/v1/public.');
  }
  return url.href.replace(/\/+$/, '');
}

function readApiKey(apiKey: string): string {
  // fetch would refuse other characters with a message that shows the key.
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be an API key, such as dk_live_…, without spaces or line ends.');
  }
  return apiKey;
}

/** Resolves after that many milliseconds; rejects with the signal's reason as soon as it is aborted. */
function abortableSleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
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
