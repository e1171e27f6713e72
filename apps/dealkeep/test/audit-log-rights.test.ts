import { randomBytes } from 'node:crypto';
import { createOrganization } from '@dealkeep/core/accounts';
import { connect, type Database, prepareProgramRole, systemClock } from '@dealkeep/core/foundations';
import { removeOld } from '@dealkeep/core/installation';
import { testDatabase } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { examine } from '../src/doctor/examine.ts';

function connected(url: string): Database {
  const sql = connect(url, { connections: 1, name: 'test' });
  onTestFinished(() => sql.end());
  return sql;
}

const day = 24 * 3_600_000;

/** An organization with entries of so many days ago. */
async function begin(...days: number[]) {
  const { url, ownerUrl } = await testDatabase();
  const owner = connected(ownerUrl);
  const { id } = await createOrganization(
    { sql: owner, clock: systemClock },
    { name: 'Own', slug: `own-${randomBytes(4).toString('hex')}` },
  );
  await owner`delete from audit_entries`;
  for (const ago of days) {
    const at = Date.now() - ago * day;
    const entry = `${at.toString(16).padStart(12, '0')}7${'0'.repeat(19)}`;
    await owner`
      insert into audit_entries (organization_id, id, at, operation, resource, record_name, actor_kind, detail)
      values (${id}, ${entry}, ${new Date(at).toISOString()}, 'companies.create', 'company', ${`of ${ago} days ago`}, 'operator', '{}')`;
  }
  const kept = async () =>
    (await owner`select record_name as name from audit_entries order by id`).map((row) => row['name']);
  return { id, url, ownerUrl, owner, program: connected(url), kept };
}

test('the program’s role can neither change nor remove an entry of the audit log (rule audit 9)', async () => {
  const { id, program, kept } = await begin(400, 1);
  for (const statement of [
    `delete from audit_entries where organization_id = '${id}'`,
    "update audit_entries set record_name = 'another'",
    "update audit_entries set detail = '{}'",
    'update audit_entries set organization_id = gen_random_uuid()',
    'truncate audit_entries',
    'select from audit_entries for update',
    'drop function remove_old_audit_entries',
    `insert into audit_entries select * from audit_entries
     on conflict (organization_id, id) do update set record_name = 'another'`,
    `merge into audit_entries t using (values (1)) v on true when matched then delete`,
  ]) {
    await expect(program.unsafe(statement), statement).rejects.toMatchObject({ code: '42501' });
  }
  expect(await kept()).toEqual(['of 400 days ago', 'of 1 days ago']);
});

test('what removes old entries removes none of the last 30 days, whatever it is asked (rule audit 9)', async () => {
  const { id, program, kept } = await begin(40, 31, 29, 0);
  await removeOld({ sql: program, clock: systemClock }, { only: ['auditEntries'] });
  expect(await kept()).toHaveLength(4);
  const everything = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  await program`select remove_old_audit_entries(${id}, ${everything}, 1)`;
  expect(await kept(), 'one at most').toEqual(['of 31 days ago', 'of 29 days ago', 'of 0 days ago']);
  await program`select remove_old_audit_entries(${id}, ${everything}, 1000)`;
  expect(await kept()).toEqual(['of 29 days ago', 'of 0 days ago']);
  const [entry] = await program`select id from audit_entries limit 1`;
  await program`select note_import_counts(${id}, ${id}, ${entry?.['id']})`;
  const [detail] = await program`select detail from audit_entries where id = ${entry?.['id']}`;
  expect(detail?.['detail'], 'of another operation than an import').toEqual({});
});

test('what acts as the owner is for the program’s role alone (rule audit 9)', async () => {
  const { id, owner } = await begin(40);
  const name = `other_${randomBytes(6).toString('hex')}`;
  await owner.unsafe(`create role ${name}`);
  const asked = owner.begin(async (tx) => {
    await tx.unsafe(`set local role ${name}`);
    await tx`select remove_old_audit_entries(${id}, ${id}, 1)`;
  });
  await expect(asked).rejects.toMatchObject({ code: '42501' });
  await owner.unsafe(`drop role ${name}`);
});

test('migrate takes back what the role had before, and doctor says that it had it (rules audit 9 and operator 32)', async () => {
  const { url, ownerUrl, owner, program } = await begin(1);
  const secrets = { SECRETS_KEY: randomBytes(32).toString('base64') };
  const finding = async (address: string) =>
    (await examine({ ...secrets, DATABASE_URL: address })).find(({ check }) => check === 'Audit log');
  expect(await finding(url)).toMatchObject({ state: 'ok' });
  expect(await finding(ownerUrl), 'of a role that owns the tables').toMatchObject({
    state: 'warning',
    mend: expect.stringContaining('DATABASE_OWNER_URL'),
  });
  const role = owner(new URL(url).username);
  for (const grant of [
    owner`grant update, delete on audit_entries to ${role}`,
    owner`grant update (detail) on audit_entries to ${role}`,
  ]) {
    await grant;
    expect(await finding(url)).toMatchObject({ state: 'warning' });
    await prepareProgramRole(ownerUrl, url);
    expect(await finding(url)).toMatchObject({ state: 'ok' });
  }
  await expect(program`delete from audit_entries`).rejects.toMatchObject({ code: '42501' });
});

test('an owner who is the program’s role, too, keeps the rights (rule audit 9)', async () => {
  const { ownerUrl, owner } = await begin(1);
  await prepareProgramRole(ownerUrl, ownerUrl);
  expect(await owner`delete from audit_entries`).toHaveProperty('count', 1);
});
