import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { runningEmbeddedPostgres } from '@dealkeep/embedded-postgres';
import { eventually, startHookReceiver, testDatabase } from '@dealkeep/testing';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import {
  ask,
  beforeAllTests,
  dealkeep,
  demoLogin,
  makeOrganization,
  oneLine,
  ownDatabase,
  ownFolder,
  postgresOf,
  result,
  startReadyHere,
  usedData,
} from './program.ts';
import { canMount, mebibyte, smallDisk } from './small-disk.ts';

/** A database whose files stand on a small disk, and the log of what is written to it elsewhere. */
async function databaseOnSmallDisk({ migrated }: { migrated: boolean }) {
  const disk = await smallDisk();
  const elsewhere = await testDatabase();
  const { sql } = elsewhere;
  const [session] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const files = join(disk.folder, 'tables');
  await mkdir(files);
  const { uid, gid } = await stat(`/proc/${session?.pid}`);
  await chown(files, uid, gid);
  const name = `small_${randomBytes(6).toString('hex')}`;
  await sql.unsafe(`create tablespace ${name} location '${files}'`);
  onTestFinished(() => sql.unsafe(`drop tablespace ${name}`).then(() => {}));
  const database = await testDatabase({ migrated });
  await sql.unsafe(`alter database ${new URL(database.url).pathname.slice(1)} set tablespace ${name}`);
  return { ...database, disk };
}

const choices = ['--keys', 'keep', '--webhooks', 'keep'];
let variables = { DATABASE_URL: '', SECRETS_KEY: '' };
let file = '';
beforeAllTests(async () => {
  variables = await ownDatabase();
  const { id } = await makeOrganization(variables);
  const sql = postgres(variables.DATABASE_URL, { max: 1 });
  // Eight megabytes that no compression makes smaller.
  await sql`
    insert into events (organization_id, id, type, record_id, occurred_at, envelope)
    select ${id}, 'evt_' || n, 'lead.created', gen_random_uuid(), now(), json_build_object('text',
      (select string_agg(md5(n || ' ' || piece), '') from generate_series(1, 2500) piece))::text
    from generate_series(1, 100) n`;
  await sql.end();
  file = join(await ownFolder(), 'own.backup');
  await result(['backup', file], variables);
});

test.runIf(canMount)(
  'a first start on a disk without room for a database says so in one line, and is repeated when there is room',
  async () => {
    const disk = await smallDisk();
    const start = { DATA_DIR: join(disk.folder, 'data'), PORT: '0' };
    for (const free of [0, 8 * mebibyte]) {
      disk.fill(free);
      const { code, stderr } = await dealkeep(['start'], start);
      expect(code).toBe(1);
      expect(stderr).toMatch(oneLine);
      expect(stderr).toMatch(/no room.*make room on its disk/);
      disk.makeRoom();
    }
    const program = await startReadyHere(start);
    // Before its disk goes.
    expect(await program.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  },
);

test.runIf(canMount)(
  'a backup to a disk that fills up says so in one line, leaves nothing, and is made when there is room',
  async () => {
    const disk = await smallDisk();
    disk.fill(mebibyte);
    const backup = join(disk.folder, 'own.backup');
    const { code, stdout, stderr } = await dealkeep(['backup', backup], variables);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `"${backup}.part" has no room: make room on its disk, or name one on another disk; nothing is kept of this try\n`,
    );
    expect(await readdir(disk.folder)).toEqual(['filling']);
    // Nor does the server go on with it.
    const sql = postgres(variables.DATABASE_URL, { max: 1 });
    onTestFinished(() => sql.end());
    const sessions = () => sql`
      select from pg_stat_activity where datname = current_database() and application_name like '%backup%'`;
    await eventually(async () => expect(await sessions()).toEqual([]));
    disk.makeRoom();
    await result(['backup', backup], variables);
    expect((await dealkeep(['verify', backup], variables)).code).toBe(0);
  },
);

test.runIf(canMount).each([
  ['that has no table yet', false],
  ['that is migrated', true],
])(
  'a restore into a database %s, whose disk fills up, says so in one line, and is repeated when there is room',
  async (_, migrated) => {
    const { disk, ownerUrl, sql } = await databaseOnSmallDisk({ migrated });
    const to = { ...variables, DATABASE_URL: ownerUrl };
    disk.fill(mebibyte);
    const { code, stdout, stderr } = await dealkeep(['restore', file, ...choices], to);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(oneLine);
    expect(stderr).toMatch(
      /^The disk of the database is full \(.*\): nothing was restored, .*; make room there, then run this again\n$/,
    );
    disk.makeRoom();
    await result(['restore', file, ...choices], to);
    expect(await sql`select from events`).toHaveLength(100);
  },
);

test.runIf(canMount)(
  'a move to a server whose disk fills up says so in one line, leaves everything where it was, and is repeated when there is room',
  async () => {
    const { dataDir } = await usedData();
    const here = { DATA_DIR: dataDir };
    const { disk, ownerUrl, sql } = await databaseOnSmallDisk({ migrated: true });
    const organizations = await result<object[]>(['organizations', 'list'], here);
    disk.fill(256 * 1024);
    const { code, stdout, stderr } = await dealkeep(['move-to', ownerUrl], here);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(oneLine);
    expect(stderr).toMatch(
      /^The disk of the database is full \(.*\): nothing was moved, and the other database is .*; make room there, then run this again\n$/,
    );
    expect(await result(['queue', 'status'], here)).toMatchObject({ deliveries: 'sending' });
    expect(await sql`select from organizations`).toHaveLength(0);
    disk.makeRoom();
    expect((await dealkeep(['move-to', ownerUrl], here)).code).toBe(0);
    expect(await sql`select from organizations`).toHaveLength(organizations.length);
    expect(await result(['queue', 'status'], here)).toMatchObject({ deliveries: 'paused' });
  },
);

test.runIf(canMount)(
  'while the disk of the database is full, writes answer 503 and reads go on; with room everything goes on by itself, and nothing is lost',
  async () => {
    const { disk, url, sql } = await databaseOnSmallDisk({ migrated: true });
    const own = {
      DATABASE_URL: url,
      SECRETS_KEY: variables.SECRETS_KEY,
      WEBHOOK_ALLOWED_TARGETS: '127.0.0.1',
    };
    const { key } = await makeOrganization(own);
    const program = await startReadyHere(own);
    const receiver = await startHookReceiver();
    const post = async (path: string, body: object, idempotencyKey: string) => {
      const answer = await fetch(`${program.origin}/api/v1/public${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: {
          authorization: `Bearer ${key.token}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
      });
      const text = await answer.text();
      return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: JSON.parse(text) };
    };
    const hook = await post('/webhooks', { target_url: receiver.url, event: 'lead.created' }, 'hook');
    expect(hook.status).toBe(201);
    // Text that no compression makes smaller: each lead needs room.
    const leads = Array.from({ length: 30 }, (_, at) => ({
      name: `Lead ${at}`,
      note: randomBytes(5_000).toString('hex'),
    }));
    const create = (lead: { name: string }) => post('/leads', lead, lead.name);
    const [first, ...others] = leads;
    const made = await create(first ?? { name: '' });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await receiver.received(1);

    disk.fill();
    const statuses = new Set<number>();
    for (const lead of others) {
      const answer = await create(lead);
      statuses.add(answer.status);
      if (answer.status === 201) continue;
      expect(answer).toMatchObject({
        status: 503,
        retryAfter: expect.any(String),
        body: { error: { code: 'SERVICE_UNAVAILABLE' } },
      });
    }
    expect(statuses).toContain(503);
    for (const path of ['/leads', `/leads/${made.body.data.id}`, '/webhooks']) {
      expect([path, (await ask(program.origin, key.token, path)).status]).toEqual([path, 200]);
    }
    expect((await fetch(`${program.origin}/readyz`)).status).toBe(200);

    disk.makeRoom();
    for (const lead of leads) expect((await create(lead)).status).toBe(201);
    const names = await sql<{ name: string }[]>`select name from leads order by created_at`;
    expect(names.map(({ name }) => name).sort()).toEqual(leads.map(({ name }) => name).sort());
    await receiver.received(leads.length);
    await eventually(async () => expect(await sql`select from deliveries`).toEqual([]));
    expect(new Set(receiver.requests.map(({ envelope }) => envelope.id)).size).toBe(leads.length);
    expect(receiver.requests).toHaveLength(leads.length);
    expect((await program.end('SIGTERM')).code).toBe(0);
  },
);

test.runIf(canMount)(
  'an embedded PostgreSQL that crashes and ends because its disk is full is told of; a start names the disk; with room, all that was answered is there',
  async () => {
    const disk = await smallDisk();
    const own = { DATA_DIR: join(disk.folder, 'data'), PORT: '0' };
    const program = await startReadyHere(own);
    const { key } = await demoLogin(own.DATA_DIR);
    const answered: { id: string; name: string }[] = [];
    const create = async (name: string): Promise<number> => {
      const answer = await ask(program.origin, key, '/leads', {
        method: 'POST',
        body: JSON.stringify({ name, note: randomBytes(2_000).toString('hex') }),
      });
      if (answer.status === 201) answered.push(Object(await answer.json()).data);
      return answer.status;
    };
    expect(await create('before')).toBe(201);
    const ownerUrl = await runningEmbeddedPostgres(own.DATA_DIR);
    const owner = postgres(ownerUrl ?? '', { max: 1 });
    onTestFinished(() => owner.end({ timeout: 1 }));
    await owner`select 1`;

    disk.fill();
    await create('meanwhile');
    // Each asks for a new file of its log, until there is no room for one, by which PostgreSQL crashes.
    await eventually(() => expect(owner`select pg_switch_wal(), txid_current()`).rejects.toThrow());
    const server = await postgresOf(own.DATA_DIR);
    try {
      if (server !== undefined) process.kill(server, 'SIGKILL');
    } catch (error) {
      // Its recovery may have failed for want of room already, by which it has ended itself.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
    expect(await program.ended).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('The embedded PostgreSQL ended by itself'),
    });
    const { code, stderr } = await dealkeep(['start'], own);
    expect([code, stderr]).toEqual([1, expect.stringMatching(oneLine)]);
    expect(stderr).toMatch(
      /the disk is full\. Make room on it, but delete nothing in .*, then start again\./,
    );

    disk.makeRoom();
    const again = await startReadyHere(own);
    for (const { id, name } of answered) {
      const found = await ask(again.origin, key, `/leads/${id}`);
      expect(await found.json()).toMatchObject({ data: { id, name } });
    }
  },
);
