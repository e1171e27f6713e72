import { rm } from 'node:fs/promises';
import { type Database, migrate } from '@dealkeep/core/foundations';
import { startEmbeddedPostgres, throwawayFolder, throwawaySettings } from '@dealkeep/embedded-postgres';
import { eventually, freePort } from '@dealkeep/testing';
import { beforeAll, expect, test } from 'vitest';
import { openCounted } from './created-once.ts';

/** A server of its own, which keeps what it has committed, and which can be lost and started again. */
async function startPrimary() {
  const dataDir = await throwawayFolder();
  const port = Number(await freePort());
  const settings = {
    ...throwawaySettings,
    // Else no commit is put off, as below.
    fsync: 'on',
    commit_siblings: 0,
    // Nothing but a commit writes its record.
    wal_writer_delay: '10s',
    // On the disk of this server, which is all that commits wait for unless they ask for more, as below.
    synchronous_commit: 'local',
    synchronous_standby_names: 'one_that_never_comes',
    wal_level: 'replica',
    max_wal_senders: 1,
  };
  const start = () => startEmbeddedPostgres({ dataDir, settings, port });
  let server = await start();
  await migrate(server.url);
  return {
    url: server.url,
    async startAgain(): Promise<void> {
      await server.stop();
      server = await start();
    },
    async remove(): Promise<void> {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

let primary: Awaited<ReturnType<typeof startPrimary>>;
beforeAll(async () => {
  primary = await startPrimary();
  return () => primary.remove();
});

const [rounds, together] = [2, 6];

/** Where commits stand still, how the sessions that do are known, and how many of those that go on together do. */
const moments = {
  'before its record is on the disk': {
    setting: ['commit_delay', '100000'],
    found: "state = 'active' and query = 'commit'",
    // One waits, which then writes what all of them have committed.
    enough: 1,
  },
  'after its record is on the disk, and before it is answered': {
    setting: ['synchronous_commit', 'on'],
    found: "wait_event = 'SyncRep'",
    enough: together,
  },
} as const;

/** From now on commits of new leads stand still at a moment, until the server is lost; others go on. */
const standStill = (sql: Database, [name, value]: readonly [string, string]) =>
  sql.unsafe(`
    create or replace function stand_still() returns trigger language plpgsql as $$
    begin
      perform set_config('${name}', '${value}', true);
      return null;
    end $$;
    create or replace trigger stand_still after insert on leads execute function stand_still()`);

test.each([
  ['a session killed', 'before its record is on the disk'],
  ['a session killed', 'after its record is on the disk, and before it is answered'],
  ['every process killed', 'before its record is on the disk'],
  ['every process killed', 'after its record is on the disk, and before it is answered'],
] as const)(
  'a primary lost (%s) in the middle of a commit, %s: what was answered stays, and each request repeated with its key makes one record, its event and its deliveries once',
  async (killed, moment) => {
    const { dealkeep, sql, create, made } = await openCounted({ databaseUrl: primary.url });
    const { setting, found, enough } = moments[moment];
    const statuses = new Set<number | undefined>();
    const post = async (name: string) => {
      const answer = await create(dealkeep.baseUrl, { name });
      statuses.add(answer?.status);
      return answer;
    };
    const inCommit = () =>
      sql.unsafe<{ pid: number }[]>(
        `select pid from pg_stat_activity where ${found} and backend_type = 'client backend'`,
      );
    const replays: boolean[] = [];

    for (let round = 0; round < rounds; round += 1) {
      const before = Array.from({ length: together }, (_, at) => `Before ${killed} ${moment} ${round}.${at}`);
      const answered = await Promise.all(before.map(post));
      expect(answered.map((answer) => answer?.status)).toEqual(Array(together).fill(201));

      await standStill(sql, setting);
      // A machine that is busy elsewhere may miss the moment; then others come.
      const names: string[] = [];
      const requests: ReturnType<typeof post>[] = [];
      const [first] = await eventually(
        async () => {
          let areAnswered = false;
          const group = Array.from(
            { length: together },
            (_, at) => `Lost ${killed} ${moment} ${round}.${names.length + at}`,
          );
          names.push(...group);
          requests.push(...group.map(post));
          Promise.all(requests).then(() => {
            areAnswered = true;
          });
          for (;;) {
            const sessions = await inCommit();
            if (sessions.length >= enough) return sessions;
            expect(areAnswered, 'The moment was missed').toBe(false);
          }
        },
        { interval: 1, timeout: 60_000 },
      );
      if (killed === 'a session killed') process.kill(first?.pid ?? Number.NaN, 'SIGKILL');
      else {
        const [server] = await sql<{ postmaster: number; sessions: number[] }[]>`
          select (string_to_array(pg_read_file('postmaster.pid'), E'\n'))[1]::integer as postmaster,
            array_agg(pid) as sessions
          from pg_stat_activity`;
        const postmaster = server?.postmaster ?? Number.NaN;
        // Else the others would end by themselves once it has gone.
        process.kill(postmaster, 'SIGSTOP');
        for (const pid of [...(server?.sessions ?? []), postmaster]) process.kill(pid, 'SIGKILL');
        await primary.startAgain();
      }
      await eventually(() => sql`drop trigger stand_still on leads`);

      const answers = await Promise.all(requests);
      for (const [at, name] of names.entries()) {
        const answer = answers[at];
        if (answer?.status === 503) expect(JSON.parse(answer.text).error.code).toBe('SERVICE_UNAVAILABLE');
        const again = await eventually(async () => {
          const repeated = await post(name);
          expect(repeated?.status, repeated?.text).toBe(201);
          return repeated;
        });
        // What was answered is answered again, as it was.
        if (answer?.status === 201) expect(again?.text).toBe(answer.text);
        else replays.push(again?.replayed ?? false);
      }
      for (const name of [...names, ...before]) {
        expect([name, await made(name)]).toEqual([name, { leads: 1, events: 1, deliveries: 1, answers: 1 }]);
      }
    }
    expect([...statuses].sort()).toEqual([201, 503]);
    // The commits were caught where they were to be.
    expect(replays).toContain(enough === together);
  },
);
