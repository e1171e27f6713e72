import { once } from 'node:events';
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventually, testDatabase } from '@dealkeep/testing';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { connect, waitingIn } from '../../src/foundations/database/connect.ts';
import { isTemporaryFailure } from '../../src/foundations/database/failures.ts';
import { inTransaction } from '../../src/foundations/database/in-transaction.ts';
import { noLimits } from '../../src/foundations/operating-limits.ts';

const { url, sql: onlooker } = await testDatabase();
const limits = { statementMs: 400, answerMs: 1_000, connectMs: 2_000 };
const sql = connect(url, { connections: 1, name: 'test limits', limits });
afterAll(() => sql.end({ timeout: 5 }));
await onlooker`create table written (name text)`;

/** Keeps the only connection busy until it is told. */
async function keepBusy(): Promise<{ release(): Promise<void> }> {
  const busy = Promise.withResolvers<void>();
  let released = false;
  const holding = sql.begin(async (tx) => {
    while (!released) {
      await tx`select pg_sleep(0.05)`;
      busy.resolve();
    }
  });
  await busy.promise;
  return {
    async release() {
      released = true;
      await holding;
    },
  };
}

test('a statement that takes too long is ended by the server, and that is a temporary failure (rule operator 22)', async () => {
  const slow = sql`select pg_sleep(60)`;
  await expect(slow).rejects.toMatchObject({ code: '57014' });
  await expect(slow).rejects.toSatisfy(isTemporaryFailure);
  expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }]);
});

test('what waits too long for a connection is given up, and is never done later (rule operator 22)', async () => {
  const holder = await keepBusy();
  const waiting = [
    sql`insert into written values ('statement')`,
    inTransaction(sql, (tx) => tx`insert into written values ('transaction')`),
  ];
  for (const each of waiting) await expect(each).rejects.toSatisfy(isTemporaryFailure);
  await holder.release();
  await eventually(async () => expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }]));
  expect(await onlooker`select from written`).toHaveLength(0);
});

test('a transaction that waits too long for a lock is undone, and its connection goes on', async () => {
  await onlooker.begin(async (tx) => {
    await tx`lock table written`;
    const blocked = inTransaction(sql, async (own) => {
      await own`select 1`;
      await own`insert into written values ('blocked')`;
    });
    await expect(blocked).rejects.toSatisfy(isTemporaryFailure);
  });
  expect(await inTransaction(sql, (tx) => tx`select name from written`)).toHaveLength(0);
});

/** A way to the database that can fall silent: whoever asks is answered nothing, and nothing ends. */
async function startSilentWay() {
  const { hostname, port } = new URL(url);
  let isSilent = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connectSocket(Number(port), hostname);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => socket.destroy()));
    near.on('data', (sent) => (isSilent ? undefined : far.write(sent))).on('close', () => far.destroy());
    far.pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const through = new URL(url);
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    fallSilent() {
      isSilent = true;
    },
    speak() {
      isSilent = false;
    },
  };
}

test('while no connection says anything, what comes is refused at once, until the server answers again (rule operator 22)', async () => {
  const way = await startSilentWay();
  const pool = connect(way.url, { connections: 2, name: 'test silent', limits });
  onTestFinished(() => pool.end({ timeout: 0 }));
  await pool`select 1`;
  way.fallSilent();
  const silent = { code: 'DATABASE_SILENT' };
  await expect(pool`select 'waits for the limit'`).rejects.toMatchObject(silent);
  const asked = Array.from({ length: 50 }, () => pool`insert into written values ('refused')`);
  const outcomes = Promise.allSettled([...asked, inTransaction(pool, (tx) => tx`select 1`)]);
  await nextTurn();
  expect(waitingIn(pool), 'nothing waits for a limit').toBe(0);
  expect((await outcomes).map((each) => each.status === 'rejected' && each.reason.code)).toEqual(
    Array(51).fill('DATABASE_SILENT'),
  );
  way.speak();
  await eventually(async () => expect([...(await pool`select 1 as one`)]).toEqual([{ one: 1 }]));
  expect(await onlooker`select from written where name = 'refused'`).toHaveLength(0);
});

test('migrations, upkeep and commands have no limit, whatever the role says', async () => {
  const name = `limited_${process.pid}`;
  await onlooker.unsafe(
    `create role ${name} login superuser password 'x'; alter role ${name} set statement_timeout = 5`,
  );
  const address = Object.assign(new URL(url), { username: name, password: 'x' }).href;
  const unlimited = connect(address, { connections: 1, name: 'test', limits: noLimits });
  try {
    expect(await unlimited`select pg_sleep(0.1)`).toHaveLength(1);
  } finally {
    await unlimited.end({ timeout: 5 });
    await onlooker.unsafe(`drop role ${name}`);
  }
});
