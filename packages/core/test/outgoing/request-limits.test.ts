import { eventually } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { startRawReceiver, startReceiver } from './receiver.ts';
import { createSender } from './sender.ts';

test('a receiver that does not answer, or only drips headers, fails when its time is up', async () => {
  const silent = await startRawReceiver(() => {});
  const dripping = await startRawReceiver((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket.write('x-drip: x\r\n'), 10);
    socket.on('close', () => clearInterval(timer));
  });
  const { send } = createSender();
  const timedOut = { outcome: 'failed', reason: 'timed_out', message: 'did not answer within 0.1 s' };
  for (const { url, connections } of [silent, dripping]) {
    const outcome = await send(url, { timeoutMs: 100 });
    expect(outcome).toMatchObject(timedOut);
    // As long as its own limit, which the message names, and none of the others.
    expect(outcome.durationMs).toBeGreaterThanOrEqual(99);
    await eventually(() => expect(connections[0]?.closed).toBe(true));
  }
});

test('the time for resolving counts, and a resolver that answers too late opens no connection', async () => {
  const receiver = await startReceiver();
  let answer = (_addresses: { address: string }[]): void => {};
  let cancelled = false;
  const resolve = (_host: string, signal: AbortSignal) => {
    signal.addEventListener('abort', () => {
      cancelled = true;
    });
    return new Promise<{ address: string }[]>((settle) => {
      answer = settle;
    });
  };
  const { send } = createSender({ allowed: 'receiver.example', resolve, connectLimitMs: 50 });
  const url = `http://receiver.example:${receiver.port}/`;
  const outcome = await send(url, { timeoutMs: 40 });
  expect(outcome).toMatchObject({ reason: 'timed_out', message: 'did not answer within 0.04 s' });
  await eventually(() => expect(cancelled).toBe(true));
  answer([{ address: '127.0.0.1' }]);
  expect(await createSender().send(receiver.url)).toMatchObject({ status: 200 });
  expect(receiver.connections).toHaveLength(1);
});

test('a connection that comes too late for its request is closed at once, and nothing is sent on it', async () => {
  const receiver = await startReceiver();
  let answer = (_addresses: { address: string }[]): void => {};
  const resolve = () =>
    new Promise<{ address: string }[]>((settle) => {
      answer = settle;
    });
  const { send } = createSender({ allowed: 'receiver.example', resolve });
  expect(await send(`http://receiver.example:${receiver.port}/`, { timeoutMs: 30 })).toMatchObject({
    reason: 'timed_out',
  });
  answer([{ address: '127.0.0.1' }]);
  await eventually(() =>
    expect(receiver.connections.length === 1 && receiver.connections[0]?.closed).toBe(true),
  );
  expect(receiver.bodies).toHaveLength(0);
});

test('a status in time is an answer even if its body never ends (rule deliveries 7)', async () => {
  const receiver = await startReceiver((response) => response.writeHead(200).write('started'));
  const { send } = createSender();
  const outcome = await send(receiver.url, { timeoutMs: 100 });
  expect(outcome).toMatchObject({ outcome: 'answered', status: 200, responseStart: 'started' });
  await eventually(() => expect(receiver.connections[0]?.closed).toBe(true));
});

test('of 30 MB no more than the beginning is read, and memory stays flat (rule deliveries 12)', async () => {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const receiver = await startReceiver((response) => {
    response.writeHead(200, { 'content-length': 30 * 1024 * 1024 });
    const fill = () => {
      while (response.write(piece));
    };
    response.on('drain', fill);
    fill();
  });
  const { send } = createSender();
  await send(receiver.url);
  const before = process.memoryUsage().rss;
  for (let count = 0; count < 40; count++) {
    const outcome = await send(receiver.url);
    expect(outcome).toMatchObject({ outcome: 'answered', status: 200, responseStart: 'x'.repeat(1_024) });
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  await eventually(() => expect(receiver.connections.every((socket) => socket.closed)).toBe(true));
  // What was written beyond 64 KiB lies in the buffers of the operating system.
  for (const socket of receiver.connections) expect(socket.bytesWritten).toBeLessThan(16 * 1024 * 1024);
});

test('a body in pieces of one byte is told as one', async () => {
  const text = 'every byte alone, '.repeat(100);
  const receiver = await startRawReceiver((socket) => {
    const pieces = [...text].map((letter) => `1;${'x'.repeat(50)}\r\n${letter}\r\n`);
    socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${pieces.join('')}0\r\n\r\n`);
  });
  const { send } = createSender();
  expect(await send(receiver.url)).toMatchObject({ status: 200, responseStart: text.slice(0, 1_024) });
});
