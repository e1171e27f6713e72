import { asciiLowerCase } from '@dealkeep/contract';
import {
  changeableTables,
  type Database,
  deadRows,
  lackingInWords,
  lackOfTexts,
  lockAwaitedMs,
  longTransactionMs,
  RightsProof,
} from '@dealkeep/core/foundations';
import type { Finding } from './finding.ts';

/** How the database server is set up and how it does, whatever version of ours its tables are of. */
export async function serverFindings(sql: Database): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const examine of [
    primaryFinding,
    durabilityFinding,
    limitsFinding,
    extensionFinding,
    textFinding,
    indexFinding,
    transactionFinding,
    lockFinding,
    deadRowFinding,
  ]) {
    findings.push(await examine(sql));
  }
  return findings;
}

async function primaryFinding(sql: Database): Promise<Finding> {
  const check = 'Writable';
  const [row] = await sql<{ standby: boolean; read_only: boolean }[]>`
    select pg_is_in_recovery() as standby, current_setting('default_transaction_read_only')::boolean as read_only`;
  if (row?.standby) {
    const mend =
      'Name the primary in DATABASE_URL, or both with a comma: then the one that takes writes is found.';
    return {
      check,
      state: 'failed',
      finding: 'DATABASE_URL leads to a replica, which takes no writes',
      mend,
    };
  }
  if (row?.read_only) {
    const finding = 'default_transaction_read_only is on: nothing can be written';
    const mend =
      'Take it back: `alter role … reset default_transaction_read_only`, or the same of the database.';
    return { check, state: 'failed', finding, mend };
  }
  return { check, state: 'ok', finding: 'the server takes writes' };
}

async function durabilityFinding(sql: Database): Promise<Finding> {
  const check = 'Durability';
  const off = await sql<{ name: string }[]>`
    select name from pg_settings where name in ('fsync', 'full_page_writes', 'autovacuum') and setting = 'off'
    order by name`;
  if (off.length === 0) return { check, state: 'ok', finding: 'what is committed outlives a power cut' };
  const names = off.map(({ name }) => name).join(', ');
  const mend = `In postgresql.conf set ${names} to on, and reload: without fsync and full_page_writes a power cut destroys the database, without autovacuum tables grow for ever.`;
  return { check, state: 'warning', finding: `${names} of the server is off`, mend };
}

/** What ends our statements, transactions or listeners early; `0` is no limit. */
async function limitsFinding(sql: Database): Promise<Finding> {
  const check = 'Time limits';
  const given = await sql<{ setting: string }[]>`
    with named as (
      select setting from pg_db_role_setting s cross join unnest(s.setconfig) as setting
      where s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
        and s.setrole in (0, (select oid from pg_roles where rolname = current_user))
      union
      select name || '=' || reset_val from pg_settings where source in ('configuration file', 'command line'))
    select distinct setting from named
    where split_part(setting, '=', 1) in
          ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_session_timeout')
      and split_part(setting, '=', 2) !~ '^0[a-z]*$'
    order by setting`;
  if (given.length === 0) return { check, state: 'ok', finding: 'the server sets none of its own' };
  const settings = given.map(({ setting }) => setting);
  const mend = `Take them back for this role and database, such as by ${settings
    .map((each) => `\`alter role … reset ${each.split('=')[0]}\``)
    .join(', ')}: they end migrations, upkeep and listeners, and Dealkeep has limits of its own.`;
  return { check, state: 'warning', finding: `the server sets ${settings.join(', ')}`, mend };
}

async function extensionFinding(sql: Database): Promise<Finding> {
  const check = 'Extensions';
  const missing = await sql<{ name: string; available: boolean }[]>`
    select name, exists (select from pg_available_extensions a where a.name = needed.name) as available
    from unnest(array['btree_gist', 'pg_trgm']) as needed (name)
    where not exists (select from pg_extension where extname = needed.name)
      and (to_regclass('public.migrations') is not null
           or not exists (select from pg_available_extensions a where a.name = needed.name))`;
  if (missing.length === 0) return { check, state: 'ok', finding: 'btree_gist and pg_trgm are there' };
  const names = missing.map(({ name }) => name).join(', ');
  const mend = missing.every(({ available }) => available)
    ? `As an administrator in this database: ${missing.map(({ name }) => `\`create extension ${name}\``).join(', ')}. Indexes that were dropped with it come back with a backup.`
    : 'Install the package with PostgreSQL’s own extensions on the server (Debian: postgresql-contrib), or ask its provider.';
  return { check, state: 'failed', finding: `the database lacks ${names}`, mend };
}

async function textFinding(sql: Database): Promise<Finding> {
  const check = 'Texts';
  const found = await lackOfTexts(sql);
  return found
    ? { check, state: 'failed', finding: found.lack, mend: found.mend }
    : { check, state: 'ok', finding: 'encoded in UTF-8; the collations are there' };
}

async function indexFinding(sql: Database): Promise<Finding> {
  const check = 'Indexes';
  const invalid = await sql<{ name: string }[]>`
    select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where not i.indisvalid and c.relnamespace = 'public'::regnamespace
      and not exists (select from pg_stat_progress_create_index p where p.index_relid = i.indexrelid)
    order by 1`;
  if (invalid.length === 0) return { check, state: 'ok', finding: 'all are valid' };
  const names = invalid.map(({ name }) => name);
  return {
    check,
    state: 'failed',
    finding: `a build that was broken off has left ${names.join(', ')}, which every write pays for and nothing uses`,
    mend: `As the owner: ${names.map((name) => `\`drop index concurrently ${name}\``).join(', ')}, then \`npx dealkeep migrate\`, or \`reindex index concurrently\` where no migration is pending.`,
  };
}

/** What the role of the program lacks: where it lacks anything, nothing else can be read for certain. */
export async function rightsFinding(sql: Database): Promise<Finding> {
  const check = 'Rights';
  const lacking = await new RightsProof(sql).lacking();
  if (lacking.length === 0) {
    return {
      check,
      state: 'ok',
      finding: 'this role reads and writes every table and job, and calls every function',
    };
  }
  return {
    check,
    state: 'failed',
    finding: `this role lacks ${lackingInWords(lacking)}`,
    mend: 'Run `npx dealkeep migrate` with DATABASE_OWNER_URL: it gives the role back what is missing, or says what only an administrator can.',
  };
}

/** Whether somebody who has taken over the program could cover their tracks. */
export async function auditLogFinding(sql: Database): Promise<Finding> {
  const check = 'Audit log';
  if ((await changeableTables(sql)).length === 0) {
    return { check, state: 'ok', finding: 'this role adds entries, and can neither change nor remove any' };
  }
  return {
    check,
    state: 'warning',
    finding:
      'this role can change and remove entries, so they prove nothing where the program was taken over',
    mend: 'Give DATABASE_URL a role of its own, and run `npx dealkeep migrate` with the owner in DATABASE_OWNER_URL: it takes the rights away.',
  };
}

/** Both the server and this process have tables of time zones, of their own age. */
export async function timeZoneFinding(sql: Database): Promise<Finding> {
  const check = 'Time zones';
  const [tables] = await sql<
    { there: boolean }[]
  >`select to_regclass('public.organizations') is not null as there`;
  const used = tables?.there
    ? await sql<{ zone: string }[]>`select distinct time_zone as zone from organizations`
    : [];
  const there = new Set(
    (await sql<{ name: string }[]>`select name from pg_timezone_names`).map(({ name }) =>
      asciiLowerCase(name),
    ),
  );
  const isKnown = (zone: string): boolean => there.has(asciiLowerCase(zone)) && isKnownHere(zone);
  const unknown = used.map(({ zone }) => zone).filter((zone) => !isKnown(zone));
  if (unknown.length === 0) return { check, state: 'ok', finding: 'those of all organizations are known' };
  const mend =
    'Install time zone data on the server of PostgreSQL (Debian: tzdata-legacy for former names) and restart it, or choose another zone for the organization in the console.';
  return { check, state: 'failed', finding: `${unknown.join(', ')} cannot be told the time of`, mend };
}

function isKnownHere(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

async function transactionFinding(sql: Database): Promise<Finding> {
  const check = 'Transactions';
  const open = await sql<{ pid: number; name: string; since: string }[]>`
    select pid, coalesce(nullif(application_name, ''), usename, 'unknown') as name, xact_start as since
    from pg_stat_activity
    where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
      and backend_type = 'client backend' order by xact_start`;
  const long = open.filter(({ since }) => Date.now() - Date.parse(since) > longTransactionMs);
  const [oldest] = long;
  if (!oldest) return { check, state: 'ok', finding: 'none that this role may see is open for long' };
  const { pid, name, since } = oldest;
  return {
    check,
    state: 'warning',
    finding: `${long.length} are open for long, the oldest since ${since} by ${name} (process ${pid})`,
    mend: `No row that was deleted since can be cleared away: end it with \`select pg_terminate_backend(${pid})\`, unless it is a backup that runs.`,
  };
}

async function lockFinding(sql: Database): Promise<Finding> {
  const check = 'Locks';
  const waiting = await sql<{ pid: number; since: string; blockers: number[] }[]>`
    select l.pid, l.waitstart as since, pg_blocking_pids(l.pid) as blockers
    from pg_locks l
    where not l.granted and l.waitstart is not null
      and l.database = (select oid from pg_database where datname = current_database()) order by l.waitstart`;
  const long = waiting.filter(({ since }) => Date.now() - Date.parse(since) > lockAwaitedMs);
  if (long.length === 0) return { check, state: 'ok', finding: 'nobody waits for one' };
  const waiters = new Set(long.map(({ pid }) => pid));
  // Who blocks and waits for nobody: to end that one helps all behind it.
  const first = new Set(long.flatMap(({ blockers }) => blockers).filter((pid) => !waiters.has(pid)));
  const pids = [...first].join(', ');
  return {
    check,
    state: 'warning',
    finding: `${waiters.size} processes of the server wait for what process ${pids} holds, since ${long[0]?.since}`,
    mend: `See what it does (\`select * from pg_stat_activity where pid in (${pids})\`); end it with pg_terminate_backend when nobody needs it.`,
  };
}

async function deadRowFinding(sql: Database): Promise<Finding> {
  const check = 'Dead rows';
  const tables = await sql<{ name: string; dead: number }[]>`
    select relname as name, n_dead_tup as dead from pg_stat_user_tables
    where n_dead_tup > greatest(${deadRows}, n_live_tup) order by n_dead_tup desc`;
  if (tables.length === 0) return { check, state: 'ok', finding: 'no table has more of them than of others' };
  const [most] = tables;
  return {
    check,
    state: 'warning',
    finding: `more than half of these tables: ${tables.map(({ name, dead }) => `${name} (${dead})`).join(', ')}`,
    mend: `Autovacuum does not keep up: look for long transactions and whether it is switched off, then \`vacuum analyze ${most?.name}\`.`,
  };
}
