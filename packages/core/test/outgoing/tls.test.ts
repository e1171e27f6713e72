import { setDefaultCACertificates } from 'node:tls';
import { eventually } from '@dealkeep/testing';
import { createAuthority, issueCertificate } from '@dealkeep/testing/certificates';
import { expect, test, vi } from 'vitest';
import { startRawReceiver, startReceiver, startSecureReceiver } from './receiver.ts';
import { createSender, resolver } from './sender.ts';

const authority = createAuthority();
setDefaultCACertificates([authority.cert]);
const here = resolver(() => ['127.0.0.1']);
const hour = 3_600_000;

const post = async (port: number, host = 'receiver.example') => {
  const { send } = createSender({ allowed: '127.0.0.0/8', resolve: here });
  return send(`https://${host}:${port}/hook`, { timeoutMs: 2_000 });
};

test('a receiver whose certificate is for the name in the URL is answered, the name being sent to it', async () => {
  const names: unknown[] = [];
  const certificate = issueCertificate(authority, ['receiver.example']);
  const receiver = await startSecureReceiver(certificate, (response, request) => {
    names.push('servername' in request.socket && request.socket.servername);
    response.end(request.headers.host);
  });
  const { port } = receiver;
  expect(await post(port)).toMatchObject({ status: 200, responseStart: `receiver.example:${port}` });
  expect(await post(port, 'RECEIVER.example.')).toMatchObject({ status: 200 });
  expect(names).toEqual(['receiver.example', 'receiver.example']);
});

test('a certificate for the address serves a URL with the address', async () => {
  const receiver = await startSecureReceiver(issueCertificate(authority, ['127.0.0.1']));
  expect(await post(receiver.port, '127.0.0.1')).toMatchObject({ status: 200 });
});

test.each([
  ['another name', ['other.example'], 'receiver.example'],
  ['a name below', ['a.receiver.example'], 'receiver.example'],
  ['the name, when the URL has the address', ['receiver.example'], '127.0.0.1'],
  ['the address, when the URL has the name', ['127.0.0.1'], 'receiver.example'],
])('a certificate for %s is refused, and nothing is sent', async (_what, names, host) => {
  const receiver = await startSecureReceiver(issueCertificate(authority, names));
  expect(await post(receiver.port, host)).toMatchObject({
    outcome: 'failed',
    reason: 'certificate_name_mismatch',
    message: 'certificate is for another name',
  });
  expect(receiver.bodies).toHaveLength(0);
});

test('an expired certificate is refused', async () => {
  const validity = { from: new Date(Date.now() - 2 * hour), to: new Date(Date.now() - hour) };
  const receiver = await startSecureReceiver(issueCertificate(authority, ['receiver.example'], validity));
  expect(await post(receiver.port)).toMatchObject({
    reason: 'certificate_expired',
    message: 'certificate has expired',
  });
  expect(receiver.bodies).toHaveLength(0);
});

test('a certificate of tomorrow is refused', async () => {
  const validity = { from: new Date(Date.now() + hour), to: new Date(Date.now() + 2 * hour) };
  const receiver = await startSecureReceiver(issueCertificate(authority, ['receiver.example'], validity));
  expect(await post(receiver.port)).toMatchObject({ reason: 'certificate_not_yet_valid' });
});

test('a certificate of an unknown authority is refused, also when the environment wants none verified', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const warning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const stranger = issueCertificate(createAuthority('Stranger'), ['receiver.example']);
  const receiver = await startSecureReceiver(stranger);
  expect(await post(receiver.port)).toMatchObject({
    reason: 'certificate_untrusted',
    message: 'certificate is not signed by a trusted authority',
  });
  expect(receiver.bodies).toHaveLength(0);
  warning.mockRestore();
  vi.unstubAllEnvs();
});

test('a self-signed certificate is refused, and nothing is sent', async () => {
  const receiver = await startSecureReceiver(createAuthority('receiver.example'));
  expect(await post(receiver.port)).toMatchObject({
    reason: 'certificate_untrusted',
    message: 'certificate is not signed by a trusted authority',
  });
  expect(receiver.bodies).toHaveLength(0);
});

test('a receiver that speaks plain http on an https port fails in words', async () => {
  const receiver = await startReceiver();
  expect(await post(receiver.port)).toMatchObject({
    reason: 'tls_error',
    message: expect.stringMatching(/^TLS handshake failed: /),
  });
});

test('a receiver that closes or resets within the handshake fails in words', async () => {
  const closing = await startRawReceiver((socket) => socket.end());
  expect(await post(closing.port)).toMatchObject({
    outcome: 'failed',
    reason: expect.stringMatching(/^(tls_error|connection_reset)$/),
  });
  const resetting = await startRawReceiver((socket) => socket.resetAndDestroy());
  expect(await post(resetting.port)).toMatchObject({ reason: 'connection_reset' });
});

test('a handshake that never ends is given up in time, and its connection closed', async () => {
  const receiver = await startRawReceiver(() => {});
  const { send } = createSender({ allowed: '127.0.0.0/8', resolve: here, connectLimitMs: 300 });
  const url = `https://receiver.example:${receiver.port}/`;
  expect(await send(url, { timeoutMs: 200 })).toMatchObject({ message: 'did not answer within 0.2 s' });
  await eventually(() =>
    expect(receiver.connections.length === 1 && receiver.connections[0]?.closed).toBe(true),
  );
  expect(await send(url)).toMatchObject({ reason: 'timed_out', message: 'did not answer within 0.3 s' });
});

test('https connections are kept and used again', async () => {
  const receiver = await startSecureReceiver(issueCertificate(authority, ['receiver.example']));
  const { send } = createSender({ allowed: '127.0.0.0/8', resolve: here });
  for (let count = 0; count < 50; count++) {
    expect(await send(`https://receiver.example:${receiver.port}/`)).toMatchObject({ status: 200 });
  }
  expect(receiver.connections).toHaveLength(1);
});
