import { newSecretsKey, parseSecretsKey } from '@dealkeep/core/foundations';
import { pauseQueue, resumeQueue } from '@dealkeep/core/installation';
import { eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { type RunningProgram, startProgram } from './running-program.ts';
import { subscribe } from './subscriber.ts';

/** A database with an organization and a hook, for programs in processes of their own. */
async function prepare() {
  const secretsKey = newSecretsKey();
  const dealkeep = await startDealkeep({ worker: false, secrets: parseSecretsKey(secretsKey) });
  const receiver = await startHookReceiver();
  const subscriber = await subscribe(dealkeep, receiver.url);
  const programs: RunningProgram[] = [];
  onTestFinished(async () => {
    await Promise.all(programs.map((program) => program.end('SIGKILL')));
  });
  const start = async (roles: string): Promise<RunningProgram> => {
    const program = await startProgram({ databaseUrl: dealkeep.databaseUrl, secretsKey, roles });
    programs.push(program);
    return program;
  };
  return { ...subscriber, sql: dealkeep.sql, receiver, start };
}

test('API and worker killed at random instants under load: every event arrives, soon after the restart', async () => {
  const { sql, receiver, start, organization } = await prepare();
  receiver.answerWith(async () => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
    return 200;
  });
  const inFlight = new Set<string>();
  let acknowledged = 0;
  for (let round = 0; round < 2; round += 1) {
    const program = await start('api,worker');
    let killed = false;
    const makeLeads = async (): Promise<void> => {
      while (!killed) {
        const answer = await fetch(`${program.baseUrl}/leads`, {
          method: 'POST',
          headers: { authorization: `Bearer ${organization.key}`, 'content-type': 'application/json' },
          body: '{"name":"Lead"}',
        }).catch(() => undefined);
        if (answer?.status === 201) acknowledged += 1;
      }
    };
    const load = Promise.all(Array.from({ length: 6 }, makeLeads));
    const before = receiver.requests.length;
    await receiver.received(before + 20 + Math.floor(Math.random() * 60));
    await program.end('SIGKILL');
    killed = true;
    await load;
    for (const { event_id } of await sql<{ event_id: string }[]>`select event_id from deliveries`) {
      inFlight.add(event_id);
    }
  }

  // Their rows alone would show for hours that they live; their locks have gone with them.
  await sql`update workers set seen_at = seen_at + interval '1 hour'`;
  await start('api,worker');
  await eventually(async () => expect(await sql`select from deliveries`).toHaveLength(0));

  // Read now: what a killed API had asked for, the database may have committed a moment after its end.
  const events = await sql<
    { id: string }[]
  >`select id from events where organization_id = ${organization.id}`;
  expect(events.length).toBeGreaterThanOrEqual(acknowledged);
  const [leads] = await sql<{ count: number }[]>`
    select count(*)::integer from leads where organization_id = ${organization.id}`;
  expect(leads?.count).toBe(events.length);
  const times = new Map<string, number>();
  for (const { envelope } of receiver.requests) times.set(envelope.id, (times.get(envelope.id) ?? 0) + 1);
  expect([...times.keys()].sort()).toEqual(events.map(({ id }) => id).sort());
  // Only what was under way when a process died may have come twice.
  for (const [id, count] of times) if (count > 1) expect(inFlight).toContain(id);
});

test('a killed worker is replaced by another one within two seconds; SIGTERM lets the delivery that runs finish', async () => {
  const { sql, receiver, start, createLead, pending, logged } = await prepare();
  const [first, second] = await Promise.all([start('worker'), start('worker')]);
  receiver.answerWith('hang');
  await pauseQueue(sql, { all: true });
  for (let made = 0; made < 4; made += 1) await createLead();
  // All of them are the first one's, at one moment: the other stands still meanwhile.
  process.kill(second.pid, 'SIGSTOP');
  await resumeQueue(sql, { all: true });
  await receiver.received(4);
  process.kill(second.pid, 'SIGCONT');
  receiver.answerWith(200);
  expect(await sql`select from deliveries where worker_id is not null`).toHaveLength(4);
  // Its row alone would show for hours that it lives; its lock does no more.
  await sql`
    update workers set seen_at = seen_at + interval '1 hour'
    where worker_id in (select worker_id from deliveries)`;
  await first.end('SIGKILL');
  await receiver.received(8);
  await eventually(async () => expect(await pending()).toEqual([]));

  const { promise: answered, resolve: answer } = Promise.withResolvers<number>();
  receiver.answerWith(() => answered);
  await createLead();
  await receiver.received(9);
  const ended = second.end('SIGTERM');
  await eventually(() => expect(second.output()).toContain('Stopping'));
  answer(200);
  expect(await ended).toBe(0);
  expect((await logged(5)).map(({ status }) => status)).toEqual(Array(5).fill(200));
  expect(await pending()).toEqual([]);
});
