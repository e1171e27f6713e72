import { expect, test } from 'vitest';
import { createResolve, parseAllowedTargets } from '../../src/outgoing/index.ts';
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
  ['any name beside CIDR entries', 'localhost', '127.0.0.0/8'],
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
