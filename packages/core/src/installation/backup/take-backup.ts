import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { waitingMails } from '../../change/queue/mail-jobs.ts';
import type { Clock } from '../../foundations/clock.ts';
import { atOneMoment } from '../../foundations/database/at-one-moment.ts';
import {
  connect,
  type Database,
  type Statements,
  type Transaction,
} from '../../foundations/database/connect.ts';
import { isDistributed } from '../../foundations/database/distribute.ts';
import { appliedNames, migrationLock } from '../../foundations/database/migrate.ts';
import { copyOut } from '../../foundations/database/postgres-js/copy.ts';
import {
  type CopiedTable,
  columnsOf,
  copiedTables,
  quoted,
  sequenceNames,
} from '../../foundations/database/tables.ts';
import { noLimits } from '../../foundations/operating-limits.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { readEnvironment } from '../installation/installation.ts';
import { placesOf, placesOfProcesses } from '../installation/running-processes.ts';
import { knownKeys } from '../installation/secrets-keys.ts';
import { type BackupHeader, type BackupTrailer, backupFormat, type SectionSum } from './backup-file.ts';
import { causeOf } from './causes.ts';
import { writeSection, writeTrailer } from './write-frames.ts';

export interface BackupSource {
  /** PostgreSQL's own address, of any role that reads the tables. */
  url: string;
  version: string;
  clock: Clock;
  /** Ends it before it is over, with its reason. */
  signal?: AbortSignal;
}

export interface TakenBackup {
  readonly header: BackupHeader;
  readonly trailer: BackupTrailer;
}

/**
 * Writes everything of a database as it is at one moment, while everybody else goes on; migrations wait. `out` is
 * ended when all is written, and destroyed when something fails.
 */
export async function takeBackup(
  { url, version, clock, signal }: BackupSource,
  out: Writable,
): Promise<TakenBackup> {
  const sql = connect(url, { connections: 1, name: 'dealkeep backup', limits: noLimits });
  let failure: unknown;
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  // A server that waits for a lock hears of an end only when it has it, and nobody waits for that.
  const end = (): void => {
    failure = signal?.reason;
    sql.end({ timeout: 0 }).catch(() => {});
    ended.reject(failure);
  };
  signal?.addEventListener('abort', end);
  try {
    signal?.throwIfAborted();
    await requireDealkeep(sql);
    await Promise.race([ended.promise, keepMigrationsOut(sql)]);
    const distributed = await isDistributed(sql);
    await requireOneMoment(sql, { distributed });
    const taking = atOneMoment(sql, (tx) => writeAll(tx, { version, clock }, out));
    const taken = await Promise.race([ended.promise, taking]);
    await requireOneMoment(sql, { distributed });
    return taken;
  } catch (error) {
    const cause = causeOf(failure ?? error, 'there is no backup');
    // Whoever reads what is written is told the same.
    out.on('error', () => {});
    out.destroy(cause instanceof Error ? cause : undefined);
    throw cause;
  } finally {
    signal?.removeEventListener('abort', end);
    if (!signal?.aborted) await sql.end({ timeout: 5 });
  }
}

/**
 * Raises OperatorError for a database that cannot be backed up. The first migration whose tables a restore knows how
 * to settle added this column.
 */
export async function requireDealkeep(sql: Database): Promise<void> {
  const [row] = await sql`
    select from pg_attribute where attrelid = to_regclass('public.installation') and attname = 'event_era'`;
  if (row) return;
  const [table] = await sql<
    { present: boolean }[]
  >`select to_regclass('public.migrations') is not null as present`;
  if (!table?.present) throw new OperatorError('The database is empty: there is nothing to back up');
  throw new OperatorError('The database is of a version before backups', { help: { before: 'migrate' } });
}

/**
 * Raises OperatorError where what is read would be of several moments: of a database that is distributed over
 * several servers while a process runs. Citus has no snapshot of all of them.
 */
export async function requireOneMoment(
  sql: Statements,
  { distributed }: { distributed: boolean },
): Promise<void> {
  if (!distributed) return;
  const running = await placesOfProcesses(sql);
  if (running.length === 0) return;
  throw new OperatorError(
    `The database is distributed over several servers, which have no moment in common while Dealkeep runs (${placesOf(running)}): stop it, then make the backup`,
  );
}

/** For as long as the connection lasts. A migration that waits for it tries again and again. */
async function keepMigrationsOut(sql: Database): Promise<void> {
  for (;;) {
    const [row] = await sql`select pg_try_advisory_lock_shared(${migrationLock}) as taken`;
    if (row?.['taken'] === true) return;
    await sleep(250);
  }
}

async function writeAll(
  tx: Transaction,
  { version, clock }: { version: string; clock: Clock },
  out: Writable,
): Promise<TakenBackup> {
  const header: BackupHeader = {
    dealkeep_backup: backupFormat,
    version,
    made_at: clock.now().toISOString(),
    environment: await readEnvironment(tx),
    migrations: await appliedNames(tx),
    secrets_keys: await knownKeys(tx),
  };
  const line = JSON.stringify(header);
  const tables = await copiedTables(tx);
  const found: { trailer?: BackupTrailer } = {};
  const frames = async function* (): AsyncGenerator<Buffer> {
    const sums: SectionSum[] = [];
    for (const table of tables) {
      const section = { kind: 'table', name: table.name, columns: [...table.columns] } as const;
      yield* writeSection(section, copied(tx, table), sums);
    }
    yield* writeSection({ kind: 'mails', name: 'mails' }, mails(tx), sums);
    const header_sha256 = createHash('sha256').update(line).digest('hex');
    found.trailer = { header_sha256, sections: sums, sequences: await readSequences(tx) };
    yield* writeTrailer(found.trailer);
  };
  await pipeline(Readable.from([Buffer.from(`${line}\n`)]), out, { end: false });
  await pipeline(Readable.from(gathered(frames()), { objectMode: false }), compression(), out);
  if (!found.trailer) throw new Error('A backup ended without its trailer');
  return { header, trailer: found.trailer };
}

/** The quickest level but one: the next saves a tenth of the size and takes half as long again. */
const compression = () =>
  createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 2, [constants.ZSTD_c_checksumFlag]: 1 },
  });

const gatheredBytes = 256 * 1024;

/** Fewer, larger pieces: each that is compressed costs a turn of a thread. */
async function* gathered(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    held.push(piece);
    bytes += piece.length;
    if (bytes < gatheredBytes) continue;
    yield Buffer.concat(held);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held);
}

const copied = (tx: Transaction, table: CopiedTable): AsyncGenerator<Buffer> =>
  copyOut(tx.unsafe(`copy (select ${columnsOf(table)} from ${quoted(table.name)}) to stdout`));

async function* mails(tx: Transaction): AsyncGenerator<Buffer> {
  for (const mail of await waitingMails(tx)) yield Buffer.from(`${JSON.stringify(mail)}\n`);
}

async function readSequences(tx: Transaction): Promise<BackupTrailer['sequences']> {
  const found: BackupTrailer['sequences'] = [];
  for (const name of await sequenceNames(tx)) {
    const [row] = await tx.unsafe<{ last_value: string; is_called: boolean }[]>(
      `select last_value::text as last_value, is_called from ${quoted(name)}`,
    );
    if (row) found.push({ name, ...row });
  }
  return found;
}
