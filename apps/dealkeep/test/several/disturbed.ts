import { eventually } from '@dealkeep/testing';
import { expect } from 'vitest';
import type { Installation } from './installation.ts';
import { type Attempt, type Load, startLoad } from './load.ts';
import { type WatchedHooks, watchHooks } from './watched-hooks.ts';

/** Everything goes on within this time; PostgreSQL may take its own time besides. */
const recoveryMs = 3000;

/** Whose requests may fail meanwhile. */
type MayFail = 'nobody' | 'who is in flight';

interface Period {
  kind: string;
  mayFail: MayFail;
  /** In milliseconds since 1970. */
  from: number;
  to: number;
}

/** An installation under load, which is disturbed, and judged in the end. */
export class Disturbed {
  readonly #installation: Installation;
  readonly #hooks: WatchedHooks;
  readonly #load: Load;
  readonly #periods: Period[] = [];

  private constructor(installation: Installation, hooks: WatchedHooks) {
    this.#installation = installation;
    this.#hooks = hooks;
    this.#load = startLoad(installation.origin, installation.token);
  }

  static async start(installation: Installation): Promise<Disturbed> {
    const disturbed = new Disturbed(installation, await watchHooks(installation));
    await disturbed.#goesOn();
    return disturbed;
  }

  /** Disturbs it, and waits until requests and deliveries go on. */
  async by(kind: string, mayFail: MayFail, act: () => Promise<unknown>): Promise<void> {
    const from = Date.now();
    await act();
    this.#periods.push({ kind, mayFail, from, to: Date.now() });
    await this.#goesOn();
  }

  /** Nothing is lost, skipped or doubled, and no request has failed that was not allowed to. Says the figures. */
  async judge(say: (line: string) => void): Promise<void> {
    const { attempts, made, seen } = this.#load;
    await this.#load.stop();
    const { sql } = this.#installation;
    const failed = attempts.filter((each) => !isGood(each));
    const unexplained = failed.filter((each) => !this.#periods.some((period) => explains(period, each)));
    expect(unexplained).toEqual([]);
    const names = await sql<{ name: string }[]>`
      select name from leads where name like 'Made %' union all
      select name from companies where name like 'Made %'`;
    expect(names.map(({ name }) => name).sort()).toEqual([...made].sort());
    const events = await sql<{ id: string }[]>`select id from events`;
    expect([...seen].sort()).toEqual(events.map(({ id }) => id).sort());
    const { late, twice } = await this.#hooks.complete(sql);

    for (const [place, { kind, from, to }] of this.#periods.entries()) {
      const [before, after] = [this.#periods[place - 1], this.#periods[place + 1]];
      // What runs into the next one is judged there.
      const next = after?.from ?? Number.POSITIVE_INFINITY;
      const during = attempts.filter(
        (each) => each.to >= from && each.to < next && each.from <= to + recoveryMs,
      );
      // Who waits at the feed waits for events.
      const longest = Math.max(
        ...during.filter(({ what }) => what !== 'GET /events').map((each) => each.to - each.from),
      );
      const latest = Math.max(
        ...late
          .filter(({ at }) => at >= Math.max(from - recoveryMs, before?.to ?? 0) && at <= to)
          .map(({ ms }) => ms),
      );
      const count = failed.filter((each) => each.from <= to && each.to >= from).length;
      say(
        `${kind} (${to - from} ms): ${during.length} requests, ${count} failed and did on repeat; the longest took ${longest} ms, the latest delivery ${Math.round(latest)} ms`,
      );
      const limit = recoveryMs + (kind.startsWith('PostgreSQL') ? to - from : 0);
      expect(longest, `${kind}: a request took so long`).toBeLessThanOrEqual(limit);
      expect(latest, `${kind}: a delivery took so long`).toBeLessThanOrEqual(limit);
    }
    say(
      `${attempts.length} requests, ${made.length} records, ${events.length} events, each once in the feed; ${late.length} to each of three hooks, ${twice} came again`,
    );
  }

  async #goesOn(): Promise<void> {
    const { attempts, made } = this.#load;
    const [asked, before] = [attempts.length, made.length];
    await eventually(() => {
      expect(attempts.slice(asked).filter(isGood).length).toBeGreaterThan(30);
      expect(made.slice(before + 1).some((name) => this.#hooks.hasHeardOf(name))).toBe(true);
    });
  }
}

const isGood = ({ status }: Attempt): boolean => status >= 200 && status < 300;

const explains = ({ mayFail, from, to }: Period, attempt: Attempt): boolean =>
  mayFail === 'who is in flight' && attempt.from <= to && attempt.to >= from;
