import { newSecretsKey, parseSecretsKey } from '@dealkeep/core';
import { startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startProxyServer } from '../outgoing/proxy-server.ts';
import { startProgram } from './running-program.ts';
import { subscribe } from './subscriber.ts';

/** One delivery by the real program, started with these variables; its output and how it ended up. */
async function deliverWith(variables: Record<string, string>) {
  const secretsKey = newSecretsKey();
  const dealkeep = await startDealkeep({ worker: false, secrets: parseSecretsKey(secretsKey) });
  const receiver = await startHookReceiver();
  const { createLead, logged } = await subscribe(dealkeep, receiver.url);
  const program = await startProgram({
    databaseUrl: dealkeep.databaseUrl,
    secretsKey,
    roles: 'worker',
    variables,
  });
  onTestFinished(async () => void (await program.end('SIGKILL')));
  await createLead();
  const [attempt] = await logged(1);
  return { attempt, output: program.output(), received: receiver.requests.length };
}

test('OUTBOUND_PROXY takes all deliveries', async () => {
  const proxy = await startProxyServer();
  const { attempt, received } = await deliverWith({ OUTBOUND_PROXY: proxy.url });
  expect(attempt).toMatchObject({ status: 200 });
  expect(received).toBe(1);
  expect(proxy.asked).toHaveLength(1);
});

test('a proxy that refuses is told in the delivery log, and its credentials nowhere', async () => {
  const proxy = await startProxyServer(() => 407);
  const { attempt, output, received } = await deliverWith({
    OUTBOUND_PROXY: proxy.url.replace('://', '://user:hidden@'),
    LOG_LEVEL: 'trace',
  });
  expect(attempt).toMatchObject({
    status: null,
    error: 'the proxy for outgoing requests gave no connection: status 407',
  });
  expect(received).toBe(0);
  expect(output).not.toContain('hidden');
  expect(output).not.toContain(Buffer.from('user:hidden').toString('base64'));
});

test('proxies that the environment names for others are not used', async () => {
  const proxy = await startProxyServer();
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
  const { attempt, received } = await deliverWith({
    ...Object.fromEntries(names.map((name) => [name, proxy.url])),
    NO_PROXY: '',
    NODE_USE_ENV_PROXY: '1',
  });
  expect(attempt).toMatchObject({ status: 200 });
  expect(received).toBe(1);
  expect(proxy.asked).toEqual([]);
});
