import type { Readable } from 'node:stream';
import type { Clock } from '../clock.ts';
import { connect, type Transaction } from '../database/connect.ts';
import { migrate } from '../database/migrate.ts';
import { copyIn } from '../database/postgres-js.ts';
import { putMailBack } from '../mails/mail-jobs.ts';
import { migrationPatience, noLimits } from '../operating-limits.ts';
import { type BackupHeader, type BackupTrailer, damagedBackup, unusable } from './backup-file.ts';
import { causeOf } from './causes.ts';
import { type OpenBackup, openBackup, type ReadSection } from './read-backup.ts';
import { type RestorePlace, requireEmpty, requireFitting } from './requirements.ts';
import { type Settled, type SettleOptions, settle } from './settle.ts';
import { type CopiedTable, columnsOf, copiedTables, quoted, sequenceNames } from './tables.ts';
import { readMails } from './waiting-mails.ts';

export interface RestoreOptions extends RestorePlace, SettleOptions {
  clock: Clock;
}

export interface RestoredBackup {
  header: BackupHeader;
  trailer: BackupTrailer;
  settled: Settled;
}

/**
 * Fills an empty database with a backup, in one transaction: wholly, or not at all. Migrates to where the backup stands
 * before; whoever calls migrates further afterwards. Raises OperatorError.
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
  try {
    await requireEmpty(url, header);
    await migrate(url, migrationPatience, header.migrations.at(-1));
    return await fillAll(url, backup, options);
  } catch (error) {
    const done = options.as === 'moved' ? 'moved, and the other database' : 'restored, and the database';
    throw causeOf(error, `nothing was ${done} is as empty as before`);
  }
}

async function fillAll(url: string, backup: OpenBackup, options: RestoreOptions): Promise<RestoredBackup> {
  const { header } = backup;
  const sql = connect(url, { connections: 1, name: 'dealkeep restore', limits: noLimits });
  try {
    return await sql.begin(async (tx) => {
      const tables = new Map((await copiedTables(tx)).map((table) => [table.name, table]));
      await tx.unsafe(`truncate ${Array.from(tables.keys(), quoted).join(', ')}`);
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
      await tx.unsafe(`analyze ${Array.from(tables.keys(), quoted).join(', ')}`);
      return { header, trailer: step.value, settled };
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
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
 * Drops foreign keys and all indexes that are no constraints, and answers how to make them again from the whole tables:
 * row by row takes several times as long, and an ordinary role cannot switch foreign keys off. The order of the tables
 * does not matter meanwhile.
 */
async function takeIndexesAway(tx: Transaction): Promise<() => Promise<void>> {
  const keys = await tx<{ drop: string; make: string }[]>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
           format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
    from pg_constraint
    where connamespace = 'public'::regnamespace and contype = 'f' and conparentid = 0
    order by conrelid::regclass::text, conname`;
  const indexes = await tx<{ drop: string; make: string }[]>`
    select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as make
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
      and not exists (select from pg_constraint where conindid = indexrelid)
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
                        and d.deptype = 'e')
    order by 1`;
  // Together: one by one, each would wait for an answer.
  await tx.unsafe([...keys, ...indexes].map(({ drop }) => drop).join(';'));
  return async () => {
    await tx`set local maintenance_work_mem = '128MB'`;
    await tx.unsafe([...indexes, ...keys].map(({ make }) => make).join(';'));
  };
}
