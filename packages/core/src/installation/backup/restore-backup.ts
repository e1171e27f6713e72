import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { putMailBack } from '../../change/queue/mail-jobs.ts';
import type { Clock } from '../../foundations/clock.ts';
import { connect, type Database, type Transaction } from '../../foundations/database/connect.ts';
import { isTemporaryFailure } from '../../foundations/database/failures.ts';
import { migrate } from '../../foundations/database/migrate.ts';
import { isOurs } from '../../foundations/database/own-objects.ts';
import { copyIn } from '../../foundations/database/postgres-js/copy.ts';
import {
  type CopiedTable,
  columnsOf,
  copiedTables,
  quoted,
  sequenceNames,
} from '../../foundations/database/tables.ts';
import { endedCommandMs, migrationPatience, noLimits } from '../../foundations/operating-limits.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { type BackupHeader, type BackupTrailer, damagedBackup, unusable } from './backup-file.ts';
import { causeOf, messageOf } from './causes.ts';
import { type OpenBackup, openBackup, type ReadSection } from './read-backup.ts';
import {
  type RestorePlace,
  requireAlone,
  requireEmpty,
  requireFitting,
  requireUnused,
} from './requirements.ts';
import { type Settled, type SettleOptions, settle } from './settle.ts';
import { readMails } from './waiting-mails.ts';

export interface RestoreOptions extends RestorePlace, SettleOptions {
  clock: Clock;
  /** Asked when everything is there, right before the commit; what it raises ends the restore. */
  beforeCommit?: () => Promise<void>;
}

export interface RestoredBackup {
  header: BackupHeader;
  trailer: BackupTrailer;
  settled: Settled;
}

/** The connection was lost while the commit was on its way, and nobody could be asked what became of it. */
export class OutcomeUnknown extends OperatorError {}

/**
 * Fills an empty database with a backup, in one transaction: wholly, or not at all. Migrates to where the backup
 * stands before; whoever calls migrates further afterwards. Raises OperatorError; where it is OutcomeUnknown,
 * everything may be there, otherwise nothing is.
 *
 * @param url for the role that owns the tables, at PostgreSQL's own address
 */
export async function restoreBackup(
  url: string,
  source: Readable,
  options: RestoreOptions,
): Promise<RestoredBackup> {
  const backup = await openBackup(source);
  const { header } = backup;
  await requireFitting(header, options);
  const sql = connect(url, { connections: 1, name: 'dealkeep restore', limits: noLimits });
  try {
    await requireAlone(sql);
    await requireEmpty(sql, header);
    await migrate(url, migrationPatience, header.migrations.at(-1));
    return await fillForSure(url, sql, backup, options);
  } catch (error) {
    const done = options.as === 'moved' ? 'moved, and the other database' : 'restored, and the database';
    throw causeOf(error, `nothing was ${done} is as empty as before`);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** What is known of a transaction once everything stands in it. */
interface Filled {
  transaction: string;
  restored: RestoredBackup;
}

/** A commit whose answer was lost may have happened, so the database is asked. */
async function fillForSure(
  url: string,
  sql: Database,
  backup: OpenBackup,
  options: RestoreOptions,
): Promise<RestoredBackup> {
  const progress: { filled?: Filled } = {};
  try {
    await sql.begin(async (tx) => {
      progress.filled = await fillAll(tx, backup, options);
    });
    if (!progress.filled) throw new Error('A transaction ended without its work');
    return progress.filled.restored;
  } catch (error) {
    const { filled } = progress;
    if (!filled || !isTemporaryFailure(error)) throw error;
    if (await hasCommitted(url, filled.transaction, error)) return filled.restored;
    throw error;
  }
}

/**
 * What became of a transaction whose connection was lost. Raises OutcomeUnknown where the database does not answer.
 */
async function hasCommitted(url: string, transaction: string, lost: unknown): Promise<boolean> {
  const sql = connect(url, { connections: 1, name: 'dealkeep restore', limits: noLimits });
  try {
    for (const end = performance.now() + endedCommandMs; performance.now() < end; await sleep(250)) {
      const asked = sql<{ status: string }[]>`select pg_xact_status(${transaction}::xid8) as status`;
      const status = await asked.then(
        ([row]) => row?.status,
        (error: unknown) => {
          if (!isTemporaryFailure(error)) throw error;
        },
      );
      if (status === 'committed' || status === 'aborted') return status === 'committed';
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
  throw new OutcomeUnknown(
    `The connection was lost in the last moment (${messageOf(lost)}), and the database that was filled does not say what became of it: it holds everything, or nothing. Look there when it answers`,
  );
}

async function fillAll(tx: Transaction, backup: OpenBackup, options: RestoreOptions): Promise<Filled> {
  const { header } = backup;
  const [own] = await tx<{ transaction: string }[]>`select pg_current_xact_id()::text as transaction`;
  const tables = new Map((await copiedTables(tx)).map((table) => [table.name, table]));
  const all = Array.from(tables.keys(), quoted).join(', ');
  await tx.unsafe(`lock table ${all} in access exclusive mode`);
  // Asked once more, now that nobody can make a row or start.
  await requireUnused(tx);
  await tx.unsafe(`truncate ${all}`);
  const rebuild = await takeIndexesAway(tx);
  const sections = backup.sections();
  const filled = new Set<string>();
  let step = await sections.next();
  for (; !step.done; step = await sections.next()) {
    const { section } = step.value;
    if (section.kind === 'mails') {
      for await (const mail of readMails(step.value.data)) await putMailBack(tx, mail);
    } else filled.add(await fill(tx, tables.get(section.name), step.value));
  }
  const missing = [...tables.keys()].find((name) => !filled.has(name));
  if (missing !== undefined) throw damagedBackup(`the table ${missing} is missing`);
  await setSequences(tx, step.value);
  await rebuild();
  const settled = await settle(tx, header, options);
  await tx.unsafe(`analyze ${all}`);
  await options.beforeCommit?.();
  return {
    transaction: own?.transaction ?? '',
    restored: { header, trailer: step.value, settled },
  };
}

/** Rows of which nobody has seen anything else are written frozen: nothing has to be done about them again. */
async function fill(
  tx: Transaction,
  table: CopiedTable | undefined,
  { section, data }: ReadSection,
): Promise<string> {
  if (table === undefined || section.kind !== 'table')
    throw unusable(`has a table that is not known here (${section.name})`);
  const columns = section.columns.map(quoted).join(', ');
  if (columns !== columnsOf(table)) throw unusable(`has other columns in ${table.name} than this version`);
  await copyIn(tx.unsafe(`copy ${quoted(table.name)} (${columns}) from stdin with (freeze)`), data);
  return table.name;
}

async function setSequences(tx: Transaction, { sequences }: BackupTrailer): Promise<void> {
  const known = await sequenceNames(tx);
  for (const { name, last_value, is_called } of sequences) {
    if (!known.includes(name)) throw unusable(`has a sequence that is not known here (${name})`);
    await tx`select setval(${quoted(name)}::regclass, ${last_value}::bigint, ${is_called})`;
  }
}

/**
 * Drops foreign keys and all indexes that are no constraints, and answers how to make them again from the whole
 * tables: row by row takes several times as long, and an ordinary role cannot switch foreign keys off. The order of
 * the tables does not matter meanwhile.
 */
async function takeIndexesAway(tx: Transaction): Promise<() => Promise<void>> {
  const keys = await tx<{ drop: string; make: string }[]>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
           format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid)) as make
    from pg_constraint join pg_class c on c.oid = conrelid
    where connamespace = 'public'::regnamespace and contype = 'f' and conparentid = 0 and ${isOurs(tx, 'pg_class', 'c')}
    order by conrelid::regclass::text, conname`;
  const indexes = await tx<{ drop: string; make: string }[]>`
    select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as make
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
      and not exists (select from pg_constraint where conindid = indexrelid)
      and ${isOurs(tx, 'pg_class', 'c')}
    order by 1`;
  // Together: one by one, each would wait for an answer.
  await tx.unsafe([...keys, ...indexes].map(({ drop }) => drop).join(';'));
  return async () => {
    await tx`set local maintenance_work_mem = '128MB'`;
    await tx.unsafe([...indexes, ...keys].map(({ make }) => make).join(';'));
  };
}
