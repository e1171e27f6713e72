import { once } from 'node:events';
import { connect as connectSocket, createServer, Socket } from 'node:net';
import { eventually, testDatabase } from '@dealkeep/testing';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect, type Statements, type Transaction } from '../../src/foundations/database/connect.ts';
import { isTemporaryFailure } from '../../src/foundations/database/failures.ts';
import { EndingWith, inChange, inTransaction } from '../../src/foundations/database/in-transaction.ts';
import { expectOwnConnections } from './own-connections.ts';

const { ownerUrl: url } = await testDatabase();
const settings = { deadlock_timeout: '50ms' };
const sql = connect(url, { connections: 1, name: 'test', settings });
const other = connect(url, { connections: 1, name: 'test administrator', settings });
afterAll(() => Promise.all([sql.end({ timeout: 5 }), other.end({ timeout: 5 })]));

test('arrays arrive as they were sent', async () => {
  for (const texts of [
    [],
    ['a'],
    ['', ' ', 'NULL', 'null', '{}', ','],
    ['say "hello"', 'back\\slash', '\\"', '\\\\', "it's", '{a,b}', 'a,b', 'line\nbreak\ttab', 'žltý kôň 🐎'],
  ]) {
    const [row] = await sql<{ texts: string[] }[]>`select ${texts}::text[] as texts`;
    expect(row?.texts).toEqual(texts);
  }
  const ids = ['01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d64'];
  const [row] = await sql<{ ids: string[]; numbers: number[]; moments: string }[]>`
    select ${ids}::uuid[] as ids, ${[1, -2, 3]}::integer[] as numbers,
           (${['2026-10-01T12:00:00.120Z']}::timestamptz[])[1] as moments`;
  expect(row).toEqual({ ids, numbers: [1, -2, 3], moments: '2026-10-01T12:00:00.120Z' });
});

test('what is sent in several pieces does not wait until the server has confirmed the one before', async () => {
  const noDelay = vi.spyOn(Socket.prototype, 'setNoDelay');
  onTestFinished(() => noDelay.mockRestore());
  const fresh = connect(url, { connections: 1, name: 'test' });
  onTestFinished(() => fresh.end({ timeout: 5 }));
  await fresh`select 1`;
  expect(noDelay.mock.calls).toEqual([[true]]);
});

test('moments, dates and amounts are texts and numbers as the API shows them', async () => {
  const [row] = await sql`
    select '2026-10-01 14:00:00.1+02'::timestamptz(3) as moment, '2026-10-01'::date as date,
           12345678901.25::numeric(15, 2) as amount, 9007199254740991::bigint as big`;
  expect(row).toEqual({
    moment: '2026-10-01T12:00:00.100Z',
    date: '2026-10-01',
    amount: 12345678901.25,
    big: 9007199254740991,
  });
});

test('a result is whole, even after a statement that failed in the middle of its rows', async () => {
  await expect(sql`select 1 / (3 - n) from generate_series(1, 5) as n`).rejects.toThrow('division by zero');
  expect([...(await sql`select n from generate_series(1, 3) as n`)]).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  await expect(
    inTransaction(sql, async (tx) => {
      await inTransaction(tx, async (inner) => {
        await inner`select 1 / (3 - n) from generate_series(1, 5) as n`;
      }).catch(() => undefined);
      return [...(await tx`select 1 as one`)];
    }),
  ).resolves.toEqual([{ one: 1 }]);
});

describe('a server that has forgotten its prepared statements, as after DEALLOCATE ALL', async () => {
  await sql`
    create table given (
      structure jsonb, bytes bytea, moment timestamptz(3), day date, texts text[], numbers integer[], amount numeric)`;
  const given = {
    structure: { name: 'Žofia', list: [1, 'two', null] },
    bytes: Buffer.from([0, 255, 92, 120]),
    moment: '2026-10-01T12:00:00.120Z',
    day: '2026-10-01',
    texts: ['say "hello"', '{a,b}', '\\x00'],
    numbers: [1, -2, 3],
    amount: 12345.67,
  };
  const write = (on: Statements) => on`
    insert into given (structure, bytes, moment, day, texts, numbers, amount)
    values (${on.json(given.structure)}, ${given.bytes}, ${given.moment}::timestamptz, ${given.day}::date,
            ${given.texts}::text[], ${given.numbers}::integer[], ${given.amount}::numeric)`;
  const readBack = (on: Statements) => on`
    select *, jsonb_typeof(structure) as kind from given where bytes = ${given.bytes} and moment = ${given.moment}`;

  test.each([
    ['statement by statement', <Result>(work: (on: Statements) => PromiseLike<Result>) => work(sql)],
    [
      'in a transaction, which is run again',
      <Result>(work: (on: Statements) => PromiseLike<Result>) =>
        inTransaction(sql, async (tx) => {
          await tx`select ${given.texts}::text[]`;
          return work(tx);
        }),
    ],
  ])('gets the values as they were given, %s', async (_, run) => {
    for (let time = 0; time < 3; time += 1) {
      await sql`truncate given`;
      await run(write);
      await sql`deallocate all`;
      await run(write);
      await sql`deallocate all`;
      const rows = [...(await run(readBack))];
      expect(rows).toEqual([
        { ...given, kind: 'object' },
        { ...given, kind: 'object' },
      ]);
    }
  });

  test('and one whose table has changed meanwhile is asked anew', async () => {
    await sql`create table widened (id integer)`;
    await other`insert into widened values (1)`;
    const read = () =>
      inTransaction(sql, async (tx) => [...(await tx`select * from widened where id = ${1}`)]);
    expect(await read()).toEqual([{ id: 1 }]);
    await other`alter table widened add column name text`;
    expect(await read()).toEqual([{ id: 1, name: null }]);
  });
});

test('a transaction that went on after a failed statement does not say that it has committed', async () => {
  await sql`create table swallowed (name text)`;
  const outcome = sql.begin(async (tx) => {
    await tx`insert into swallowed values ('lost')`;
    const failed = tx.savepoint(async (inner) => {
      // Where nothing is left to go back to, the whole transaction has failed.
      await inner`release s0`;
      await inner`select 1 / 0`;
    });
    await failed.catch(() => undefined);
  });
  await expect(outcome).rejects.toThrow('rolled back');
  expect(await sql`select from swallowed`).toHaveLength(0);
});

/** A pool whose way to the server goes through here; each chunk that it sends is seen first, and may be changed. */
async function poolThrough(change: (sent: Buffer) => Buffer) {
  const { hostname, port } = new URL(url);
  const between = createServer((client) => {
    const server = connectSocket(Number(port), hostname);
    for (const socket of [client, server]) socket.on('error', () => socket.destroy());
    client.on('data', (sent) => server.write(change(Buffer.from(sent))));
    client.on('close', () => server.destroy());
    server.pipe(client);
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  const listening = between.address();
  const through = new URL(url);
  through.host = `127.0.0.1:${listening !== null && typeof listening === 'object' ? listening.port : 0}`;
  const pool = connect(through.href, { connections: 1, name: 'test through' });
  onTestFinished(async () => {
    await pool.end({ timeout: 1 });
    between.close();
  });
  return pool;
}

test('a transaction begins along with its first statement', async () => {
  const sent: string[] = [];
  const pool = await poolThrough((chunk) => {
    sent.push(chunk.toString('latin1'));
    return chunk;
  });
  const work = () => inTransaction(pool, async (tx) => [...(await tx`select 'first' as name`)]);
  await work();
  sent.splice(0);
  expect(await work()).toEqual([{ name: 'first' }]);
  expect(sent).toHaveLength(2);
  expect(sent[0]).toContain('begin');
  expect(sent[1]).toContain('commit');
});

test('a transaction has its connection to itself, however much is asked for before it', () =>
  expectOwnConnections(url));

test('a change keeps the plans of its statements, whatever their values', async () => {
  const pool = connect(url, { connections: 1, name: 'test plans' });
  onTestFinished(() => pool.end({ timeout: 1 }));
  // PostgreSQL would plan it for the values, of which it sees that they are few.
  const ask = (tx: Transaction) =>
    tx`select 1 from unnest(${['a']}::text[]) as one, unnest(${['b']}::text[]) as other`;
  for (let time = 0; time < 8; time += 1) await inChange({ sql: pool }, async (tx) => [...(await ask(tx))]);
  const plans = await pool`
    select generic_plans, custom_plans from pg_prepared_statements where statement like 'select 1 from unnest%'`;
  expect([...plans]).toEqual([{ generic_plans: 8, custom_plans: 0 }]);
  const [setting] = await pool`select current_setting('plan_cache_mode') as mode`;
  expect(setting).toEqual({ mode: 'auto' });
});

describe('a commit that goes out with the last statement', () => {
  const endingWith = (last: PromiseLike<unknown>) => new EndingWith(last, async () => void (await last));

  test('is sent along with it', async () => {
    await sql`create table ended (name text)`;
    const sent: string[] = [];
    const pool = await poolThrough((chunk) => {
      sent.push(chunk.toString('latin1'));
      return chunk;
    });
    const work = () =>
      inTransaction(pool, async (tx) => {
        await tx`select 1`;
        return endingWith(tx`insert into ended values (${'here'})`);
      });
    await work();
    sent.splice(0);
    await work();
    expect(sent).toHaveLength(2);
    expect(sent[1]).toContain('commit');
    expect(await sql`select from ended`).toHaveLength(2);
  });

  test('commits nothing when that one fails, or cannot be sent, and the cause is told', async () => {
    await sql`create table unended (name text primary key)`;
    const work = (last: (tx: Transaction) => PromiseLike<unknown>) =>
      inTransaction(sql, async (tx) => {
        await tx`insert into unended values ('first')`;
        return endingWith(last(tx));
      });
    for (const again of [1, 2]) {
      await expect(
        work((tx) => tx`insert into unended values ('first')`),
        `${again}`,
      ).rejects.toThrow('duplicate key');
    }
    const missing: { name?: string } = {};
    await expect(work((tx) => tx`insert into unended values (${missing.name as string})`)).rejects.toThrow(
      'Undefined values',
    );
    expect(await sql`select from unended`).toHaveLength(0);
  });

  test('is not carried out alone when the server has forgotten the statement: all is run again', async () => {
    await sql`create table forgotten (name text)`;
    const work = () =>
      inTransaction(sql, async (tx) => {
        await tx.unsafe(`insert into forgotten values ('first')`);
        return endingWith(tx`insert into forgotten values (${'last'})`);
      });
    await work();
    await sql`deallocate all`;
    await work();
    expect((await sql`select name from forgotten`).map(({ name }) => name)).toEqual([
      'first',
      'last',
      'first',
      'last',
    ]);
  });
});

test('a transaction that could not begin fails, nothing follows its first statement, and the pool goes on', async () => {
  await sql`create table unbegun (name text)`;
  let broken = true;
  const pool = await poolThrough((sent) => {
    const at = broken ? sent.indexOf('begin') : -1;
    if (at >= 0) sent.write('bogus', at, 'latin1');
    return sent;
  });
  const { promise: over, resolve: isOver } = Promise.withResolvers<unknown>();
  const outcome = inTransaction(pool, async (tx) => {
    await tx`select 1`;
    try {
      await tx`insert into unbegun values ('alone')`;
    } catch (error) {
      isOver(error);
      throw error;
    }
  });
  await expect(outcome).rejects.toThrow('syntax error');
  expect(await over).toSatisfy(isTemporaryFailure);
  broken = false;
  await inTransaction(pool, (tx) => tx`insert into unbegun values ('kept')`);
  expect([...(await pool`select name from unbegun`)]).toEqual([{ name: 'kept' }]);
});

test('a transaction commits, or leaves nothing', async () => {
  await sql`create table things (name text)`;
  await inTransaction(sql, (tx) => tx`insert into things values ('kept')`);
  await expect(
    inTransaction(sql, async (tx) => {
      await tx`insert into things values ('lost')`;
      throw new Error('No');
    }),
  ).rejects.toThrow('No');
  await inTransaction(sql, async (tx) => {
    await tx`insert into things values ('kept, too')`;
    await inTransaction(tx, async (inner) => {
      await inner`insert into things values ('lost')`;
      throw new Error('No');
    }).catch(() => undefined);
  });
  expect(await sql`select name from things`).toHaveLength(2);
});

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

test('a statement of a transaction whose session is ended fails as temporary, and the pool goes on', async () => {
  const outcome = inTransaction(sql, async (tx) => {
    await tx`select pg_sleep(30)`;
  });
  const failed = expect(outcome).rejects.toSatisfy(isTemporaryFailure);
  await endSession();
  await failed;
  await expect.poll(async () => (await sql`select 1 as one`.catch(() => [])).length).toBe(1);
});

test('a value that cannot be sent fails its own statement, and nobody gets the answer of another one', async () => {
  const pool = connect(url, { connections: 1, name: 'test unsendable' });
  onTestFinished(() => pool.end({ timeout: 1 }));
  const read = (on: Statements, toJSON: () => string) => on`select ${on.json({ toJSON })}::jsonb as value`;
  const refusing = () => {
    throw new RangeError('It is no value');
  };
  await read(pool, () => 'prepared');
  const [before, unsendable, behind] = await Promise.allSettled([
    pool`select 'before' as name, pg_sleep(0.05)::text`,
    read(pool, refusing),
    pool`select 'behind' as name`,
  ]);
  expect(before).toMatchObject({ reason: { code: 'CONNECTION_CLOSED' } });
  expect(unsendable).toMatchObject({ reason: expect.any(RangeError) });
  expect(behind).toMatchObject({ value: [{ name: 'behind' }] });
  await read(pool, () => 'prepared');
  await expect(inTransaction(pool, (tx) => read(tx, refusing))).rejects.toBeInstanceOf(RangeError);
});

test('a server that ends every connection before it has answered is told at once', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const pool = connect(`postgres://nobody:none@127.0.0.1:${port}/none`, { connections: 1, name: 'test' });
  onTestFinished(() => pool.end({ timeout: 1 }));
  await expect(pool`select 1`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  expect(connections).toBe(1);
});

test('where the server takes fewer connections than the pool may have, those that it has serve all', async () => {
  await other.unsafe(`create role narrow_${process.pid} login superuser password 'x' connection limit 1`);
  await other.unsafe(`alter role narrow_${process.pid} nosuperuser`);
  const address = Object.assign(new URL(url), { username: `narrow_${process.pid}`, password: 'x' }).href;
  const pool = connect(address, { connections: 3, name: 'test narrow' });
  try {
    const one = (each: number) => pool`select ${each}::integer as n`.then(([row]) => row?.['n']);
    expect(await Promise.all([1, 2, 3, 4, 5].map(one))).toEqual([1, 2, 3, 4, 5]);
    expect(await inTransaction(pool, async (tx) => (await tx`select 6 as n`)[0])).toEqual({ n: 6 });
  } finally {
    await pool.end({ timeout: 1 });
    await other.unsafe(`drop role narrow_${process.pid}`);
  }
});

describe('a pool that ends', () => {
  const poolOf = (name: string) => connect(url, { connections: 2, name });

  test.each([
    ['statement', (pool: typeof sql) => pool`select pg_sleep(30)`],
    ['transaction', (pool: typeof sql) => inTransaction(pool, (tx) => tx`select pg_sleep(30)`)],
  ])('does not wait for a connection that broke in a %s', async (what, run) => {
    const pool = poolOf(`test broken ${what}`);
    await pool`select 1`;
    const failed = expect(run(pool)).rejects.toSatisfy(isTemporaryFailure);
    await eventually(async () =>
      expect(
        await other`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = ${`test broken ${what}`} and query like '%pg_sleep%'`,
      ).toHaveLength(1),
    );
    await failed;
    // Without a limit it would wait for ever.
    await pool.end();
  });

  test('waits for what runs, and refuses what comes', async () => {
    await sql`create table if not exists last_words (name text)`;
    const pool = poolOf('test ending');
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const transaction = inTransaction(pool, async (tx) => {
      begun.resolve();
      await goOn.promise;
      await tx`insert into last_words values ('in a transaction')`;
    });
    const statement = pool`insert into last_words select 'alone' from pg_sleep(0.05)`.execute();
    await begun.promise;
    const ended = pool.end();
    const refused = { code: 'CONNECTION_ENDED' };
    await expect(pool`select 1`).rejects.toMatchObject(refused);
    await expect(pool.unsafe('select 1')).rejects.toMatchObject(refused);
    await expect(inTransaction(pool, (tx) => tx`select 1`)).rejects.toMatchObject(refused);
    goOn.resolve();
    await Promise.all([transaction, statement, ended]);
    expect(await sql`select name from last_words order by 1`).toEqual([
      { name: 'alone' },
      { name: 'in a transaction' },
    ]);
  });

  test('ends what runs for longer than it is given', async () => {
    const pool = poolOf('test ended');
    const failed = expect(pool`select pg_sleep(30)`).rejects.toSatisfy(isTemporaryFailure);
    await eventually(async () =>
      expect(
        await other`select from pg_stat_activity where application_name = 'test ended' and query like '%pg_sleep%'`,
      ).toHaveLength(1),
    );
    await pool.end({ timeout: 0 });
    await failed;
    // The server does not notice before it answers.
    await other`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test ended'`;
  });
});

test('a session of another server that was ended, as Citus tells it, ends the transaction and not its connection', async () => {
  const ended = inTransaction(sql, async (tx) => {
    await tx.unsafe(`do $$ begin raise 'terminating connection' using errcode = '57P01'; end $$`);
  });
  const error: unknown = await ended.catch((each: unknown) => each);
  expect(isTemporaryFailure(error)).toBe(true);
  expect(await sql`select 1 as n`).toEqual([{ n: 1 }]);
});

test('transactions that wait for each other all come to their end: the one that PostgreSQL ends is run again', async () => {
  await sql`create table collided (id integer primary key, changes integer not null default 0)`;
  await sql`insert into collided (id) values (1), (2)`;
  const bothHold = Promise.withResolvers<void>();
  let holding = 0;
  const change = (pool: typeof sql, ids: readonly number[]) =>
    inTransaction(pool, async (tx) => {
      for (const id of ids) {
        await tx`update collided set changes = changes + 1 where id = ${id}`;
        holding += 1;
        if (holding === 2) bothHold.resolve();
        await bothHold.promise;
      }
      return ids;
    });
  expect(await Promise.all([change(sql, [1, 2]), change(other, [2, 1])])).toEqual([
    [1, 2],
    [2, 1],
  ]);
  expect(await sql`select changes from collided`).toEqual([{ changes: 2 }, { changes: 2 }]);
});
