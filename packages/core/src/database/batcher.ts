import { setTimeout as sleep } from 'node:timers/promises';

interface Asked<Wanted, Found> {
  readonly wanted: Wanted;
  resolve(found: Found): void;
  reject(error: unknown): void;
}

/** How many wishes one statement takes at most. */
const most = 50;
/** For how long a statement that is under way holds up the next one. Longer only where somebody holds a lock. */
const patienceMs = 50;

/**
 * Runs one statement for what is asked for at about the same time. While it is under way, further wishes gather for the
 * next one: a process with little to do asks at once, a busy one makes few round trips (docs/decisions/0013).
 */
export class Batcher<Wanted, Found> {
  readonly #run: (batch: readonly Wanted[]) => Promise<readonly Found[]>;
  #waiting: Asked<Wanted, Found>[] = [];
  #planned = false;

  /** @param run answers what was found, in the order of the wishes */
  constructor(run: (batch: readonly Wanted[]) => Promise<readonly Found[]>) {
    this.#run = run;
  }

  /** Rejects as the statement does, for all that it was for. */
  ask(wanted: Wanted): Promise<Found> {
    const { promise, resolve, reject } = Promise.withResolvers<Found>();
    this.#waiting.push({ wanted, resolve, reject });
    if (!this.#planned) this.#plan();
    return promise;
  }

  /** What else comes in this turn of the event loop is asked for along with it. */
  #plan(): void {
    this.#planned = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    const batch = this.#waiting.splice(0, most);
    this.#planned = batch.length > 0;
    if (batch.length === 0) return;
    const answered = this.#run(batch.map(({ wanted }) => wanted)).then(
      (found) => batch.forEach(({ resolve }, at) => void resolve(found[at] as Found)),
      (error) => batch.forEach(({ reject }) => void reject(error)),
    );
    void Promise.race([answered, sleep(patienceMs, undefined, { ref: false })]).then(() => this.#plan());
  }
}
