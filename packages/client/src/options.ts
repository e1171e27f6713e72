/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Languages of error messages; English when absent. */
export type ErrorLanguage = 'en' | 'sk' | 'cs';

/** Time and chance, so that tests need not wait. */
export interface Timing {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after that many milliseconds; rejects with the signal's reason as soon as it is aborted. */
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
  /** 0 up to, not including, 1. */
  random(): number;
}

/** How long and how often a call is tried. */
export interface Patience {
  /** All attempts of a call, the first included; 1 never tries again. 5 when absent. */
  readonly maxAttempts?: number;
  /** Milliseconds for one attempt, from the request to the end of its answer. 30,000 when absent. */
  readonly attemptTimeoutMs?: number;
  /** Milliseconds for a whole call with all its attempts and waits. 180,000 when absent. */
  readonly totalTimeoutMs?: number;
}

export interface ClientOptions extends Patience {
  /** The API root: `https://dealkeep.example/api/v1/public`. */
  readonly baseUrl: string;
  /** `dk_live_…` */
  readonly apiKey: string;
  readonly language?: ErrorLanguage;
  /** The platform's own when absent. */
  readonly fetch?: Fetch;
  readonly timing?: Partial<Timing>;
}

/** What every call can have of its own. */
export interface CallOptions extends Patience {
  /** Aborts the call, also while it waits between two attempts; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly language?: ErrorLanguage;
  /**
   * `X-Request-Id`: 1 to 128 letters, digits and signs, such as the id of a trace. The API makes one when absent.
   */
  readonly requestId?: string;
  /**
   * Of a change of one record: the `etagOf` the record that was seen. `PRECONDITION_FAILED` when it changed since.
   */
  readonly ifMatch?: string;
  /** Of reading one record: the `etagOf` the one that is there already. `NOT_MODIFIED` when it is still the same. */
  readonly ifNoneMatch?: string;
}

/** What a POST can have besides. */
export interface PostOptions extends CallOptions {
  /**
   * At most 255 characters; a random one when absent. With a key of your own (an order number, say) a call that is
   * made again within 24 hours, even by another process, answers what the first one answered and changes nothing.
   */
  readonly idempotencyKey?: string;
}
