import { setDefaultCACertificates } from 'node:tls';
import { eventually } from '@dealkeep/testing';
import { createAuthority, issueCertificate } from '@dealkeep/testing/certificates';
import { expect, test } from 'vitest';
import { parseOutboundProxy } from '../../src/foundations/outgoing/index.ts';
import { startProxyServer } from './proxy-server.ts';
import { startRawReceiver, startReceiver, startSecureReceiver } from './receiver.ts';
import { createSender, resolver } from './sender.ts';

const authority = createAuthority();
setDefaultCACertificates([authority.cert]);
const here = () => resolver(() => ['127.0.0.1']);
const withUser = (url: string) => url.replace('://', '://user:p%40ss@');

test('a delivery goes through the proxy, which is told the judged address and verified against the name (rule operator 11)', async () => {
  const proxy = await startProxyServer();
  const receiver = await startSecureReceiver(issueCertificate(authority, ['receiver.example']));
  const resolve = here();
  const { send } = createSender({
    allowed: '127.0.0.0/8',
    resolve,
    proxy: parseOutboundProxy(withUser(proxy.url)),
  });
  const url = `https://receiver.example:${receiver.port}/hook`;
  for (let count = 0; count < 3; count++) expect(await send(url)).toMatchObject({ status: 200 });
  expect(receiver.bodies).toHaveLength(3);
  const authorization = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;
  expect(proxy.asked).toEqual([{ authority: `127.0.0.1:${receiver.port}`, authorization }]);
  expect(resolve.questions).toEqual(['receiver.example']);
});

test('an allowed plain http target goes through the proxy too, as a tunnel without credentials for the receiver', async () => {
  const proxy = await startProxyServer();
  const seen: (string | undefined)[] = [];
  const receiver = await startReceiver((response, request) => {
    seen.push(request.headers['proxy-authorization'], request.headers.host);
    response.end();
  });
  const { send } = createSender({ proxy: parseOutboundProxy(withUser(proxy.url)) });
  expect(await send(receiver.url)).toMatchObject({ status: 200 });
  expect(proxy.asked).toHaveLength(1);
  expect(seen).toEqual([undefined, `127.0.0.1:${receiver.port}`]);
});

test('a proxy with a certificate is spoken to in TLS, and the receiver in TLS within', async () => {
  const proxy = await startProxyServer(undefined, issueCertificate(authority, ['127.0.0.1']));
  const receiver = await startSecureReceiver(issueCertificate(authority, ['receiver.example']));
  const { send } = createSender({
    allowed: '127.0.0.0/8',
    resolve: here(),
    proxy: parseOutboundProxy(proxy.url),
  });
  expect(await send(`https://receiver.example:${receiver.port}/`)).toMatchObject({ status: 200 });
  expect(proxy.asked).toHaveLength(1);
});

test.each([
  ['an inside address', ['10.0.0.1']],
  ['mixed addresses', ['127.0.0.1', '10.0.0.1']],
  ['the metadata of a cloud', ['169.254.169.254']],
])('a name of %s is refused before the proxy hears of it', async (_what, addresses) => {
  const proxy = await startProxyServer();
  const { send } = createSender({
    allowed: '127.0.0.1/32',
    resolve: resolver(() => addresses),
    proxy: parseOutboundProxy(proxy.url),
  });
  expect(await send('https://receiver.example/')).toMatchObject({ reason: 'target_blocked' });
  expect(await send('https://[::1]/')).toMatchObject({ reason: 'target_blocked' });
  expect(proxy.asked).toEqual([]);
});

test('a proxy that leads elsewhere meets a certificate that does not fit', async () => {
  const elsewhere = await startSecureReceiver(issueCertificate(authority, ['elsewhere.example']));
  const proxy = await startProxyServer(() => `127.0.0.1:${elsewhere.port}`);
  const { send } = createSender({
    allowed: '127.0.0.0/8',
    resolve: here(),
    proxy: parseOutboundProxy(proxy.url),
  });
  expect(await send('https://receiver.example/')).toMatchObject({ reason: 'certificate_name_mismatch' });
  expect(elsewhere.bodies).toHaveLength(0);
});

test('the next address is asked for when the proxy does not reach one', async () => {
  const receiver = await startReceiver();
  const proxy = await startProxyServer((asked) => (asked.startsWith('[') ? 502 : asked));
  const { send } = createSender({
    allowed: '127.0.0.0/8 ::1/128',
    resolve: resolver(() => ['::1', '127.0.0.1']),
    proxy: parseOutboundProxy(proxy.url),
  });
  expect(await send(`http://receiver.example:${receiver.port}/`)).toMatchObject({ status: 200 });
  expect(proxy.asked.map((each) => each.authority)).toEqual([
    `[::1]:${receiver.port}`,
    `127.0.0.1:${receiver.port}`,
  ]);
});

const failing = 'the proxy for outgoing requests gave no connection';

test.each([407, 403, 502, 301])('a proxy that answers %i is blamed in plain words', async (status) => {
  const proxy = await startProxyServer(() => status);
  const { send } = createSender({ proxy: parseOutboundProxy(withUser(proxy.url)) });
  expect(await send('http://127.0.0.1:5678/')).toMatchObject({
    outcome: 'failed',
    reason: 'proxy_failed',
    message: `${failing}: status ${status}`,
  });
});

test('a proxy that is closed, no proxy, or of an unknown certificate is blamed without a word of its credentials', async () => {
  const garbage = await startRawReceiver((socket) => socket.end('I am no proxy\r\n\r\n'));
  const stranger = await startProxyServer(
    undefined,
    issueCertificate(createAuthority('Stranger'), ['127.0.0.1']),
  );
  for (const [url, words] of [
    ['http://127.0.0.1:1', 'connection refused'],
    [garbage.url.origin, 'answer is not valid HTTP'],
    [stranger.url, 'certificate is not signed by a trusted authority'],
    ['http://proxy.invalid', 'host name does not resolve'],
  ] as const) {
    const { send } = createSender({ proxy: parseOutboundProxy(withUser(url)) });
    const message = `${failing}: ${words}`;
    expect(await send('http://127.0.0.1:5678/')).toMatchObject({ reason: 'proxy_failed', message });
  }
});

test('a proxy that hangs is given up when the time is up, and its connection closed', async () => {
  const silent = await startRawReceiver(() => {});
  const { send } = createSender({
    proxy: parseOutboundProxy(silent.url.origin),
    connectLimitMs: 300,
  });
  expect(await send('http://127.0.0.1:5678/', { timeoutMs: 100 })).toMatchObject({
    reason: 'timed_out',
    message: 'did not answer within 0.1 s',
  });
  await eventually(() => expect(silent.connections.length === 1 && silent.connections[0]?.closed).toBe(true));
});

test.each([
  'proxy.example',
  'socks5://user:hidden@proxy.example',
  'http://user:hidden@proxy.example/path',
  'http://',
])('%s is no proxy, and the error does not tell its credentials', (text) => {
  expect(() => parseOutboundProxy(text)).toThrow(/takes an address without a path/);
  expect(() => parseOutboundProxy(text)).not.toThrow(/hidden/);
});
