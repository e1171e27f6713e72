import { eventually } from '@dealkeep/testing';
import { expect, test, vi } from 'vitest';
import { checkTarget, createResolve, parseAllowedTargets } from '../../src/foundations/outgoing/index.ts';
import { startNameServer, type ZoneAnswer } from './name-server.ts';
import { startReceiver } from './receiver.ts';
import { createSender, resolver } from './sender.ts';

const refused = {
  outcome: 'failed',
  reason: 'target_blocked',
  message: 'target is not a public https address',
};

test('a name that moves inside between check and connection is refused, and nothing inside is touched', async () => {
  const inside = await startReceiver(undefined, '127.0.0.2');
  const outside = await startReceiver(undefined, '127.0.0.1', inside.port);
  const resolve = resolver((question) => [question === 1 ? '127.0.0.1' : '127.0.0.2']);
  const url = `http://rebinding.example:${inside.port}/hook`;

  const check = await checkTarget(url, parseAllowedTargets('127.0.0.1/32'), { resolve });
  expect(check.ok).toBe(true);
  const { send } = createSender({ allowed: '127.0.0.1/32', resolve });
  expect(await send(url)).toMatchObject(refused);
  expect(inside.connections).toHaveLength(0);
  expect(outside.connections).toHaveLength(0);
});

test('a connection goes to the address that was judged: the name is asked once', async () => {
  const inside = await startReceiver(undefined, '127.0.0.2');
  const outside = await startReceiver(undefined, '127.0.0.1', inside.port);
  const resolve = resolver((question) => [question === 1 ? '127.0.0.1' : '127.0.0.2']);
  const { send } = createSender({ allowed: '127.0.0.1/32', resolve });

  expect(await send(`http://rebinding.example:${inside.port}/hook`)).toMatchObject({ status: 200 });
  expect(resolve.questions).toEqual(['rebinding.example']);
  expect(outside.bodies).toHaveLength(1);
  expect(inside.connections).toHaveLength(0);
});

test('of mixed answers not even the good address is connected to', async () => {
  const receiver = await startReceiver();
  const resolve = resolver(() => ['127.0.0.1', '10.0.0.1']);
  const { send } = createSender({ allowed: '127.0.0.1/32', resolve });
  expect(await send(`http://mixed.example:${receiver.port}/`)).toMatchObject(refused);
  expect(receiver.connections).toHaveLength(0);
});

test.each([
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[2002:7f00:1::]',
  '①②⑦.⓪.⓪.①',
  'localhost',
  'foo.localhost',
  'localhost.',
])('https://%s is refused before anything is connected', async (host) => {
  const receiver = await startReceiver();
  const resolve = resolver(() => ['127.0.0.1']);
  const { send } = createSender({ allowed: '', resolve });
  expect(await send(`https://${host}:${receiver.port}/`)).toMatchObject(refused);
  expect(receiver.connections).toHaveLength(0);
  expect(resolve.questions).toHaveLength(0);
});

test('an allowed name does not allow the same machine by its number, nor the reverse', async () => {
  const receiver = await startReceiver();
  const byName = createSender({ allowed: 'localhost' });
  expect(await byName.send(`http://localhost:${receiver.port}/`)).toMatchObject({ status: 200 });
  expect(await byName.send(`http://127.0.0.1:${receiver.port}/`)).toMatchObject(refused);
  const byNumber = createSender({ allowed: '127.0.0.1' });
  expect(await byNumber.send(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({ status: 200 });
  expect(await byNumber.send(`http://localhost:${receiver.port}/`)).toMatchObject(refused);
  expect(receiver.bodies).toHaveLength(2);
});

test('an allowed host and port allows no other port', async () => {
  const receiver = await startReceiver();
  const other = await startReceiver();
  const { send } = createSender({ allowed: `localhost:${receiver.port}` });
  expect(await send(`http://localhost:${receiver.port}/`)).toMatchObject({ status: 200 });
  expect(await send(`http://localhost:${other.port}/`)).toMatchObject(refused);
  expect(other.connections).toHaveLength(0);
});

test('plain http to an allowed name that has become public is refused', async () => {
  const resolve = resolver(() => ['93.184.215.14']);
  const { send } = createSender({ allowed: 'receiver.example', resolve });
  expect(await send('http://receiver.example/')).toMatchObject(refused);
});

test('a target that is not allowed any more is refused, its port and scheme included', async () => {
  const resolve = resolver(() => ['93.184.215.14']);
  const { send } = createSender({ allowed: '', resolve });
  expect(await send('http://receiver.example/')).toMatchObject(refused);
  expect(await send('https://receiver.example:25/')).toMatchObject(refused);
  expect(resolve.questions).toHaveLength(0);
});

test('a redirect is an answer; its target is not touched', async () => {
  const inside = await startReceiver(undefined, '127.0.0.2');
  const receiver = await startReceiver((response) =>
    response.writeHead(307, { location: inside.url.href }).end(),
  );
  const { send } = createSender();
  expect(await send(receiver.url)).toMatchObject({ outcome: 'answered', status: 307 });
  expect(inside.connections).toHaveLength(0);
});

test('an endless chain of redirects is one request', async () => {
  const receiver = await startReceiver((response) => response.writeHead(302, { location: '/hook' }).end());
  const { send } = createSender();
  expect(await send(receiver.url)).toMatchObject({ outcome: 'answered', status: 302 });
  expect(receiver.bodies).toHaveLength(1);
});

test('proxies of the environment are not used', async () => {
  const proxy = await startReceiver();
  const receiver = await startReceiver();
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']) {
    vi.stubEnv(name, proxy.url.origin);
  }
  vi.stubEnv('NODE_USE_ENV_PROXY', '1');
  const { send } = createSender();
  expect(await send(receiver.url)).toMatchObject({ status: 200 });
  expect(proxy.connections).toHaveLength(0);
  vi.unstubAllEnvs();
});

test('the next address is tried when one refuses', async () => {
  const receiver = await startReceiver(undefined, '127.0.0.2');
  const resolve = resolver(() => ['127.0.0.1', '::1', '127.0.0.2']);
  const { send } = createSender({ allowed: 'receiver.example', resolve });
  expect(await send(`http://receiver.example:${receiver.port}/`)).toMatchObject({ status: 200 });
});

test('the next address is tried beside one that does not answer', async () => {
  const receiver = await startReceiver();
  // 192.0.2.1 is for documentation: nobody answers there, whether at once or never.
  const resolve = resolver(() => ['192.0.2.1', '127.0.0.1']);
  const { send } = createSender({ allowed: 'receiver.example', resolve });
  expect(await send(`http://receiver.example:${receiver.port}/`)).toMatchObject({ status: 200 });
});

const zones: [string, ZoneAnswer, Record<string, unknown>][] = [
  ['an alias of an inside name', { alias: 'db.internal', addresses: ['127.0.0.2'] }, refused],
  ['an inside address', ['10.0.0.1'], refused],
  ['an inside IPv6 address beside a good IPv4 address', ['127.0.0.1', '::1'], refused],
  ['only the inside IPv6 address', ['fd00::1'], refused],
  ['no address', [], { reason: 'unresolvable', message: 'host name does not resolve' }],
  ['no such name', 'NXDOMAIN', { reason: 'unresolvable' }],
  ['a failure', 'SERVFAIL', { reason: 'unresolvable' }],
];

test.each(zones)('a name server that answers with %s', async (_what, answer, expected) => {
  const nameServer = await startNameServer(() => answer);
  const receiver = await startReceiver();
  // The system's resolver would be asked because of the CIDR entry, so the strict list makes the way here.
  const resolve = createResolve(parseAllowedTargets(''), [nameServer.address]);
  const { send } = createSender({ allowed: '127.0.0.1/32', resolve });
  expect(await send(`http://receiver.example:${receiver.port}/`)).toMatchObject(expected);
  expect(receiver.connections).toHaveLength(0);
  await nameServer.close();
});

test('a good answer of a name server is used, asked once for each family', async () => {
  const nameServer = await startNameServer(() => ({ alias: 'edge.example', addresses: ['127.0.0.1'] }));
  const receiver = await startReceiver();
  const resolve = createResolve(parseAllowedTargets(''), [nameServer.address]);
  const { send } = createSender({ allowed: '127.0.0.1/32', resolve });
  expect(await send(`http://receiver.example:${receiver.port}/`)).toMatchObject({ status: 200 });
  expect(nameServer.questions.sort()).toEqual(['A receiver.example', 'AAAA receiver.example']);
  await nameServer.close();
});

test('a hundred hanging names delay no other name', async () => {
  const nameServer = await startNameServer((name) =>
    name.startsWith('hanging') ? 'silence' : ['127.0.0.1'],
  );
  const receiver = await startReceiver();
  const resolve = createResolve(parseAllowedTargets(''), [nameServer.address]);
  const { send } = createSender({ allowed: '127.0.0.1/32', resolve });
  const stop = new AbortController();
  let settled = 0;
  const hanging = Array.from({ length: 100 }, async (_, number) => {
    const url = `http://hanging-${number}.example:${receiver.port}/`;
    const outcome = await send(url, { timeoutMs: 20_000, signal: stop.signal });
    settled += 1;
    return outcome;
  });
  await eventually(() => expect(nameServer.questions.length >= 200).toBe(true));
  expect(await send(`http://healthy.example:${receiver.port}/`)).toMatchObject({ status: 200 });
  expect(settled).toBe(0);
  stop.abort();
  for (const outcome of await Promise.all(hanging)) expect(outcome).toMatchObject({ reason: 'stopped' });
  await nameServer.close();
});
