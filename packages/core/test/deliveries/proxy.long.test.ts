import { newSecretsKey, parseSecretsKey } from '@dealkeep/core/foundations';
import { startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startProxyServer } from '../outgoing/proxy-server.ts';
import { startProgram } from './running-program.ts';
import { subscribe } from './subscriber.ts';

/** The real program, started with these variables, and what subscribers of its database do. */
async function startWith(variables: Record<string, string>) {
  const secretsKey = newSecretsKey();
  const dealkeep = await startDealkeep({ worker: false, secrets: parseSecretsKey(secretsKey) });
  const { databaseUrl } = dealkeep;
  const program = await startProgram({ databaseUrl, secretsKey, roles: 'worker', variables });
  onTestFinished(async () => void (await program.end('SIGKILL')));
  /** One delivery to a receiver of its own. */
  const deliver = async () => {
    const receiver = await startHookReceiver();
    const { createLead, logged } = await subscribe(dealkeep, receiver.url);
    await createLead();
    const [attempt] = await logged(1);
    return { attempt, received: receiver.requests.length };
  };
  return { program, deliver };
}

test('OUTBOUND_PROXY takes all deliveries; one that refuses is told in the delivery log, and its credentials nowhere', async () => {
  let refuses = false;
  const proxy = await startProxyServer((authority) => (refuses ? 407 : authority));
  const { program, deliver } = await startWith({
    OUTBOUND_PROXY: proxy.url.replace('://', '://user:hidden@'),
    LOG_LEVEL: 'trace',
  });
  expect(await deliver()).toMatchObject({ attempt: { status: 200 }, received: 1 });
  expect(proxy.asked).toHaveLength(1);

  refuses = true;
  expect(await deliver()).toMatchObject({
    attempt: { status: null, error: 'the proxy for outgoing requests gave no connection: status 407' },
    received: 0,
  });
  expect(program.output()).not.toContain('hidden');
  expect(program.output()).not.toContain(Buffer.from('user:hidden').toString('base64'));
});

test('proxies that the environment names for others are not used', async () => {
  const proxy = await startProxyServer();
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
  const { deliver } = await startWith({
    ...Object.fromEntries(names.map((name) => [name, proxy.url])),
    NO_PROXY: '',
    NODE_USE_ENV_PROXY: '1',
  });
  expect(await deliver()).toMatchObject({ attempt: { status: 200 }, received: 1 });
  expect(proxy.asked).toEqual([]);
});
