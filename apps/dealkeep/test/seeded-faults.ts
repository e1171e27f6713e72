import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { Secrets } from '@dealkeep/core/foundations';
import { eventually } from '@dealkeep/testing';
import postgres from 'postgres';
import { expect, onTestFinished } from 'vitest';
import { answering, makeDueDelivery, noteProcess } from './doctor-seeds.ts';
import { makeOrganization, takenPort, type Variables } from './program.ts';
import { startTwoServers } from './two-servers.ts';

/** What a fault is seeded into. */
interface Seeding {
  /** As the owner. */
  sql: postgres.Sql;
  /** Of the program's role. */
  url: URL;
  /** Clocks of this machine go ahead by so much until the test ends. */
  ahead(ms: number): void;
}

/** What `doctor` is to find. */
export interface Fault {
  /** As the documents call it. */
  fault: string;
  check: string;
  state: 'failed' | 'warning';
  finding: RegExp;
  mend: RegExp;
  /** What doctor is then told, besides the database. */
  seed(seeding: Seeding): Promise<Variables | undefined>;
}

/** An organization with a delivery that has been due for ten minutes. Answers its id. */
async function makeWaiting({ sql, url }: Seeding): Promise<string> {
  const { id } = await makeOrganization({ DATABASE_URL: url.href });
  await makeDueDelivery(sql, id);
  return id;
}

const addJob = async (
  sql: postgres.Sql,
  change: postgres.PendingQuery<postgres.Row[]>,
): Promise<undefined> => {
  await sql`select graphile_worker.add_job('deliver', job_key => 'deliver/1', max_attempts => 1)`;
  await sql`update graphile_worker._private_jobs set ${change} where key = 'deliver/1'`;
};

/** The faults that the documents name. */
export const faults: readonly Fault[] = [
  {
    fault: 'a variable with a bad value',
    check: 'Configuration',
    state: 'failed',
    finding: /^ENVIRONMENT takes one of/,
    mend: /Set the variable/,
    seed: async () => ({ ENVIRONMENT: 'production' }),
  },
  {
    fault: 'a misspelt variable',
    check: 'Configuration',
    state: 'failed',
    finding: /^WEBHOOK_CONCURENCY is no variable/,
    mend: /Set the variable/,
    seed: async () => ({ WEBHOOK_CONCURENCY: '5' }),
  },
  {
    fault: 'no SECRETS_KEY beside DATABASE_URL',
    check: 'Configuration',
    state: 'failed',
    finding: /^SECRETS_KEY is required/,
    mend: /Set the variable/,
    seed: async () => ({ SECRETS_KEY: '' }),
  },
  {
    fault: 'a database that is not reached',
    check: 'Database',
    state: 'failed',
    finding: /ECONNREFUSED/,
    mend: /DATABASE_URL/,
    seed: async () => ({ DATABASE_URL: 'postgres://dealkeep@127.0.0.1:1/none' }),
  },
  {
    fault: 'a wrong password of the database',
    check: 'Database',
    state: 'failed',
    finding: /password authentication failed/,
    mend: /password/,
    seed: async ({ url }) => {
      url.password = 'wrong';
      return { DATABASE_URL: url.href };
    },
  },
  {
    fault: 'a replica as DATABASE_URL',
    check: 'Writable',
    state: 'failed',
    finding: /replica/,
    mend: /primary in DATABASE_URL/,
    seed: async () => {
      const { url } = await startTwoServers();
      const [standby = ''] = url.split(/,(?=127)/);
      return { DATABASE_URL: `${standby}/${url.split('/').at(-1)}` };
    },
  },
  {
    fault: 'a database that was set to read only',
    check: 'Writable',
    state: 'failed',
    finding: /default_transaction_read_only/,
    mend: /reset default_transaction_read_only/,
    seed: async ({ sql, url }) => {
      await sql`alter database ${sql(url.pathname.slice(1))} set default_transaction_read_only = on`;
    },
  },
  {
    fault: 'a clock that is off by a minute',
    check: 'Clock',
    state: 'failed',
    finding: /differ by (59|6\d)\d{3} ms/,
    mend: /NTP/,
    seed: async ({ ahead }) => {
      ahead(60_000);
    },
  },
  {
    fault: 'fsync off',
    check: 'Durability',
    state: 'warning',
    finding: /fsync/,
    mend: /to on/,
    // The server of tests has it off.
    seed: async () => {},
  },
  {
    fault: 'a statement_timeout of the database',
    check: 'Time limits',
    state: 'warning',
    finding: /statement_timeout=1s/,
    mend: /reset statement_timeout/,
    seed: async ({ sql, url }) => {
      await sql`alter database ${sql(url.pathname.slice(1))} set statement_timeout = '1s'`;
    },
  },
  {
    fault: 'a missing extension',
    check: 'Extensions',
    state: 'failed',
    finding: /pg_trgm/,
    mend: /create extension pg_trgm/,
    seed: async ({ sql }) => {
      await sql`drop extension pg_trgm cascade`;
    },
  },
  {
    fault: 'a missing collation',
    check: 'Texts',
    state: 'failed',
    finding: /lacks the collations und-x-icu/,
    mend: /built with ICU/,
    seed: async ({ sql }) => {
      await sql`drop collation pg_catalog."und-x-icu" cascade`;
    },
  },
  {
    fault: 'an invalid index of a build that was broken off',
    check: 'Indexes',
    state: 'failed',
    finding: /seeded_once/,
    mend: /drop index concurrently seeded_once/,
    seed: async ({ sql }) => {
      await sql`create table seeded as select 1 as number from generate_series(1, 2)`;
      await expect(sql`create unique index concurrently seeded_once on seeded (number)`).rejects.toThrow();
    },
  },
  {
    fault: 'a right that the program’s role lacks',
    check: 'Rights',
    state: 'failed',
    finding: /leads/,
    mend: /DATABASE_OWNER_URL/,
    seed: async ({ sql, url }) => {
      await sql`revoke insert on leads from ${sql(url.username)}`;
    },
  },
  {
    fault: 'a program that can change the audit log',
    check: 'Audit log',
    state: 'warning',
    finding: /change and remove/,
    mend: /DATABASE_OWNER_URL/,
    seed: async ({ sql, url }) => {
      await sql`grant update on audit_entries to ${sql(url.username)}`;
    },
  },
  {
    fault: 'a time zone that the server does not know',
    check: 'Time zones',
    state: 'failed',
    finding: /Mars\/Base/,
    mend: /tzdata/,
    seed: async (seeding) => {
      await makeWaiting(seeding);
      await seeding.sql`update organizations set time_zone = 'Mars/Base'`;
    },
  },
  {
    fault: 'a transaction that is open for long',
    check: 'Transactions',
    state: 'warning',
    finding: /since .* by forgotten \(process \d+\)/,
    mend: /pg_terminate_backend\(\d+\)/,
    seed: async ({ url, ahead }) => {
      const sql = postgres(url.href, { max: 1, connection: { application_name: 'forgotten' } });
      onTestFinished(() => sql.end());
      await hold(sql, (tx) => tx`select 1`);
      ahead(3_600_000);
    },
  },
  {
    fault: 'a lock that others wait for',
    check: 'Locks',
    state: 'warning',
    finding: /1 processes of the server wait for what process \d+ holds/,
    mend: /pg_terminate_backend/,
    seed: async ({ sql, ahead }) => {
      await hold(sql, (tx) => tx`lock table tags in access exclusive mode`);
      sql`select from tags`.catch(() => {});
      await eventually(async () => expect(await sql`select from pg_locks where not granted`).toHaveLength(1));
      ahead(60_000);
    },
  },
  {
    fault: 'a table full of dead rows',
    check: 'Dead rows',
    state: 'warning',
    finding: /seeded \(20000\)/,
    mend: /vacuum analyze seeded/,
    seed: async ({ sql }) => {
      await sql`create table seeded (number integer) with (autovacuum_enabled = false)`;
      const own = await sql.reserve();
      await own`insert into seeded select generate_series(1, 20000)`;
      await own`delete from seeded`;
      await own`select pg_stat_force_next_flush()`;
      own.release();
      await eventually(async () => {
        const [table] =
          await sql`select n_dead_tup as dead from pg_stat_user_tables where relname = 'seeded'`;
        expect(table).toEqual({ dead: '20000' });
      });
    },
  },
  {
    fault: 'a pool larger than max_connections',
    check: 'Pool',
    state: 'failed',
    finding: /opens up to 10\d\d connections/,
    mend: /DATABASE_POOL to \d+ at most/,
    seed: async () => ({ DATABASE_POOL: '1000' }),
  },
  {
    fault: 'processes that open more connections than there are',
    check: 'Connections',
    state: 'warning',
    finding: /100000 at most/,
    mend: /DATABASE_POOL/,
    seed: async ({ sql }) => void (await noteProcess(sql, { connections: 100_000 })),
  },
  {
    fault: 'pending migrations',
    check: 'Migrations',
    state: 'failed',
    finding: /1 of \d+ are pending/,
    mend: /dealkeep migrate/,
    seed: async ({ sql }) => {
      await sql`delete from migrations where name = (select max(name) from migrations)`;
    },
  },
  {
    fault: 'a database of a newer version',
    check: 'Migrations',
    state: 'failed',
    finding: /9999-later\.sql/,
    mend: /newer version/,
    seed: async ({ sql }) => {
      await sql`insert into migrations (name, lived_with_since) values ('9999-later.sql', '9998')`;
    },
  },
  {
    fault: 'a SECRETS_KEY that is not that of the database',
    check: 'Secrets',
    state: 'failed',
    finding: /fingerprint/,
    mend: /SECRETS_KEY/,
    seed: async ({ sql }) => {
      const { fingerprint } = new Secrets([Buffer.alloc(32, 8)]);
      await sql`insert into secrets_keys (fingerprint) values (${fingerprint})`;
    },
  },
  {
    fault: 'the other ENVIRONMENT',
    check: 'Environment',
    state: 'failed',
    finding: /the database is test/,
    mend: /ENVIRONMENT=test/,
    seed: async ({ sql }) => void (await sql`update installation set environment = 'test'`),
  },
  {
    fault: 'no worker while something waits',
    check: 'Worker',
    state: 'failed',
    finding: /1 deliveries/,
    mend: /ROLES=worker/,
    seed: async (seeding) => void (await makeWaiting(seeding)),
  },
  {
    fault: 'deliveries that are late',
    check: 'Queue',
    state: 'warning',
    finding: /waits for 6\d\d s/,
    mend: /WEBHOOK_CONCURRENCY/,
    seed: async (seeding) => void (await makeWaiting(seeding)),
  },
  {
    fault: 'a queue that is paused',
    check: 'Queue',
    state: 'warning',
    finding: /nothing is sent since/,
    mend: /queue resume --all/,
    seed: async ({ sql }) => void (await sql`update installation set deliveries_paused_at = now()`),
  },
  {
    fault: 'a pause that was forgotten',
    check: 'Paused',
    state: 'warning',
    finding: /for more than a day: organization own/,
    mend: /queue resume --organization own/,
    seed: async (seeding) => {
      const organization = await makeWaiting(seeding);
      await seeding.sql`
        insert into queue_pauses (organization_id, paused_at) values (${organization}, now() - interval '25 hours')`;
    },
  },
  {
    fault: 'a job in the hands of a worker that is dead',
    check: 'Jobs',
    state: 'warning',
    finding: /1 are in the hands of workers that are dead/,
    mend: /once a worker runs/,
    seed: ({ sql }) => addJob(sql, sql`locked_by = 'the dead', locked_at = now()`),
  },
  {
    fault: 'a job that is tried no more',
    check: 'Jobs',
    state: 'warning',
    finding: /1 of deliver failed for good \(Boom\)/,
    mend: /reschedule_jobs/,
    seed: ({ sql }) => addJob(sql, sql`attempts = 1, last_error = 'Boom'`),
  },
  {
    fault: 'a backup that is old',
    check: 'Backups',
    state: 'failed',
    finding: /they are old: the last whole one is one\.backup/,
    mend: /a worker with BACKUP_DIR runs/,
    seed: ({ sql }) => noteBackupRuns(sql, { kind: 'backup', hoursAgo: 37 }),
  },
  {
    fault: 'a backup by the clock that failed',
    check: 'Backups',
    state: 'warning',
    finding: /the last try, of .*, failed: The disk is full/,
    mend: /tried again each hour/,
    seed: ({ sql }) =>
      noteBackupRuns(
        sql,
        { kind: 'backup', hoursAgo: 25 },
        { kind: 'backup', hoursAgo: 1, failure: 'The disk is full' },
      ),
  },
  {
    fault: 'a trial of a backup that failed',
    check: 'Backup trial',
    state: 'failed',
    finding: /one\.backup could not be restored on trial at .*: A table is missing/,
    mend: /Restore one\.backup into an empty database/,
    seed: ({ sql }) =>
      noteBackupRuns(
        sql,
        { kind: 'backup', hoursAgo: 2 },
        { kind: 'trial', hoursAgo: 2, failure: 'A table is missing' },
      ),
  },
  {
    fault: 'a trial of a backup that is old',
    check: 'Backup trial',
    state: 'warning',
    finding: /none for more than two weeks/,
    mend: /restore one yourself/,
    seed: ({ sql }) =>
      noteBackupRuns(sql, { kind: 'backup', hoursAgo: 2 }, { kind: 'trial', hoursAgo: 16 * 24 }),
  },
  {
    fault: 'a BACKUP_DIR that is not there',
    check: 'Backup folder',
    state: 'failed',
    finding: /which is not there/,
    mend: /mount what it stands for/,
    seed: async () => ({ BACKUP_DIR: '/nonexistent/backups' }),
  },
  {
    fault: 'a BACKUP_DIR that cannot be written',
    check: 'Backup folder',
    state: 'failed',
    finding: /which is no folder|may not write|takes no writes/,
    mend: /the right to write there/,
    // Of a system that gives nobody a right to write, root neither.
    seed: async () => ({ BACKUP_DIR: process.getuid?.() === 0 ? '/dev/null' : '/usr' }),
  },
  {
    fault: 'processes of several versions',
    check: 'Processes',
    state: 'warning',
    finding: /of versions 1, 2/,
    mend: /same version/,
    seed: async ({ sql }) => {
      await noteProcess(sql);
      await noteProcess(sql, { version: '2' });
    },
  },
  {
    fault: 'processes that encrypt with different keys',
    check: 'Processes',
    state: 'warning',
    finding: /different keys/,
    mend: /same SECRETS_KEY/,
    seed: async ({ sql }) => {
      await noteProcess(sql);
      await noteProcess(sql, { secretsKey: 'b' });
    },
  },
  {
    fault: 'a mail server that is not reached',
    check: 'Mail',
    state: 'failed',
    finding: /ECONNREFUSED/,
    mend: /SMTP_URL/,
    seed: async () => ({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'crm@example.com' }),
  },
  {
    fault: 'a proxy that allows no CONNECT',
    check: 'Outbound proxy',
    state: 'failed',
    finding: /405/,
    mend: /allow CONNECT/,
    seed: async () => {
      const port = await answering(() => 'HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n');
      return { OUTBOUND_PROXY: `http://127.0.0.1:${port}` };
    },
  },
  {
    fault: 'a proxy that is not reached',
    check: 'Outbound proxy',
    state: 'failed',
    finding: /ECONNREFUSED|refused/,
    mend: /OUTBOUND_PROXY/,
    seed: async () => ({ OUTBOUND_PROXY: 'http://127.0.0.1:1' }),
  },
  {
    fault: 'an ORIGIN without https',
    check: 'Address',
    state: 'warning',
    finding: /without https/,
    mend: /certificate/,
    seed: async () => ({ ORIGIN: 'http://192.0.2.1', ROLES: 'worker' }),
  },
  {
    fault: 'an ORIGIN that does not answer',
    check: 'Origin',
    state: 'warning',
    finding: /ECONNREFUSED/,
    mend: /proxy in front/,
    seed: async () => ({ ORIGIN: 'https://127.0.0.1:2' }),
  },
  {
    fault: 'an ORIGIN that leads to another program',
    check: 'Origin',
    state: 'warning',
    finding: /answers 200, but no Dealkeep/,
    mend: /correct ORIGIN/,
    seed: async () => {
      const server = createHttpServer((_, response) => response.end('Welcome to nginx!')).listen(
        0,
        '127.0.0.1',
      );
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      const address = server.address();
      return { ORIGIN: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}` };
    },
  },
  {
    fault: 'a port that is taken',
    check: 'Server',
    state: 'failed',
    finding: /EADDRINUSE/,
    mend: /another HOST or PORT/,
    seed: async () => ({ PORT: await takenPort() }),
  },
  {
    fault: 'an allowed target without an address',
    check: 'Allowed targets',
    state: 'warning',
    finding: /do not resolve/,
    mend: /WEBHOOK_ALLOWED_TARGETS/,
    // Too long for a name, so that no resolver is asked.
    seed: async () => ({ WEBHOOK_ALLOWED_TARGETS: `${'long'.repeat(16)}.example` }),
  },
  {
    fault: 'a collector of traces that is not reached',
    check: 'Traces',
    state: 'warning',
    finding: /ECONNREFUSED/,
    mend: /OTEL_EXPORTER_OTLP_ENDPOINT/,
    seed: async () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:2' }),
  },
];

/** Runs of the backups by the clock, the oldest first. */
async function noteBackupRuns(
  sql: postgres.Sql,
  ...runs: { kind: 'backup' | 'trial'; hoursAgo: number; failure?: string }[]
): Promise<undefined> {
  for (const { kind, hoursAgo, failure = null } of runs) {
    const at = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
    await sql`
      insert into backup_runs (kind, file, host, started_at, ended_at, failure)
      values (${kind}, 'one.backup', 'a', ${at}, ${at}, ${failure})`;
  }
}

/** Begins a transaction that goes on until the test ends. */
async function hold(
  sql: postgres.Sql,
  work: (tx: postgres.TransactionSql) => PromiseLike<unknown>,
): Promise<void> {
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const held = sql.begin(async (tx) => {
    await work(tx);
    begun.resolve();
    await over.promise;
  });
  onTestFinished(async () => {
    over.resolve();
    await held;
  });
  await begun.promise;
}
