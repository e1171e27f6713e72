import { connect, newSecretsKey, parseSecretsKey } from '@dealkeep/core';
import { eventually, startDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { isCommit, isCommitted, isOfTheWork } from './created-once.ts';
import { killedPrograms } from './killed-program.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const size = 100;

/** Of the items that have savepoints, this one. */
const stoppedAt = 50;

/** One of them is refused, so the batch is begun anew with a savepoint for each item. */
const refusedItem = 60;

test.each([
  ['all are good', undefined],
  ['one is refused', refusedItem],
])(
  'a batch of 100 whose process is killed at each step, repeated with its key: every item once, when %s',
  async (_, refused) => {
    const secretsKey = newSecretsKey();
    const dealkeep = await startDealkeep({ worker: false, log: quiet, secrets: parseSecretsKey(secretsKey) });
    const organization = await dealkeep.createOrganization();
    const hook = { target_url: 'http://127.0.0.1:4567/', event: 'company.created' };
    expect((await dealkeep.as(organization.key).post('/webhooks', hook)).status).toBe(201);
    // Looks on from beside the line that the requests take.
    const sql = connect(dealkeep.databaseUrl, { connections: 1, name: 'onlooker' });
    onTestFinished(() => sql.end());
    const { line, start } = await killedPrograms(dealkeep.databaseUrl, secretsKey, sql);
    const send = async (baseUrl: string, name: string) => {
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
      const { data }: { data: { status: number }[] } = JSON.parse(await response.text());
      const replayed = response.headers.get('idempotent-replayed') === 'true';
      return { status: response.status, replayed, statuses: data.map(({ status }) => status) };
    };
    /** How many there are of everything that a batch makes. */
    const made = async (name: string) => {
      const [counts] = await sql`
      select
        (select count(distinct name) from companies where name like ${`${name} %`})::integer as named,
        (select count(*) from companies where name like ${`${name} %`})::integer as companies,
        (select count(*) from events where envelope::jsonb #>> '{data,name}' like ${`${name} %`})::integer as events,
        (select count(*) from deliveries d join events e on e.id = d.event_id
          where e.envelope::jsonb #>> '{data,name}' like ${`${name} %`})::integer as deliveries,
        (select count(*) from idempotent_answers where idempotency_key = ${name})::integer as answers`;
      return counts;
    };
    const good = size - (refused === undefined ? 0 : 1);
    const once = { named: good, companies: good, events: good, deliveries: good, answers: 1 };
    const nothing = { named: 0, companies: 0, events: 0, deliveries: 0, answers: 0 };
    const statuses = Array.from({ length: size }, (_, item) => (item === refused ? 422 : 201));

    const seen = new Set<string>();
    let program = await start();
    for (let number = 1; ; number += 1) {
      const name = `Killed at ${number}`;
      const reached = line.stopAt((instant) => {
        if (!isOfTheWork(instant) || (instant.state !== 'asked' && !isCommit(instant))) return false;
        const { statement, state, occurrence } = instant;
        // With savepoints, what was killed without them is not killed once more.
        if (/^savepoint/.test(statement) && statement !== `savepoint "s${stoppedAt}"`) return false;
        if (refused !== undefined && !/savepoint|rollback to|commit/.test(statement)) return false;
        const step = `${state} ${statement} ${occurrence}`;
        if (seen.has(step)) return false;
        seen.add(step);
        return true;
      });
      const answer = send(program.baseUrl, name);
      const stop = await Promise.race([reached, answer.then(() => undefined)]);
      if (!stop) {
        expect((await answer)?.statuses).toEqual(statuses);
        break;
      }
      const { statement } = stop;
      const committed = isCommitted(stop);
      await program.end('SIGKILL');
      expect(await answer).toBeUndefined();
      await eventually(async () =>
        expect(await sql`select from pg_stat_activity where pid = ${stop.backend}`).toHaveLength(0),
      );
      expect([statement, await made(name)]).toEqual([statement, committed ? once : nothing]);

      program = await start();
      line.letPass();
      const again = await send(program.baseUrl, name);
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
  300_000,
);
