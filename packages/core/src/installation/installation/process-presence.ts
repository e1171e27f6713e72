import { pausedSince } from '../../change/queue/queue-pauses.ts';
import type { Database, Statements } from '../../foundations/database/connect.ts';
import { migrationStatus, requireKnownMigrations } from '../../foundations/database/migrate.ts';
import { ErrorThrottle } from '../../foundations/error-throttle.ts';
import type { Log } from '../../foundations/log.ts';
import { lostProcessKeptHours, processNotedEveryMs } from '../../foundations/operating-limits.ts';
import { noteKey } from './secrets-keys.ts';

/** What a process tells of itself. */
export interface ProcessFacts {
  id: string;
  roles: readonly string[];
  /** Name of its machine or container. */
  host: string;
  version: string;
  /** Fingerprints of its keys; that of the one that encrypts comes first. */
  secretsKeys: readonly string[];
  /** Whether it sends neither webhooks nor mails. */
  deliveriesHeld: boolean;
  /** Connections of PostgreSQL itself that it opens at most, those through a pooler left out. */
  connections: number;
}

/** Notes that a process runs, and the key that it encrypts with. */
export async function noteProcess(sql: Statements, process: ProcessFacts): Promise<void> {
  const { id, roles, host, version, secretsKeys, deliveriesHeld, connections } = process;
  const [secretsKey = ''] = secretsKeys;
  await noteKey(sql, secretsKey);
  await sql`
    insert into processes (id, roles, host, version, secrets_key, secrets_keys, deliveries_held, connections)
    values (${id}, ${[...roles]}, ${host}, ${version}, ${secretsKey}, ${[...secretsKeys]}, ${deliveriesHeld}, ${connections})
    on conflict (id) do update set seen_at = now()`;
}

/** Shows in the database that this process runs, for as long as it does. */
export class ProcessPresence {
  readonly #sql: Database;
  readonly #process: ProcessFacts;
  readonly #trouble: ErrorThrottle;
  readonly #newer: ErrorThrottle;
  readonly #beside: ErrorThrottle;
  readonly #paused: ErrorThrottle;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;

  /** @param process noted already, by `enterInstallation` */
  constructor(sql: Database, process: ProcessFacts, log: Log) {
    this.#sql = sql;
    this.#process = process;
    this.#trouble = new ErrorThrottle({
      log,
      level: 'warn',
      begins: 'This process cannot show that it runs; it tries again',
      ends: 'This process shows again that it runs',
    });
    this.#newer = new ErrorThrottle({
      log,
      level: 'error',
      begins:
        'The database was migrated by a newer version while this one runs: start that version in its place',
      ends: 'The database is again one of this version',
    });
    this.#beside = new ErrorThrottle({
      log,
      level: 'warn',
      begins: 'The database was migrated by a newer version, with which this one goes on',
      ends: 'The database is again one of this version',
    });
    this.#paused = new ErrorThrottle({
      log,
      level: 'warn',
      begins:
        'Nothing is sent, neither webhooks nor mails: an operator has paused the queue, and can resume it',
      ends: 'Webhooks and mails are sent again',
    });
    this.#timer = setInterval(() => {
      this.#running ??= this.#note().finally(() => {
        this.#running = undefined;
      });
    }, processNotedEveryMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
    await this.#sql`delete from processes where id = ${this.#process.id}`;
  }

  /** A newer version that shares the database leaves what this one needs for a while, not for good. */
  async #watchMigrations(): Promise<void> {
    const status = await migrationStatus(this.#sql);
    const { newer } = status;
    if (newer.length > 0) this.#beside.met({ migrations: newer });
    else this.#beside.over();
    try {
      requireKnownMigrations(status);
      this.#newer.over();
    } catch (error) {
      this.#newer.met(error);
    }
  }

  async #watchQueue(): Promise<void> {
    const since = await pausedSince(this.#sql);
    if (since === null) this.#paused.over();
    else this.#paused.met({ since });
  }

  async #note(): Promise<void> {
    try {
      await noteProcess(this.#sql, this.#process);
      await this
        .#sql`delete from processes where seen_at < now() - make_interval(hours => ${lostProcessKeptHours})`;
      await this.#watchMigrations();
      await this.#watchQueue();
      this.#trouble.over();
    } catch (error) {
      this.#trouble.met(error);
    }
  }
}
