import type { Database } from '@dealkeep/core/foundations';
import { connect, newSecretsKey, parseSecretsKey } from '@dealkeep/core/foundations';
import {
  type DealkeepOptions,
  eventually,
  type Instant,
  type Stop,
  startDealkeep,
  WatchedLine,
} from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { isCommit, isCommitted, isOfTheWork, until503IsOver } from './created-once.ts';
import { killedPrograms } from './killed-program.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const size = 100;

/** Of the items that have savepoints, this one. */
const stoppedAt = 50;

/** One of them is refused, so the batch is begun anew with a savepoint for each item. */
const refusedItem = 60;

/**
 * An organization with a hook on new companies, ways to send it a batch of them, and to count what that has made.
 */
async function openBatches(options: DealkeepOptions, refused?: number) {
  const dealkeep = await startDealkeep({ worker: false, log: quiet, ...options });
  const organization = await dealkeep.createOrganization();
  const hook = { target_url: 'http://127.0.0.1:4567/', event: 'company.created' };
  expect((await dealkeep.as(organization.key).post('/webhooks', hook)).status).toBe(201);
  // Looks on from beside the line that the requests take.
  const sql = connect(dealkeep.databaseUrl, { connections: 1, name: 'onlooker' });
  onTestFinished(() => sql.end());
  const good = size - (refused === undefined ? 0 : 1);
  return {
    dealkeep,
    sql,
    once: { named: good, companies: good, events: good, deliveries: good, answers: 1 },
    statuses: Array.from({ length: size }, (_, item) => (item === refused ? 422 : 201)),

    /** A batch with its name as the key; undefined when no answer comes. */
    async send(baseUrl: string, name: string) {
      const response = await fetch(`${baseUrl}/companies/batch`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${organization.key}`,
          'content-type': 'application/json',
          'idempotency-key': name,
          connection: 'close',
        },
        body: JSON.stringify({
          operation: 'create',
          items: Array.from({ length: size }, (_, item) => ({
            name: `${name} ${item}`,
            ...(item === refused ? { owner_id: '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' } : {}),
          })),
        }),
      }).catch(() => undefined);
      if (!response) return undefined;
      const { data = [] }: { data?: { status: number }[] } = JSON.parse(await response.text());
      const replayed = response.headers.get('idempotent-replayed') === 'true';
      return { status: response.status, replayed, statuses: data.map(({ status }) => status) };
    },

    /** How many there are of everything that a batch makes. */
    async made(name: string) {
      const [counts] = await sql`
        select
          (select count(distinct name) from companies where name like ${`${name} %`})::integer as named,
          (select count(*) from companies where name like ${`${name} %`})::integer as companies,
          (select count(*) from events where envelope::jsonb #>> '{data,name}' like ${`${name} %`})::integer as events,
          (select count(*) from deliveries d join events e on e.id = d.event_id
            where e.envelope::jsonb #>> '{data,name}' like ${`${name} %`})::integer as deliveries,
          (select count(*) from idempotent_answers where idempotency_key = ${name})::integer as answers`;
      return counts;
    },
  };
}

const nothing = { named: 0, companies: 0, events: 0, deliveries: 0, answers: 0 };

/** Waits until the database has let a session go. */
const sessionGone = (sql: Database, { backend }: Stop) =>
  eventually(async () =>
    expect(await sql`select from pg_stat_activity where pid = ${backend}`).toHaveLength(0),
  );

test.each([
  ['all are good', undefined],
  ['one is refused', refusedItem],
])(
  'a batch of 100 whose connection is cut at each step, repeated with its key: every item once, when %s',
  async (_, refused) => {
    const lines: WatchedLine[] = [];
    const { dealkeep, sql, once, statuses, send, made } = await openBatches(
      {
        between: async (url) => {
          const line = await WatchedLine.open(url);
          lines.push(line);
          return line.url;
        },
      },
      refused,
    );
    const [line] = lines;
    if (!line) throw new Error('Nothing stands between Dealkeep and its database');

    const seen = new Set<string>();
    const wanted = (instant: Instant): boolean => {
      if (!isOfTheWork(instant) || (instant.state !== 'asked' && !isCommit(instant))) return false;
      const { statement, state, occurrence } = instant;
      // With savepoints, what was cut without them is not cut once more.
      if (/^savepoint/.test(statement) && statement !== `savepoint s${stoppedAt}`) return false;
      if (refused !== undefined && !/savepoint|rollback to|commit/.test(statement)) return false;
      const step = `${state} ${statement} ${occurrence}`;
      if (seen.has(step)) return false;
      seen.add(step);
      return true;
    };
    for (let number = 1; ; number += 1) {
      const name = `Cut at ${number}`;
      const reached = line.stopAt(wanted);
      const answer = send(dealkeep.baseUrl, name);
      const stop = await Promise.race([reached, answer.then(() => undefined)]);
      line.letPass();
      if (!stop) {
        expect((await answer)?.statuses).toEqual(statuses);
        break;
      }
      const { statement } = stop;
      const committed = isCommitted(stop);
      stop.cut();
      expect([statement, (await answer)?.status]).toEqual([statement, 503]);
      await sessionGone(sql, stop);
      expect([statement, await made(name)]).toEqual([statement, committed ? once : nothing]);
      const again = await until503IsOver(() => send(dealkeep.baseUrl, name));
      expect([statement, again]).toEqual([statement, { status: 200, replayed: committed, statuses }]);
      expect([statement, await made(name)]).toEqual([statement, once]);
    }
    const steps = [...seen].join('\n');
    const expected =
      refused === undefined
        ? [/asked begin/, /pg_try_advisory_xact_lock/, /insert into "companies"/, /insert into events/]
        : [/savepoint/, /rollback to/];
    for (const step of [...expected, /asked commit/, /answered commit/]) expect(steps).toMatch(step);
  },
);

test('a batch of 100 whose process is killed in its commit, repeated with its key: every item once', async () => {
  const secretsKey = newSecretsKey();
  const { dealkeep, sql, once, statuses, send, made } = await openBatches({
    secrets: parseSecretsKey(secretsKey),
  });
  const { line, start } = await killedPrograms(dealkeep.databaseUrl, secretsKey, sql);
  for (const state of ['asked', 'answered']) {
    const name = `Killed when its commit is ${state}`;
    const program = await start();
    const reached = line.stopAt(
      (instant) => isOfTheWork(instant) && instant.statement === 'commit' && instant.state === state,
    );
    const answer = send(program.baseUrl, name);
    const stop = await reached;
    await program.end('SIGKILL');
    expect(await answer).toBeUndefined();
    await sessionGone(sql, stop);
    const committed = state === 'answered';
    expect([state, await made(name)]).toEqual([state, committed ? once : nothing]);
    const again = await send(dealkeep.baseUrl, name);
    expect([state, again]).toEqual([state, { status: 200, replayed: committed, statuses }]);
    expect([state, await made(name)]).toEqual([state, once]);
  }
});
