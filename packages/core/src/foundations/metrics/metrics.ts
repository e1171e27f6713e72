import { statfs } from 'node:fs/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestOutcome } from '../outgoing/index.ts';

/** An attempt to deliver that is over, as far as it is counted. */
interface CountedAttempt {
  readonly delivery: {
    readonly number: number;
    readonly by_hand: boolean;
    readonly in_order: boolean;
    /** RFC 3339. */
    readonly created_at: string;
  };
  readonly startedAt: Date;
  readonly outcome: RequestOutcome;
  readonly fate: string;
}

/** What a worker can say of its deliveries at any moment. */
export interface DeliveriesState {
  fast: number;
  slow: number;
  /** Webhooks that are held to one delivery at a time because they answer slowly. */
  slowWebhooks: number;
  /** Entries of the delivery log that wait to be written, and those that never were. */
  logWaiting: number;
  logDropped: number;
}

const secondsOfRequests = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const secondsOfDelay = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

/**
 * What a process counts of itself, for Prometheus. No label names an organization, a webhook or an address, so that
 * the number of series stays small and nothing is given away.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #workers = new Set<() => DeliveriesState>();

  readonly #attempts = this.#counter(
    'dealkeep_delivery_attempts_total',
    'Attempts to deliver, by what became of the delivery and by the status class or the reason of the failure.',
    ['fate', 'result'],
  );
  readonly #attemptDuration = this.#histogram(
    'dealkeep_delivery_attempt_duration_seconds',
    'Duration of attempts, by what became of the delivery.',
    ['fate'],
    secondsOfRequests,
  );
  readonly #attemptKinds = new Map<string, { observe(seconds: number): void }>();
  readonly #firstAttemptDelay = this.#histogram(
    'dealkeep_delivery_first_attempt_delay_seconds',
    'From an event to the first attempt of its delivery.',
    [],
    secondsOfDelay,
  );
  readonly #requests = this.#histogram(
    'dealkeep_http_request_duration_seconds',
    'Duration of requests, by operation of the API and by status class.',
    ['operation', 'status'],
    secondsOfRequests,
  );
  readonly #refusals = this.#counter(
    'dealkeep_rate_limit_refusals_total',
    'Requests that were refused by a rate limit.',
    [],
  );

  constructor() {
    const ofWorkers = (name: string, help: string, read: (state: DeliveriesState) => number): void => {
      this.#gauge(name, help, () => [...this.#workers].reduce((sum, state) => sum + read(state()), 0));
    };
    const inFlight = new Gauge({
      name: 'dealkeep_deliveries_in_flight',
      help: 'Attempts under way in this process, by lane.',
      labelNames: ['lane'],
      registers: [this.registry],
      collect: () => {
        const states = [...this.#workers].map((read) => read());
        for (const lane of ['fast', 'slow'] as const) {
          inFlight.set(
            { lane },
            states.reduce((sum, state) => sum + state[lane], 0),
          );
        }
      },
    });
    ofWorkers(
      'dealkeep_slow_webhooks',
      'Webhooks that get one delivery at a time because they answer slowly.',
      ({ slowWebhooks }) => slowWebhooks,
    );
    ofWorkers(
      'dealkeep_delivery_log_waiting',
      'Attempts that are not yet in the delivery log.',
      ({ logWaiting }) => logWaiting,
    );
    const dropped: Counter = new Counter({
      name: 'dealkeep_delivery_log_dropped_total',
      help: 'Attempts that never came into the delivery log because it could not be written.',
      registers: [this.registry],
      collect: () => {
        dropped.reset();
        dropped.inc([...this.#workers].reduce((sum, state) => sum + state().logDropped, 0));
      },
    });
  }

  /** Memory, processor, event loop and the like of this process. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Statements that wait for a connection, by pool. */
  observePools(pools: Readonly<Record<string, () => number>>): void {
    const waiting = new Gauge({
      name: 'dealkeep_database_statements_waiting',
      help: 'Statements and transactions of this process that wait for a connection, by pool.',
      labelNames: ['pool'],
      registers: [this.registry],
      collect: () => {
        for (const [pool, count] of Object.entries(pools)) waiting.set({ pool }, count());
      },
    });
  }

  /** The file system of a folder, such as that of the embedded database. */
  observeDisk(folder: string): void {
    const size = new Gauge({
      name: 'dealkeep_disk_bytes',
      help: 'Size of the file system with DATA_DIR; of the embedded database alone.',
      registers: [this.registry],
    });
    const free = new Gauge({
      name: 'dealkeep_disk_free_bytes',
      help: 'What is free of it.',
      registers: [this.registry],
      collect: async () => {
        const { bsize, blocks, bavail } = await statfs(folder);
        size.set(bsize * blocks);
        free.set(bsize * bavail);
      },
    });
  }

  /** @returns ends the observation */
  observeDeliveries(state: () => DeliveriesState): () => void {
    this.#workers.add(state);
    return () => this.#workers.delete(state);
  }

  countAttempt({ delivery, startedAt, outcome, fate }: CountedAttempt): void {
    const result = outcome.outcome === 'answered' ? statusClass(outcome.status) : outcome.reason;
    this.#ofKind(fate, result).observe(outcome.durationMs / 1000);
    // Only first attempts at their time measure how long deliveries wait: held ones are late on purpose.
    if (delivery.number > 1 || delivery.by_hand || delivery.in_order) return;
    const delayMs = startedAt.getTime() - Date.parse(delivery.created_at);
    this.#firstAttemptDelay.observe(Math.max(0, delayMs) / 1000);
  }

  /** There are few kinds and many attempts; finding a kind by its labels each time would cost more than counting. */
  #ofKind(verdict: string, result: string): { observe(seconds: number): void } {
    const key = `${verdict} ${result}`;
    const known = this.#attemptKinds.get(key);
    if (known) return known;
    const fate = verdict.replace(' ', '_');
    const attempts = this.#attempts.labels({ fate, result });
    const duration = this.#attemptDuration.labels({ fate });
    const kind = {
      observe: (seconds: number) => {
        attempts.inc();
        duration.observe(seconds);
      },
    };
    this.#attemptKinds.set(key, kind);
    return kind;
  }

  countRequest(operation: string, status: number, seconds: number): void {
    this.#requests.observe({ operation, status: statusClass(status) }, seconds);
  }

  countRefusal(): void {
    this.#refusals.inc();
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #histogram<Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
  }

  #gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      collect: () => gauge.set(read()),
    });
  }
}

const statusClass = (status: number): string => `${Math.floor(status / 100)}xx`;
