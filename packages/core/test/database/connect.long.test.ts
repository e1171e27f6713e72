import { once } from 'node:events';
import { connect as connectSocket, createServer, type Socket } from 'node:net';
import { eventually, testDatabase } from '@dealkeep/testing';
import { afterAll, expect, test } from 'vitest';
import { connect, type Transaction } from '../../src/foundations/database/connect.ts';
import { isTemporaryFailure } from '../../src/foundations/database/failures.ts';
import { inTransaction } from '../../src/foundations/database/in-transaction.ts';

const { ownerUrl: url } = await testDatabase();
const settings = { deadlock_timeout: '50ms' };
const sql = connect(url, { connections: 1, name: 'test', settings });
const other = connect(url, { connections: 1, name: 'test administrator', settings });
afterAll(() => Promise.all([sql.end({ timeout: 5 }), other.end({ timeout: 5 })]));

/** Ends the session of the pool under test. */
async function endSession(): Promise<void> {
  await expect
    .poll(
      async () =>
        (
          await other`
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'test'`
        ).length,
    )
    .toBe(1);
}

test.each(['in a transaction', 'in a savepoint'])(
  'work %s that loses its connection while it waits for something else is refused, and writes nothing later',
  async (where) => {
    await sql`create table if not exists later (name text)`;
    const { promise: waiting, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: wentOn, resolve: finished } = Promise.withResolvers<unknown>();
    const work = async (tx: Transaction) => {
      await tx`select 1`;
      begin();
      await waiting;
      try {
        await tx`insert into later values ('too late')`;
      } catch (error) {
        finished(error);
        throw error;
      }
    };
    const outcome = inTransaction(sql, (tx) =>
      where === 'in a savepoint' ? inTransaction(tx, work) : work(tx),
    );
    const failed = expect(outcome).rejects.toSatisfy(isTemporaryFailure);
    await begun;
    await endSession();
    await failed;
    // Somebody else has the connection by now.
    await sql`select 1`;
    goOn();
    expect(await wentOn).toSatisfy(isTemporaryFailure);
    expect(await sql`select from later`).toHaveLength(0);
  },
);

test.each(['fails', 'is done'])(
  'work that %s after its connection was lost, and asks for nothing more, does not end the process',
  async (how) => {
    const { promise: waiting, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const outcome = inTransaction(sql, async (tx) => {
      await tx`select 1`;
      begin();
      await waiting;
      if (how === 'fails') throw new Error('It has failed by itself');
    });
    const failed = expect(outcome).rejects.toSatisfy(isTemporaryFailure);
    await begun;
    await endSession();
    await failed;
    goOn();
    // postgres.js would now write to a socket that is no more, which nobody can catch.
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  },
);

test('a statement that follows at once on one whose connection was reset does not wait for ever', async () => {
  const { hostname, port } = new URL(url);
  let connection: Socket | undefined;
  const between = createServer((client) => {
    connection = client;
    const server = connectSocket(Number(port), hostname);
    for (const socket of [client, server]) socket.on('error', () => socket.destroy());
    client.pipe(server).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  const address = between.address();
  const through = new URL(url);
  through.host = `127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  const pool = connect(through.href, { connections: 1, name: 'test between' });
  for (let round = 0; round < 3; round += 1) {
    await pool`select 1`;
    const interrupted = pool`select pg_sleep(30)`.catch(() => pool`select 2`.catch(() => 'failed, too'));
    await eventually(async () =>
      expect(
        await other`
          select from pg_stat_activity
          where application_name = 'test between' and state = 'active' and datname = current_database()`,
      ).toHaveLength(1),
    );
    connection?.resetAndDestroy();
    await interrupted;
    await eventually(async () => expect([...(await pool`select 3 as three`)]).toEqual([{ three: 3 }]));
    await other`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'test between' and query like '%pg_sleep%' and pid <> pg_backend_pid()`;
  }
  await pool.end({ timeout: 1 });
  between.close();
});
