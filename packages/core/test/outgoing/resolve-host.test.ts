import { eventually } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { createResolve, parseAllowedTargets } from '../../src/foundations/outgoing/index.ts';
import { startNameServer } from './name-server.ts';

const never = new AbortController().signal;

test('strangers’ names go to the name servers: IPv4 first, then IPv6', async () => {
  const nameServer = await startNameServer(() => ['2001:db8::1', '192.0.2.7', '192.0.2.8']);
  const resolve = createResolve(parseAllowedTargets('n8n'), [nameServer.address]);
  const addresses = [{ address: '192.0.2.7' }, { address: '192.0.2.8' }, { address: '2001:db8::1' }];
  expect(await resolve('receiver.example', never)).toEqual(addresses);
  expect(await resolve('receiver.example.', never)).toEqual(addresses);
  await nameServer.close();
});

test.each([
  ['a name of one label', 'localhost', ''],
  ['a listed name', 'localhost', 'localhost:3000'],
  ['a name of one label beside CIDR entries', 'localhost', '127.0.0.0/8'],
])('%s goes to the system, which knows the hosts file', async (_what, name, allowed) => {
  const nameServer = await startNameServer(() => 'NXDOMAIN');
  const resolve = createResolve(parseAllowedTargets(allowed), [nameServer.address]);
  expect(await resolve(name, never)).toContainEqual(expect.objectContaining({ address: '127.0.0.1' }));
  expect(nameServer.questions).toEqual([]);
  await nameServer.close();
});

test('an error for one family leaves its addresses unknown and so rejects', async () => {
  const nameServer = await startNameServer((_name, type) => (type === 'AAAA' ? 'SERVFAIL' : ['192.0.2.7']));
  const resolve = createResolve(parseAllowedTargets(''), [nameServer.address]);
  await expect(resolve('receiver.example', never)).rejects.toMatchObject({ code: 'ESERVFAIL' });
  await nameServer.close();
});

test('a question is cancelled by its signal', async () => {
  const nameServer = await startNameServer(() => 'silence');
  const resolve = createResolve(parseAllowedTargets(''), [nameServer.address]);
  const cancel = new AbortController();
  const waiting = resolve('receiver.example', cancel.signal);
  cancel.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'ECANCELLED' });
  await nameServer.close();
});

test('beside CIDR entries a stranger’s name goes to the name servers first, so that hanging ones hold no thread', async () => {
  const nameServer = await startNameServer((name) =>
    name.startsWith('hanging') ? 'silence' : ['192.0.2.7'],
  );
  const resolve = createResolve(parseAllowedTargets('10.0.0.0/8'), [nameServer.address]);
  const cancel = new AbortController();
  const hanging = Array.from({ length: 50 }, (_, number) =>
    resolve(`hanging-${number}.example`, cancel.signal).catch((error) => error.code),
  );
  await eventually(() => expect(nameServer.questions.length).toBeGreaterThanOrEqual(100));
  expect(await resolve('receiver.example', never)).toEqual([{ address: '192.0.2.7' }]);
  expect(await resolve('localhost', never)).toContainEqual(expect.objectContaining({ address: '127.0.0.1' }));
  cancel.abort();
  expect(new Set(await Promise.all(hanging))).toEqual(new Set(['ECANCELLED']));
  await nameServer.close();
});

test('beside CIDR entries a name that the name servers do not know is looked for in the hosts file', async () => {
  const nameServer = await startNameServer(() => 'NXDOMAIN');
  const resolve = createResolve(parseAllowedTargets('127.0.0.0/8'), [nameServer.address]);
  // RFC 6761: the system answers for every name below localhost by itself, or knows none; it was asked in either
  // case.
  await resolve('receiver.localhost', never).catch((error) => expect(error.syscall).toBe('getaddrinfo'));
  expect(nameServer.questions.sort()).toEqual(['A receiver.localhost', 'AAAA receiver.localhost']);
  const strict = createResolve(parseAllowedTargets(''), [nameServer.address]);
  expect(await strict('receiver.localhost', never)).toEqual([]);
  await nameServer.close();
});
