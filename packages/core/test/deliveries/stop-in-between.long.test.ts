import { createCore, newSecretsKey, parseSecretsKey } from '@dealkeep/core';
import {
  eventually,
  type Instant,
  type Stop,
  startDealkeep,
  startHookReceiver,
  type TestDealkeep,
  WatchedLine,
} from '@dealkeep/testing';
import { startWorker } from '@dealkeep/worker';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { startProgram } from './running-program.ts';
import { subscribe } from './subscriber.ts';

const lease = /update deliveries d set worker_id = \$/;
/** Of those that arrived, at webhooks that do well. */
const results = /eventful.* delete from deliveries/;
/** Of those that are to be tried again. */
const retries = /update deliveries d set attempts = d\.attempts/;

type Ending = (stop: Stop) => void;
const goesOn: Ending = (stop) => stop.resume();
const breaks: Ending = (stop) => stop.cut();

const instants = [
  ['a lease is asked for', lease, 'asked', 200],
  ['a lease is taken and not heard of', lease, 'answered', 200],
  ['results are to be written', results, 'asked', 200],
  ['retries are written and not committed', retries, 'answered', 503],
] as const;
const broken = [
  ['a lease is taken and not heard of', lease, 'answered', 200],
  ['results are written and not heard of', results, 'answered', 200],
  ['retries are to be written', retries, 'asked', 503],
] as const;

const eventsOfEach = 6;

const secretsKey = newSecretsKey();
let dealkeep: TestDealkeep;
beforeAll(async () => {
  dealkeep = await startDealkeep({ worker: false, secrets: parseSecretsKey(secretsKey) });
});

/**
 * A worker in a process of its own, which is told to stop at an instant of its work for two hooks. Answers what it
 * leaves, and what arrived when another one has worked after it.
 */
async function stopAt(wanted: (instant: Instant) => boolean, end: Ending, firstStatus: number) {
  const { sql, databaseUrl } = dealkeep;
  const receiver = await startHookReceiver();
  receiver.answerWith(firstStatus);
  const events: string[] = [];
  for (const each of [1, 2]) {
    const { createLead, pending } = await subscribe(dealkeep, `${receiver.url}/${each}`);
    for (let made = 0; made < eventsOfEach; made += 1) await createLead();
    events.push(...(await pending()).map(({ event_id }) => event_id));
  }
  const line = await WatchedLine.open(databaseUrl);
  const reached = line.stopAt(wanted);
  const program = await startProgram({ databaseUrl: line.url, secretsKey, roles: 'worker' });
  onTestFinished(async () => void (await program.end('SIGKILL')));
  const stop = await reached;
  const ended = program.end('SIGTERM');
  await eventually(() => expect(program.output()).toContain('"msg":"Stopping"'));
  end(stop);
  const code = await ended;
  const leased = await sql`select from deliveries where worker_id is not null`;
  const workers = await sql`select from workers`;
  const tried = await sql<{ event_id: string }[]>`
    select event_id from deliveries where attempts = 1 order by event_id`;
  const sentBefore = receiver.requests.map(({ envelope }) => envelope.id);

  receiver.answerWith(200);
  // What is to be tried again is due now.
  await sql`update deliveries set due_at = now() where due_at > now()`;
  const next = await startWorker({ core: createCore(dealkeep.core), databaseUrl, concurrency: 50 });
  onTestFinished(() => next.stop(1000));
  await eventually(async () => expect(await sql`select from deliveries`).toEqual([]));
  const arrived = receiver.requests.map(({ envelope }) => envelope.id).sort();
  return { code, leased, workers, tried: tried.map(({ event_id }) => event_id), sentBefore, arrived, events };
}

test.each(instants)(
  'SIGTERM while %s: the worker ends well and leaves no lease, and nothing is lost or comes twice',
  async (_, statement, state, status) => {
    const { code, leased, workers, tried, sentBefore, arrived, events } = await stopAt(
      (instant) => instant.state === state && statement.test(instant.statement),
      goesOn,
      status,
    );
    expect({ code, leased, workers }).toEqual({ code: 0, leased: [], workers: [] });
    // Each attempt that was made is counted, and none that was not.
    const again = status === 200 ? [] : sentBefore.toSorted();
    expect(tried).toEqual(again);
    expect(arrived).toEqual([...events, ...again].sort());
  },
);

test.each(broken)(
  'SIGTERM while %s, and that connection breaks: the worker ends well and leaves no lease, and nothing is lost',
  async (_, statement, state, status) => {
    const { code, leased, workers, sentBefore, arrived, events } = await stopAt(
      (instant) => instant.state === state && statement.test(instant.statement),
      breaks,
      status,
    );
    expect({ code, leased, workers }).toEqual({ code: 0, leased: [], workers: [] });
    expect([...new Set(arrived)]).toEqual(events.toSorted());
    // Only what was sent when the worker was told to stop may come again.
    const twice = arrived.filter((id, place) => arrived.indexOf(id) !== place);
    for (const id of twice) expect(sentBefore).toContain(id);
  },
);
