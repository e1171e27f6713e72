import { newSecretsKey, parseSecretsKey } from '@dealkeep/core/foundations';
import {
  eventually,
  type Instant,
  type Stop,
  startDealkeep,
  startHookReceiver,
  type TestDealkeep,
  WatchedLine,
} from '@dealkeep/testing';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { startAnotherWorker } from './another-worker.ts';
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

/** A worker at work; `stop` resolves when it has stopped. */
interface Working {
  /** Tells it to stop. Answers when it is told and its end, with the code of its process. */
  stop(): { told: Promise<unknown>; ended: Promise<number | null> };
}

const inThisProcess = async (databaseUrl: string): Promise<Working> => {
  const { stop } = await startAnotherWorker(dealkeep, { databaseUrl });
  return { stop: () => ({ told: Promise.resolve(), ended: stop(10_000).then(() => 0) }) };
};

const asProgram = async (databaseUrl: string): Promise<Working> => {
  const program = await startProgram({ databaseUrl, secretsKey, roles: 'worker' });
  onTestFinished(async () => void (await program.end('SIGKILL')));
  return {
    stop: () => {
      const ended = program.end('SIGTERM');
      return { told: eventually(() => expect(program.output()).toContain('"msg":"Stopping"')), ended };
    },
  };
};

/**
 * A worker that is told to stop at an instant of its work for two hooks. Answers what it leaves, and what arrived
 * when another one has worked after it.
 */
async function stopAt(
  wanted: (instant: Instant) => boolean,
  end: Ending,
  firstStatus: number,
  start = inThisProcess,
) {
  const { sql } = dealkeep;
  const receiver = await startHookReceiver();
  receiver.answerWith(firstStatus);
  const events: string[] = [];
  for (const each of [1, 2]) {
    const { createLead, pending } = await subscribe(dealkeep, `${receiver.url}/${each}`);
    for (let made = 0; made < eventsOfEach; made += 1) await createLead();
    events.push(...(await pending()).map(({ event_id }) => event_id));
  }
  const line = await WatchedLine.open(dealkeep.databaseUrl);
  const reached = line.stopAt(wanted);
  const working = await start(line.url);
  const stop = await reached;
  const { told, ended } = working.stop();
  await told;
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
  await startAnotherWorker(dealkeep);
  await eventually(async () => expect(await sql`select from deliveries`).toEqual([]));
  const arrived = receiver.requests.map(({ envelope }) => envelope.id).sort();
  return { code, leased, workers, tried: tried.map(({ event_id }) => event_id), sentBefore, arrived, events };
}

test.each(instants)(
  'told to stop while %s: the worker ends well and leaves no lease, and nothing is lost or comes twice',
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
  'told to stop while %s, and that connection breaks: the worker ends well and leaves no lease, and nothing is lost',
  async (_, statement, state, status) => {
    const { code, leased, workers, sentBefore, arrived, events } = await stopAt(
      (instant) => instant.state === state && statement.test(instant.statement),
      breaks,
      status,
    );
    expect({ code, leased, workers }).toEqual({ code: 0, leased: [], workers: [] });
    expect([...new Set(arrived)]).toEqual(events.toSorted());
    // Only what was sent when the worker was told to stop may come again.
    const twice = arrived.filter((id, slot) => arrived.indexOf(id) !== slot);
    for (const id of twice) expect(sentBefore).toContain(id);
  },
);

test('SIGTERM while retries are written and not committed: the program ends well and leaves no lease', async () => {
  const { code, leased, workers, tried, sentBefore } = await stopAt(
    ({ state, statement }) => state === 'answered' && retries.test(statement),
    goesOn,
    503,
    asProgram,
  );
  expect({ code, leased, workers }).toEqual({ code: 0, leased: [], workers: [] });
  expect(tried).toEqual(sentBefore.toSorted());
});
