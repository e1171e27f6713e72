import { setTimeout as sleep } from 'node:timers/promises';
import { connect, noLimits } from '@dealkeep/core/foundations';

/** As long as results wait for each other before they are written. */
const restMs = 20;

interface Commit {
  began: number;
  ended: number;
}

/**
 * Somebody who commits one small row after another beside the installation, as a worker does that writes results.
 * How often it came through tells how much a worker could have written in a time, however busy the machine was.
 */
export class Bystander {
  readonly #commits: Commit[] = [];
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  static async start(databaseUrl: string): Promise<Bystander> {
    const bystander = new Bystander();
    const sql = connect(databaseUrl, { connections: 1, name: 'soak bystander', limits: noLimits });
    await sql`create table soak_commits (number integer)`;
    const run = async (): Promise<void> => {
      while (!bystander.#stop.signal.aborted) {
        const began = Date.now();
        try {
          await sql`insert into soak_commits values (1)`;
          bystander.#commits.push({ began, ended: Date.now() });
        } catch {
          // The database is away, as it is meant to be: that is no commit.
        }
        await sleep(restMs);
      }
      await sql.end({ timeout: 1 });
    };
    bystander.#running = run();
    return bystander;
  }

  /** Commits that began and ended between two moments, in milliseconds since 1970. */
  commitsBetween(from: number, to: number): number {
    const first = this.#firstFrom(from);
    let count = 0;
    while ((this.#commits[first + count]?.ended ?? Number.POSITIVE_INFINITY) <= to) count += 1;
    return count;
  }

  /** Where the first one stands that began then or later; found by halves, since hours have a million. */
  #firstFrom(from: number): number {
    let [low, high] = [0, this.#commits.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#commits[middle]?.began ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}
