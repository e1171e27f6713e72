import { testDatabase } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { presenceClass, WorkerPresence } from '../../src/change/queue/worker-presence.ts';
import { connect } from '../../src/foundations/database/connect.ts';

test('a worker that has just shown itself writes nothing, and takes its lock again when that has fallen', async () => {
  const { url, sql } = await testDatabase();
  const own = connect(url, { connections: 1, name: 'test' });
  onTestFinished(() => own.end({ timeout: 1 }));
  const presence = await WorkerPresence.announce(own);
  const seen = async () => (await sql`select xmin::text, xmax::text, seen_at from workers`)[0];
  const holders = async () =>
    (
      await sql`
        select from pg_locks where locktype = 'advisory' and classid = ${presenceClass} and granted
          and database = (select oid from pg_database where datname = current_database())`
    ).length;
  const noted = await seen();
  await own`select pg_advisory_unlock_all()`;
  expect(await holders()).toBe(0);
  await presence.renew();
  expect(await seen()).toEqual(noted);
  expect(await holders()).toBe(1);
});
