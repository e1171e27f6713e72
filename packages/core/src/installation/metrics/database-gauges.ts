import { Gauge, type Registry } from 'prom-client';
import { listPauses, pausedWebhooks, type QueuePause } from '../../change/queue/queue-pauses.ts';
import { pacedWebhooks } from '../../delivering/webhooks/pace.ts';
import type { Clock } from '../../foundations/clock.ts';
import type { Database } from '../../foundations/database/connect.ts';
import type { Log } from '../../foundations/log.ts';
import { overdueDeliverySeconds, scrapeMs } from '../../foundations/operating-limits.ts';
import { countInstallation, InstallationGauges } from './installation-gauges.ts';

interface DatabaseGaugesOptions {
  registry: Registry;
  /** A connection of their own, because a large backlog takes a moment to count. */
  sql: Database;
  clock: Clock;
  log: Log;
}

interface Counts {
  due: number;
  overdue: number;
  scheduled: number;
  claimed: number;
  paused: number;
  paced: number;
  oldest_due: number;
  held: number;
  webhooks: { kind: string; state: string; count: number }[];
  storage: { near: number; full: number };
  connections: { pool: string; state: string; count: number }[];
  pauses: readonly QueuePause[];
}

const kindsOfPauses = ['all', 'organization', 'host', 'webhook'] as const;

/**
 * What all processes share and the database knows. Every process says the same, so that it does not matter which
 * ones are asked.
 */
export class DatabaseGauges {
  readonly #options: DatabaseGaugesOptions;
  readonly #gauges: Gauges;
  readonly #installation: InstallationGauges;
  #reading: Promise<void> | undefined;

  constructor(options: DatabaseGaugesOptions) {
    this.#options = options;
    this.#gauges = createGauges(options.registry);
    this.#installation = new InstallationGauges(options.registry);
  }

  /** Reads them all. Without a database they are left out, and `dealkeep_database_up` is 0. */
  async refresh(): Promise<void> {
    const { log } = this.#options;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('The database did not answer in time')), scrapeMs);
    });
    try {
      await Promise.race([this.#reading, tooLate]);
    } catch (error) {
      log.warn({ error }, 'Metrics of the database could not be read');
      const { up, deliveries, oldestDue, held, webhooks, connections, storage, pauses } = this.#gauges;
      for (const gauge of [deliveries, webhooks, connections, storage, pauses]) gauge.reset();
      // A gauge without labels would be reset to 0.
      for (const gauge of [oldestDue, held]) gauge.remove();
      this.#installation.forget();
      up.set(0);
    } finally {
      clearTimeout(timer);
    }
  }

  async #read(): Promise<void> {
    const counts = await this.#count();
    this.#installation.set(await countInstallation(this.#options.sql), this.#options.clock.now());
    const { up, deliveries, oldestDue, held, webhooks, connections, storage, pauses } = this.#gauges;
    for (const gauge of [webhooks, connections]) gauge.reset();
    for (const state of ['due', 'overdue', 'scheduled', 'claimed', 'paused', 'paced'] as const) {
      deliveries.set({ state }, counts[state]);
    }
    oldestDue.set(counts.oldest_due);
    held.set(counts.held);
    for (const { count, ...labels } of counts.webhooks) webhooks.set(labels, count);
    for (const state of ['near', 'full'] as const) storage.set({ state }, counts.storage[state]);
    for (const { count, ...labels } of counts.connections) connections.set(labels, count);
    for (const kind of kindsOfPauses) {
      pauses.set({ kind }, counts.pauses.filter((pause) => pause.kind === kind).length);
    }
    up.set(1);
  }

  async #count(): Promise<Counts> {
    const { sql, clock } = this.#options;
    const now = clock.now().toISOString();
    const [row] = await sql<Omit<Counts, 'webhooks' | 'connections' | 'storage' | 'pauses'>[]>`
      with paused as materialized (${pausedWebhooks(sql)}),
      paced as materialized (${pacedWebhooks(sql, now)}),
      queued as (
        select d.due_at,
               case when d.worker_id is not null then 'claimed' when paused.id is not null then 'paused'
                    when d.due_at > ${now} then 'scheduled' when paced.id is not null then 'paced' else 'due' end as state
        from deliveries d
        left join paused on paused.organization_id = d.organization_id and paused.id = d.webhook_id
        left join paced on paced.organization_id = d.organization_id and paced.id = d.webhook_id)
      select count(*) filter (where state = 'due') as due,
             count(*) filter (where state = 'due'
               and due_at < ${now}::timestamptz - make_interval(secs => ${overdueDeliverySeconds})) as overdue,
             count(*) filter (where state = 'scheduled') as scheduled,
             count(*) filter (where state = 'claimed') as claimed,
             count(*) filter (where state = 'paused') as paused,
             count(*) filter (where state = 'paced') as paced,
             coalesce(extract(epoch from ${now}::timestamptz - min(due_at) filter (where state = 'due')), 0)::float
               as oldest_due,
             (select count(*) from held_events) as held
      from queued`;
    if (!row) throw new Error('Unreachable: a sum always has one row');
    const webhooks = await sql<Counts['webhooks']>`
      select case when api_key_id is null and oauth_connection_id is null then 'manual' else 'rest_hook' end as kind,
             case when disabled_reason is not null then 'disabled'
                  when failing_since is not null then 'failing'
                  else 'active' end as state,
             count(*) as count
      from webhooks where deleted_at is null group by 1, 2`;
    const connections = await sql<Counts['connections']>`
      select application_name as pool, coalesce(state, 'unknown') as state, count(*) as count
      from pg_stat_activity
      where datname = current_database() and (application_name = 'dealkeep' or application_name like 'dealkeep %')
      group by 1, 2`;
    const [storage] = await sql<Counts['storage'][]>`
      select count(*) filter (where storage_state = 'near') as near,
             count(*) filter (where storage_state in ('full', 'over')) as full
      from organizations where storage_state is not null`;
    if (!storage) throw new Error('Unreachable: a count always has one row');
    return { ...row, webhooks, connections, storage, pauses: await listPauses(sql) };
  }
}

type Gauges = ReturnType<typeof createGauges>;

function createGauges(registry: Registry) {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]): Gauge<Label> =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  return {
    up: gauge('dealkeep_database_up', 'Whether the database answers.', []),
    deliveries: gauge(
      'dealkeep_deliveries_waiting',
      `Deliveries in the queue: due, overdue (those of them due for more than ${overdueDeliverySeconds} s), scheduled for later, claimed by a worker, paused by the operator with their organization, host or webhook, paced (due, and waiting because their webhook takes only so many a minute).`,
      ['state'],
    ),
    oldestDue: gauge(
      'dealkeep_deliveries_oldest_due_seconds',
      'For how long the oldest due delivery has been due.',
      [],
    ),
    held: gauge('dealkeep_held_events', 'Events held for paused and disabled webhooks.', []),
    webhooks: gauge('dealkeep_webhooks', 'Webhooks by kind and state.', ['kind', 'state']),
    connections: gauge(
      'dealkeep_database_connections',
      'Connections of Dealkeep to its database, by pool and state.',
      ['pool', 'state'],
    ),
    storage: gauge(
      'dealkeep_organizations_storage',
      'Organizations that come near their storage quota, and that have used it up.',
      ['state'],
    ),
    pauses: gauge('dealkeep_queue_pauses', 'What operators have paused, by what it is.', ['kind']),
  };
}
