import PQueue from 'p-queue';
import type { Database, Fragment } from '../../foundations/database/connect.ts';
import { isTemporaryFailure } from '../../foundations/database/failures.ts';
import type { Placement } from '../../foundations/database/placement.ts';
import type { Log } from '../../foundations/log.ts';
import { feedLookedAtEveryMs, feedReadsAtOnce } from '../../foundations/operating-limits.ts';
import { onOneServer } from '../../identity/tenancy/due-organizations.ts';
import { feedHorizon } from './feed-horizon.ts';
import type { FeedPlace } from './feed-place.ts';
import type { FeedPage } from './read-feed.ts';

interface Waiting {
  readonly place: FeedPlace;
  /** Answers whether there may be something. */
  wake(news: boolean): void;
}

/**
 * The readers of one process who wait for an event. None of them holds a connection: one statement looks for all of
 * their organizations, four times a second and at once when this process has written an event, and none while nobody
 * waits.
 */
export class WaitingReaders {
  readonly #sql: Database;
  readonly #log: Log;
  readonly #placement: Placement;
  readonly #waiting = new Map<string, Set<Waiting>>();
  /** Readers who are woken together do not take the connections from everybody else. */
  readonly #reads = new PQueue({ concurrency: feedReadsAtOnce });
  readonly #shared = new Map<string, Promise<FeedPage>>();
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #told = false;
  #stopped = false;

  constructor({ sql, log, placement }: { sql: Database; log: Log; placement: Placement }) {
    this.#sql = sql;
    this.#placement = placement;
    this.#log = log;
  }

  /** How many wait. */
  get count(): number {
    return [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Fulfilled with true when there may be something behind the place, with false after the time or at a stop. */
  next(organization: string, place: FeedPlace, limitMs: number): Promise<boolean> {
    if (this.#stopped || limitMs <= 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const all = this.#waiting.get(organization) ?? new Set();
      const end = setTimeout(() => waiting.wake(false), limitMs);
      const waiting: Waiting = {
        place,
        wake: (news) => {
          clearTimeout(end);
          all.delete(waiting);
          if (all.size === 0 && this.#waiting.get(organization) === all) this.#waiting.delete(organization);
          resolve(news);
        },
      };
      all.add(waiting);
      this.#waiting.set(organization, all);
      this.#timer ??= this.#later();
    });
  }

  /** What several readers ask for at the same moment is read once. */
  read(key: string, read: () => Promise<FeedPage>): Promise<FeedPage> {
    const known = this.#shared.get(key);
    if (known) return known;
    const reading = this.#reads.add(read);
    this.#shared.set(key, reading);
    const forget = (): void => void this.#shared.delete(key);
    reading.then(forget, forget);
    return reading;
  }

  /** Something happened in an organization, and is committed. */
  tell(organization: string): void {
    if (!this.#waiting.has(organization)) return;
    this.#told = true;
    if (this.#looking || !this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), 0);
  }

  /** From now on nobody waits here: all are answered at once, and find another process. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const all of [...this.#waiting.values()]) for (const each of [...all]) each.wake(false);
  }

  #later(): NodeJS.Timeout {
    return setTimeout(() => void this.#look(), feedLookedAtEveryMs);
  }

  async #look(): Promise<void> {
    this.#timer = undefined;
    if (this.#waiting.size === 0) return;
    this.#told = false;
    this.#looking = true;
    try {
      for (const last of await this.#lastPlaces([...this.#waiting.keys()])) {
        const all = this.#waiting.get(last.organization) ?? [];
        for (const each of [...all]) if (isBehind(last, each.place)) each.wake(true);
      }
    } catch (error) {
      if (isTemporaryFailure(error)) this.#log.debug({ error }, 'The feed cannot be looked at just now');
      else this.#log.error({ error }, 'The feed could not be looked at');
    } finally {
      this.#looking = false;
    }
    if (this.#stopped || this.#waiting.size === 0) return;
    this.#timer ??= this.#told ? setTimeout(() => void this.#look(), 0) : this.#later();
  }

  /** One statement for all, or where they stand apart one for each behind the same horizon. */
  async #lastPlaces(organizations: readonly string[]): Promise<readonly LastPlace[]> {
    const sql = this.#sql;
    const horizon = await feedHorizon({ sql, placement: this.#placement });
    return this.#placement.ofOrganizations(organizations, {
      together: (all) => lastPlaces(sql, all, horizon()),
      apart: ([one = '']) => lastPlace(sql, one, horizon()),
    });
  }
}

type LastPlace = Omit<FeedPlace, 'at'> & { readonly organization: string };

/** The last event of each organization that readers can be shown. */
const lastPlaces = (sql: Database, organizations: readonly string[], horizon: Fragment) => sql<LastPlace[]>`
  with ${onOneServer(sql)} ${horizon}
  select organization, last.era, last.transaction_id::text as transaction, last.id
  from unnest(${[...organizations]}::uuid[]) as watched (organization)
  cross join lateral (
    select e.era, e.transaction_id, e.id from events e
    where e.organization_id = organization
      and (e.era, e.transaction_id) < (select era, transaction_id from horizon)
    order by e.era desc, e.transaction_id desc, e.id desc limit 1) as last`;

/** The same of one organization. */
const lastPlace = (sql: Database, organization: string, horizon: Fragment) => sql<LastPlace[]>`
  with ${horizon}
  select e.organization_id as organization, e.era, e.transaction_id::text as transaction, e.id from events e
  where e.organization_id = ${organization} and (e.era, e.transaction_id) < (select era, transaction_id from horizon)
  order by e.era desc, e.transaction_id desc, e.id desc limit 1`;

function isBehind(last: LastPlace, place: FeedPlace): boolean {
  if (last.era !== place.era) return last.era > place.era;
  const [transaction, other] = [BigInt(last.transaction), BigInt(place.transaction)];
  return transaction === other ? last.id > place.id : transaction > other;
}
