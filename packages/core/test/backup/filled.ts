import { randomBytes, randomUUID } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createApiKey, createOrganization, createUser } from '@dealkeep/core/accounts';
import { systemClock as clock, connect, OperatorError } from '@dealkeep/core/foundations';
import {
  claimEnvironment,
  type RestoredBackup,
  type RestoreOptions,
  restoreBackup,
  seedDemo,
  takeBackup,
} from '@dealkeep/core/installation';
import { type TestDatabase, testDatabase } from '@dealkeep/testing';

/** One to restore into. */
export const emptyDatabase = (): Promise<TestDatabase> => testDatabase({ onOneServer: true });

/** Puts an organization into a database in which much has happened, some of it under way. */
export async function fillDatabase(database: TestDatabase): Promise<void> {
  const sql = connect(database.url, { connections: 1, name: 'test' });
  const operator = { sql, clock, environment: 'live' as const };
  await claimEnvironment(sql, 'live');
  const { id } = await createOrganization(operator, { name: 'Own', slug: 'own' });
  await createUser(operator, {
    organization: 'own',
    // Everything that COPY writes in another way.
    name: 'Ľubomír "\\N" \\.',
    email: 'owner@own.example',
    password: 'a long password',
    role: 'owner',
  });
  await createApiKey(operator, { organization: 'own', name: 'Key', grant: { preset: 'automation' } });
  await seedDemo(operator, 'own', 60);
  await sql.end();
  await happen(database.sql, id);
}

/** An event that waits for a webhook and one that is being sent, a REST hook, a session, a mail, an import. */
async function happen(sql: TestDatabase['sql'], organization: string): Promise<void> {
  await sql`insert into secrets_keys (fingerprint) values ('0011223344556677')`;
  await sql`
    insert into events (organization_id, id, type, record_id, occurred_at, envelope)
    select ${organization}, 'evt_' || n, 'lead.created', gen_random_uuid(), now(), '{"a":"\\n\\t"}' from generate_series(1, 3) n`;
  const [manual, hook] = [randomUUID(), randomUUID()];
  await sql`
    insert into webhooks (organization_id, id, api_key_id, name, target_url, events, secret, created_at)
    select ${organization}, w.id, case when w.by_key then k.id end, 'Shop', 'https://shop.example/hook', '{lead.created}',
           ${randomBytes(300)}, now()
    from (values (${manual}::uuid, false), (${hook}::uuid, true)) as w (id, by_key), api_keys k`;
  await sql`
    insert into deliveries (id, organization_id, webhook_id, event_id, due_at, worker_id, created_at)
    select gen_random_uuid(), ${organization}, w.id, 'evt_' || n, now(), case when n = 2 then 7 end, now()
    from generate_series(1, 2) n, webhooks w`;
  await sql`insert into workers (worker_id, seen_at) values (7, now())`;
  await sql`
    insert into console_sessions (token_hash, organization_id, user_id, person_id, csrf_token, created_at, rotated_at, last_seen_at)
    select '\\x0102', organization_id, id, person_id, 'csrf', now(), now(), now() from memberships`;
  await sql`
    select graphile_worker.add_job('send_mail', ${sql.json({
      kind: 'invitation',
      id: randomUUID(),
      organization_id: organization,
      invitation_id: randomUUID(),
    })}::json, queue_name => 'mails', job_key => 'mail/one', max_attempts => 22, flags => '{mail}')`;
  await sql`
    update graphile_worker._private_jobs set created_at = '2026-01-02T03:04:05Z', attempts = 3 where key = 'mail/one'`;
  await sql`select nextval('worker_ids'), nextval('worker_ids')`;
}

/** What `dealkeep backup` writes. */
export async function backupOf({ url }: Pick<TestDatabase, 'url'>): Promise<Buffer> {
  const out = new PassThrough();
  const [bytes] = await Promise.all([buffer(out), takeBackup({ url, version: '0.1.0', clock }, out)]);
  return bytes;
}

export const restoreInto = (
  { ownerUrl }: Pick<TestDatabase, 'ownerUrl'>,
  bytes: Buffer,
  options: Partial<RestoreOptions> = {},
): Promise<RestoredBackup> =>
  restoreBackup(ownerUrl, inPieces(bytes), {
    clock,
    environment: 'live',
    changeEnvironment: false,
    fingerprints: ['0011223344556677'],
    as: 'restored',
    keys: 'keep',
    webhooks: 'keep',
    ...options,
  });

/** As a file or a pipe gives it: in pieces of any length. */
export function inPieces(bytes: Buffer, length = 1000): Readable {
  const pieces = function* (): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
  };
  return Readable.from(pieces(), { objectMode: false });
}

/** How many rows each table has, and a sum over all of them as PostgreSQL shows them. */
export async function tableSums(sql: TestDatabase['sql']): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const name of await tableNames(sql)) {
    // When each of them ran is no backup's: two databases may have been made by themselves.
    const rows = name === 'migrations' ? sql`(select name, lived_with_since from migrations)` : sql(name);
    const [row] = await sql<{ sum: string }[]>`
      select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as sum from ${rows} t`;
    sums[name] = row?.sum ?? '';
  }
  return sums;
}

export async function tableNames(sql: TestDatabase['sql']): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    order by 1`;
  return tables.map(({ name }) => name);
}

/** Everything of a schema that a restore takes away and makes again. */
export async function schemaOf(sql: TestDatabase['sql']): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    select pg_get_indexdef(indexrelid) || ' ' || indisvalid as line
    from pg_index join pg_class on pg_class.oid = indexrelid where relnamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
    from pg_constraint where connamespace = 'public'::regnamespace
    order by 1`;
  return rows.map(({ line }) => line);
}

/** The sums of all tables but some. */
export const without = (sums: Record<string, string>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(sums).filter(([name]) => !names.includes(name)));

/** The sentence that something is refused with. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof OperatorError) return error.sentence;
    throw error;
  }
  throw new Error('Nothing was refused');
}

/** Whether nothing has been restored. */
export const isEmpty = async ({ sql }: TestDatabase): Promise<boolean> =>
  (await sql`select from organizations`).length + (await sql`select from secrets_keys`).length === 0;
