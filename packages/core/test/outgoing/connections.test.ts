import { eventually } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { startRawReceiver, startReceiver } from './receiver.ts';
import { createSender } from './sender.ts';

test('many posts to one receiver use few connections, also when the answers have bodies', async () => {
  const receiver = await startReceiver((response) => response.end('x'.repeat(30_000)));
  const { send } = createSender();
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let count = 0; count < 50; count++)
        expect(await send(receiver.url)).toMatchObject({ status: 200 });
    }),
  );
  expect(receiver.bodies).toHaveLength(200);
  expect(receiver.connections.length).toBeLessThanOrEqual(4);
});

test('a connection that the receiver has closed meanwhile is replaced', async () => {
  const receiver = await startReceiver();
  const { send } = createSender();
  expect(await send(receiver.url)).toMatchObject({ status: 200 });
  receiver.connections[0]?.end();
  await eventually(() => expect(receiver.connections[0]?.closed).toBe(true));
  expect(await send(receiver.url)).toMatchObject({ status: 200 });
  expect(receiver.connections).toHaveLength(2);
});

test('with a bound on connections requests wait their turn', async () => {
  const receiver = await startReceiver();
  const { send } = createSender({ connections: 2 });
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => send(receiver.url)));
  expect(outcomes.every(({ outcome }) => outcome === 'answered')).toBe(true);
  expect(receiver.connections.length).toBeLessThanOrEqual(2);
});

test('a signal ends the request, before, within and after', async () => {
  const silent = await startRawReceiver(() => {});
  const { send } = createSender();
  const stopped = { outcome: 'failed', reason: 'stopped', message: 'stopped before an answer came' };
  expect(await send(silent.url, { signal: AbortSignal.abort() })).toMatchObject(stopped);
  expect(silent.connections).toHaveLength(0);
  const stop = new AbortController();
  const waiting = send(silent.url, { signal: stop.signal });
  await eventually(() => expect(silent.connections.length === 1).toBe(true));
  stop.abort();
  expect(await waiting).toMatchObject(stopped);
  await eventually(() => expect(silent.connections[0]?.closed).toBe(true));
});

test('destroying the agent ends what runs and what is being connected', async () => {
  const silent = await startRawReceiver(() => {});
  const resolve = () => new Promise<never>(() => {});
  const { agent, send } = createSender({ allowed: 'receiver.example 127.0.0.1', resolve });
  const running = send(silent.url);
  const resolving = send('http://receiver.example/');
  await eventually(() => expect(silent.connections.length === 1).toBe(true));
  await agent.destroy();
  expect(await running).toMatchObject({ reason: 'stopped' });
  expect(await resolving).toMatchObject({ reason: 'stopped' });
  expect(await send(silent.url)).toMatchObject({ reason: 'stopped' });
});
