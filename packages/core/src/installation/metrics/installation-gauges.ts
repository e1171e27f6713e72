import { Gauge, type Registry } from 'prom-client';
import { countDeliveryJobs, failedJobs } from '../../change/queue/job-counts.ts';
import { mailTask } from '../../change/queue/mail-jobs.ts';
import type { Database } from '../../foundations/database/connect.ts';
import { migrationStatus } from '../../foundations/database/migrate.ts';
import { type BackupStatus, backupStatus } from '../backup/scheduled/backup-runs.ts';
import { runningProcesses } from '../installation/running-processes.ts';

/** What runs on the database and what it has room for. */
interface InstallationCounts {
  processes: Readonly<Record<(typeof roles)[number], number>>;
  failedJobs: readonly { task: string; count: number }[];
  lostJobs: number;
  mails: { waiting: number; oldest: number };
  migrations: { applied: number; pending: number; newer: number; unknown: number };
  backups: BackupStatus;
  server: { bytes: number; used: number; most: number; longest: number };
}

const roles = ['api', 'console', 'worker'] as const;

/** Reads what {@link InstallationGauges} show. */
export async function countInstallation(sql: Database): Promise<InstallationCounts> {
  const running = await runningProcesses(sql);
  const having = (role: string): number => running.filter((each) => each.roles.includes(role)).length;
  const { applied, pending, newer, unknown } = await migrationStatus(sql);
  const [mails] = await sql<InstallationCounts['mails'][]>`
    select count(*)::integer as waiting,
           coalesce(extract(epoch from now() - min(created_at)), 0)::float as oldest
    from graphile_worker.jobs where task_identifier = ${mailTask} and attempts < max_attempts`;
  const [server] = await sql<InstallationCounts['server'][]>`
    select pg_database_size(current_database()) as bytes,
           count(*)::integer as used,
           current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
             as most,
           coalesce(extract(epoch from clock_timestamp()
             - min(xact_start) filter (where datname = current_database() and pid <> pg_backend_pid())), 0)::float
             as longest
    from pg_stat_activity where backend_type = 'client backend'`;
  if (!mails || !server) throw new Error('A count gave no row');
  return {
    processes: { api: having('api'), console: having('console'), worker: having('worker') },
    failedJobs: await failedJobs(sql),
    lostJobs: (await countDeliveryJobs(sql)).lost,
    mails,
    backups: await backupStatus(sql),
    migrations: {
      applied: applied.length,
      pending: pending.length,
      newer: newer.length,
      unknown: unknown.length,
    },
    server,
  };
}

/** Gauges of the processes, jobs, mails and migrations of an installation, and of its database server. */
export class InstallationGauges {
  readonly #registry: Registry;
  readonly #processes: Gauge<'role'>;
  readonly #failedJobs: Gauge<'task'>;
  readonly #lostJobs: Gauge;
  readonly #mails: Gauge;
  readonly #oldestMail: Gauge;
  readonly #migrations: Gauge<'state'>;
  readonly #bytes: Gauge;
  readonly #used: Gauge;
  readonly #most: Gauge;
  readonly #longest: Gauge;
  readonly #runs: readonly Gauge[];
  readonly #ages: Record<keyof BackupStatus, Gauge>;
  readonly #succeeded: Record<keyof BackupStatus, Gauge>;
  readonly #backupBytes: Gauge;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#processes = this.#gauge('dealkeep_processes', 'Processes that run on this database, by role.', [
      'role',
    ]);
    this.#failedJobs = this.#gauge('dealkeep_jobs_failed', 'Jobs that are tried no more, by task.', ['task']);
    this.#lostJobs = this.#gauge(
      'dealkeep_jobs_lost',
      'Jobs of deliveries in the hands of workers that are dead.',
      [],
    );
    this.#mails = this.#gauge('dealkeep_mails_waiting', 'Mails that wait to be sent.', []);
    this.#oldestMail = this.#gauge(
      'dealkeep_mails_oldest_seconds',
      'For how long the oldest of them waits.',
      [],
    );
    this.#migrations = this.#gauge(
      'dealkeep_migrations',
      'Migrations of the database: applied, pending (of this version), of a newer one that this one lives with (newer) or not (unknown).',
      ['state'],
    );
    this.#bytes = this.#gauge('dealkeep_database_bytes', 'What the database takes on its disk.', []);
    this.#used = this.#gauge(
      'dealkeep_database_server_connections',
      'Connections to the server of the database, of all programs.',
      [],
    );
    this.#most = this.#gauge(
      'dealkeep_database_server_connections_limit',
      'Connections that the server takes of ordinary roles.',
      [],
    );
    this.#longest = this.#gauge(
      'dealkeep_database_longest_transaction_seconds',
      'For how long the oldest transaction that our role may see is open: upkeep of tables waits for it.',
      [],
    );
    this.#ages = {
      backup: this.#gauge(
        'dealkeep_backup_age_seconds',
        'How old the last whole backup by the clock is.',
        [],
      ),
      trial: this.#gauge(
        'dealkeep_backup_trial_age_seconds',
        'How long ago a backup was last restored on trial, with success.',
        [],
      ),
    };
    this.#succeeded = {
      backup: this.#gauge('dealkeep_backup_succeeded', 'Whether the last backup by the clock succeeded.', []),
      trial: this.#gauge('dealkeep_backup_trial_succeeded', 'Whether the last trial of one did.', []),
    };
    this.#backupBytes = this.#gauge('dealkeep_backup_bytes', 'The size of the last whole one.', []);
    this.#runs = [...Object.values(this.#ages), ...Object.values(this.#succeeded), this.#backupBytes];
  }

  set(
    { processes, failedJobs, lostJobs, mails, migrations, server, backups }: InstallationCounts,
    now: Date,
  ): void {
    this.#setBackups(backups, now);
    for (const role of roles) this.#processes.set({ role }, processes[role]);
    this.#failedJobs.reset();
    for (const { task, count } of failedJobs) this.#failedJobs.set({ task }, count);
    this.#lostJobs.set(lostJobs);
    this.#mails.set(mails.waiting);
    this.#oldestMail.set(mails.oldest);
    for (const [state, count] of Object.entries(migrations)) this.#migrations.set({ state }, count);
    this.#bytes.set(server.bytes);
    this.#used.set(server.used);
    this.#most.set(server.most);
    this.#longest.set(server.longest);
  }

  /** What never was says nothing: whoever makes no backups by the clock is not told that they are old. */
  #setBackups(backups: BackupStatus, now: Date): void {
    for (const gauge of this.#runs) gauge.remove();
    for (const kind of ['backup', 'trial'] as const) {
      const { last, good } = backups[kind];
      if (last) this.#succeeded[kind].set(last.failure === null ? 1 : 0);
      if (good) this.#ages[kind].set(Math.max(0, now.getTime() - Date.parse(good.started_at)) / 1000);
    }
    const { good } = backups.backup;
    if (good?.bytes != null) this.#backupBytes.set(good.bytes);
  }

  /** Says nothing until it is set again. */
  forget(): void {
    for (const gauge of [this.#processes, this.#failedJobs, this.#migrations]) gauge.reset();
    const single = [this.#lostJobs, this.#mails, this.#oldestMail, this.#bytes];
    const others = [this.#used, this.#most, this.#longest, ...this.#runs];
    for (const gauge of [...single, ...others]) gauge.remove();
  }

  #gauge<Label extends string>(name: string, help: string, labelNames: Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] });
  }
}
