import { prepareProgramRole, RightsProof } from '@dealkeep/core/foundations';
import { testDatabase } from '@dealkeep/testing';
import type postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/foundations/database/connect.ts';

const jobs = 'graphile_worker._private_jobs';

/** What an administrator can take away, and what is said of it. */
const taken = [
  {
    what: 'has revoked a right to a table',
    take: (sql: postgres.Sql, role: string) => sql`revoke insert on leads from ${sql(role)}`,
    lacking: 'insert on leads',
  },
  {
    what: 'has dropped the policy of a table',
    take: (sql: postgres.Sql, role: string) => sql`drop policy ${sql(role)} on ${sql(jobs)}`,
    lacking: `a policy for all rows of ${jobs}`,
  },
  {
    what: 'has changed a policy to hide rows',
    take: (sql: postgres.Sql, role: string) => sql`alter policy ${sql(role)} on ${sql(jobs)} using (id < 0)`,
    lacking: `a policy for all rows of ${jobs}`,
  },
  {
    what: 'has enabled row-level security of one of our tables',
    take: (sql: postgres.Sql) => sql`alter table leads enable row level security`,
    lacking: 'a policy for all rows of leads',
  },
  {
    what: 'has revoked the right to call a function',
    take: (sql: postgres.Sql) => sql`revoke execute on function search_pattern(text) from public, program`,
    lacking: 'execute on function search_pattern',
  },
  {
    what: 'has revoked the right to add jobs',
    take: (sql: postgres.Sql) =>
      sql`revoke execute on all functions in schema graphile_worker from public, program`,
    lacking: 'execute on function graphile_worker.add_job',
  },
  {
    what: 'has revoked a schema',
    take: (sql: postgres.Sql, role: string) => sql`revoke usage on schema graphile_worker from ${sql(role)}`,
    lacking: 'usage on schema graphile_worker',
  },
];

/** As the program proves its rights, over one connection. */
function proofOf(url: string): RightsProof {
  const sql = connect(url, { connections: 1, name: 'test' });
  onTestFinished(() => sql.end());
  return new RightsProof(sql);
}

test.each(taken)(
  'where an administrator $what, that is named, and preparing the role gives it back (rule operator 42)',
  async ({ take, lacking }) => {
    const { url, ownerUrl, sql } = await testDatabase();
    const proof = proofOf(url);
    expect(await proof.lacking()).toEqual([]);
    await take(sql, new URL(url).username);
    expect(await proof.lacking()).toContain(lacking);
    await prepareProgramRole(ownerUrl, url);
    expect(await proof.lacking()).toEqual([]);
  },
);

test('a policy that only refuses is named, and so is the trigger that keeps a job from being added', async () => {
  const { url, sql } = await testDatabase();
  const proof = proofOf(url);
  await sql`create policy refuses on ${sql(jobs)} as restrictive using (id < 0)`;
  expect(await proof.lacking()).toEqual([`a policy for all rows of ${jobs}`]);
  await sql`drop policy refuses on ${sql(jobs)}`;
  await sql`
    create function refuse() returns trigger language plpgsql as
    $$ begin raise insufficient_privilege using message = 'not today'; end $$`;
  await sql`create trigger refuse before insert on ${sql(jobs)} for each row execute function refuse()`;
  expect(await proof.lacking(), 'found by trying').toEqual(['adding a job (not today)']);
});

test('to prove rights writes nothing, until a right or a policy changes', async () => {
  const { url, sql } = await testDatabase();
  const proof = proofOf(url);
  const ask = async () => expect(await proof.lacking()).toEqual([]);
  const tried = async () => {
    const [row] = await sql<{ last: string | null }[]>`
      select last_value::text as last from pg_sequences
      where schemaname = 'graphile_worker'
        and format('%I.%I', schemaname, sequencename) = pg_get_serial_sequence(${jobs}, 'id')`;
    if (!row) throw new Error('Jobs have no sequence');
    return row.last;
  };
  await ask();
  const first = await tried();
  await ask();
  await ask();
  expect(await tried()).toBe(first);
  await sql`grant select on leads to public`;
  await ask();
  expect(await tried()).not.toBe(first);
});
