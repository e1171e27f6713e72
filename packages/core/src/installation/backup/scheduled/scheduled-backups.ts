import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../foundations/clock.ts';
import { connect, type Database } from '../../../foundations/database/connect.ts';
import type { Environment } from '../../../foundations/environment.ts';
import type { Log } from '../../../foundations/log.ts';
import {
  backupTrialRoomShare,
  backupTriedEveryMs,
  clockSetBackMs,
  noLimits,
} from '../../../foundations/operating-limits.ts';
import { OperatorError } from '../../../foundations/operator.ts';
import type { Secrets } from '../../../foundations/secrets.ts';
import { readingBackup, writingBackup } from '../backup-on-disk.ts';
import { type TakenBackup, takeBackup } from '../take-backup.ts';
import { tryBackup } from '../try-backup.ts';
import { verifyBackup } from '../verify-backup.ts';
import { backupName, filesIn, removeLeftParts, removeOldBackups, sizeOf } from './backup-folder.ts';
import { backupStatus, forgetRun, noteEnd, noteRun, settleRuns } from './backup-runs.ts';

/** Where and when backups are made by the clock. */
export interface BackupPlan {
  /** `BACKUP_DIR` */
  folder: string;
  /** `BACKUP_KEEP` */
  keep: number;
  /** `BACKUP_HOUR`, in UTC. */
  hour: number;
  /** `BACKUP_TRIAL` */
  trial: 'weekly' | 'never';
  /** Of Dealkeep. */
  version: string;
  /** A folder on the disk of the database, where that is on this machine. */
  databaseFolder?: string | undefined;
}

interface Place {
  plan: BackupPlan;
  /** At PostgreSQL's own address, of a role that reads the tables. */
  databaseUrl: string;
  clock: Clock;
  log: Log;
  environment: Environment;
  secrets: Secrets;
  /** Of the file that is made at a moment; for tests. */
  nameOf?: (moment: Date) => string;
}

/** Any number; the same in every process. Whoever has it makes backups. */
const backupLock = 4_711_004;

/**
 * Backups by the clock. It is asked again and again whether one is due, so that a night without a worker, or with a
 * full disk, is made up for. Of all workers one makes it; what becomes of it is noted in the database, where
 * `/metrics` and `doctor` see it.
 */
export class ScheduledBackups {
  readonly #place: Place;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Makes what is due, and whoever asks need not wait for it. Fulfilled when that is over; never rejected. */
  begin(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** What is being made is given up; nothing of it is left. */
  async stop(): Promise<void> {
    this.#stopping.abort(new OperatorError('The worker was stopped'));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { databaseUrl, log } = this.#place;
    if (this.#stopping.signal.aborted) return;
    const sql = connect(databaseUrl, { connections: 1, name: 'dealkeep backups', limits: noLimits });
    try {
      const [lock] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${backupLock}) as taken`;
      if (lock?.taken) await this.#makeWhatIsDue(sql);
    } catch (error) {
      if (!this.#stopping.signal.aborted) log.error({ error }, 'Backups by the clock could not be seen to');
    } finally {
      await sql.end({ timeout: 5 }).catch(() => {});
    }
  }

  async #makeWhatIsDue(sql: Database): Promise<void> {
    const { plan, clock, nameOf = backupName } = this.#place;
    await settleRuns(sql, clock.now());
    const { backup, trial } = await backupStatus(sql);
    if (!isBackupDue(clock.now(), plan.hour, backup.good?.started_at)) return;
    const made = await this.#noted(sql, 'backup', nameOf(clock.now()), (file) => this.#make(sql, file));
    if (made === undefined) return;
    const always = new Set([made.name, ...(trial.good ? [trial.good.file] : [])]);
    const { folder, keep } = plan;
    await this.#noting('Old backups could not be removed', () =>
      removeOldBackups(sql, { folder, keep, always, now: clock.now() }),
    );
    if (plan.trial === 'never' || !isTrialDue(clock.now(), trial.good?.started_at)) return;
    await this.#noted(sql, 'trial', made.name, (file) => this.#try(file, made.result));
  }

  async #make(sql: Database, file: string): Promise<{ result: TakenBackup; bytes: number; rows: number }> {
    const { plan, databaseUrl: url, clock } = this.#place;
    const { signal } = this.#stopping;
    await filesIn(plan.folder);
    await this.#noting('What was left of a backup could not be removed', () =>
      removeLeftParts(sql, plan.folder),
    );
    const verify = (part: string) => readingBackup(part, verifyBackup, signal);
    const source = { url, version: plan.version, clock, signal };
    const result = await writingBackup(file, (out) => takeBackup(source, out), verify);
    const rows = result.trailer.sections.reduce((sum, section) => sum + section.rows, 0);
    return { result, bytes: await sizeOf(file), rows };
  }

  async #try(file: string, { trailer }: TakenBackup): Promise<{ rows: number }> {
    const { plan, databaseUrl, environment, secrets } = this.#place;
    const bytes = trailer.sections.reduce((sum, section) => sum + section.bytes, 0);
    if (plan.databaseFolder !== undefined)
      await requireRoom(plan.databaseFolder, bytes * backupTrialRoomShare);
    const { signal } = this.#stopping;
    const options = { environment, fingerprints: secrets.fingerprints, signal };
    return readingBackup(file, (source) => tryBackup(databaseUrl, source, options), signal);
  }

  /** Does something, and notes what became of it. Answers undefined when it has failed. */
  async #noted<Done extends { bytes?: number; rows: number }>(
    sql: Database,
    kind: 'backup' | 'trial',
    name: string,
    work: (file: string) => Promise<Done>,
  ): Promise<(Done & { name: string }) | undefined> {
    const { clock, log, plan } = this.#place;
    const run = await noteRun(sql, kind, name, clock.now());
    try {
      const done = await work(join(plan.folder, name));
      await noteEnd(sql, run, clock.now(), done);
      const { bytes, rows } = done;
      if (kind === 'backup') log.info({ file: name, bytes, rows }, 'A backup was made, and read to its end');
      else log.info({ file: name, rows }, 'The backup was tried: it can be restored');
      return { ...done, name };
    } catch (error) {
      if (this.#stopping.signal.aborted) {
        await forgetRun(sql, run);
        return undefined;
      }
      // Sentences of ours and of PostgreSQL hold no row.
      const failure = error instanceof OperatorError ? error.sentence : 'The log of the worker says why';
      const what =
        kind === 'backup' ? 'A backup by the clock has failed' : 'The trial of a backup has failed';
      log.error({ error, file: name }, what);
      await noteEnd(sql, run, clock.now(), { failure });
      return undefined;
    }
  }

  async #noting(trouble: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#place.log.error({ error }, trouble);
    }
  }
}

/** Whether none was made since the last night's hour; what is of a time to come, a clock has said that was wrong. */
export function isBackupDue(now: Date, hour: number, last: string | undefined): boolean {
  if (last === undefined) return true;
  const night = new Date(now);
  night.setUTCHours(hour, 0, 0, 0);
  if (night > now) night.setUTCDate(night.getUTCDate() - 1);
  const made = Date.parse(last);
  return made < night.getTime() || made > now.getTime() + clockSetBackMs;
}

/** As above, each week. */
export function isTrialDue(now: Date, last: string | undefined): boolean {
  if (last === undefined) return true;
  const age = now.getTime() - Date.parse(last);
  return age >= backupTriedEveryMs || age < -clockSetBackMs;
}

async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bsize, bavail } = await statfs(folder);
  const free = bsize * bavail;
  if (free >= bytes) return;
  const [needs, has] = [bytes, free].map((each) => Math.ceil(each / 1024 ** 2));
  throw new OperatorError(
    `The trial was left out: it takes some ${needs} MB on the disk of the database, which has ${has} MB free: make room there`,
  );
}
