import { expect, test } from 'vitest';
import { parseAllowedTargets } from '../../src/foundations/outgoing/index.ts';

test('nothing is allowed by an empty list', () => {
  const allowed = parseAllowedTargets(' , ');
  expect(allowed.allowsHost('localhost', 80)).toBe(false);
  expect(allowed.allowsAddress('127.0.0.1')).toBe(false);
  expect(allowed.hasBlocks).toBe(false);
});

test('a host is allowed on every port, a host with a port on that one', () => {
  const allowed = parseAllowedTargets('n8n, receiver.internal:8080 [::1]:5678\n[fd00::1]');
  expect(allowed.allowsHost('n8n', 5678)).toBe(true);
  expect(allowed.allowsHost('n8n', 1)).toBe(true);
  expect(allowed.allowsHost('receiver.internal', 8080)).toBe(true);
  expect(allowed.allowsHost('receiver.internal', 8081)).toBe(false);
  expect(allowed.allowsHost('other.receiver.internal', 8080)).toBe(false);
  expect(allowed.allowsHost('[::1]', 5678)).toBe(true);
  expect(allowed.allowsHost('::1', 80)).toBe(false);
  expect(allowed.allowsHost('fd00::1', 80)).toBe(true);
});

test('names match whatever their case, with and without the trailing dot, in one international form (rule hooks 15)', () => {
  const allowed = parseAllowedTargets('Receiver.Internal. bücher.example');
  expect(allowed.allowsHost('RECEIVER.internal', 80)).toBe(true);
  expect(allowed.allowsHost('receiver.internal.', 80)).toBe(true);
  expect(allowed.allowsHost('xn--bcher-kva.example', 80)).toBe(true);
});

test('a name does not allow the address it stands for, nor an address the name (rule hooks 15)', () => {
  const byName = parseAllowedTargets('localhost');
  expect(byName.allowsHost('127.0.0.1', 80)).toBe(false);
  expect(byName.allowsAddress('127.0.0.1')).toBe(false);
  const byAddress = parseAllowedTargets('127.0.0.1');
  expect(byAddress.allowsHost('127.0.0.1', 80)).toBe(true);
  expect(byAddress.allowsHost('localhost', 80)).toBe(false);
  expect(byAddress.allowsAddress('127.0.0.1')).toBe(false);
});

test('a block allows the addresses in it, in their mapped form too, and no name', () => {
  const allowed = parseAllowedTargets('10.0.0.0/8,192.168.1.7/24, fd00::/8 [fe80::]/10');
  expect(allowed.hasBlocks).toBe(true);
  for (const inside of [
    '10.255.0.1',
    '192.168.1.200',
    '::ffff:10.0.0.1',
    '::ffff:a00:1',
    'fd12::1',
    'fe80::1',
  ]) {
    expect(allowed.allowsAddress(inside), inside).toBe(true);
  }
  for (const outside of [
    '11.0.0.0',
    '192.168.2.7',
    '64:ff9b::10.0.0.1',
    '2002:a00:1::',
    'fc00::1',
    'fe80::1%eth0',
    'n8n',
  ]) {
    expect(allowed.allowsAddress(outside), outside).toBe(false);
  }
  expect(allowed.allowsHost('10.0.0.1', 80)).toBe(false);
});

test('a block of mapped addresses is a block of IPv4 addresses', () => {
  expect(parseAllowedTargets('::ffff:10.0.0.0/104').allowsAddress('10.9.9.9')).toBe(true);
  expect(parseAllowedTargets('::/0').allowsAddress('10.9.9.9')).toBe(false);
});

test.each([
  'http://n8n',
  'n8n/path',
  '10.0.0.0/33',
  '10.0.0/8',
  '010.0.0.0/8',
  'fd00::/129',
  'fe80::1%eth0',
  '/8',
  'n8n/8',
  'n8n:',
  'n8n:0',
  'n8n:65536',
  'n8n:http',
  ':80',
  '*.internal',
  '*',
  'user@n8n',
  'n8n:80:80',
  '[::1',
  '::1]:80',
  '127.1',
  '0x7f000001',
  '256.1.1.1',
  'a..b',
  '.',
  '[::1]x',
  'a%62c',
])('the entry "%s" stops the start and is named', (entry) => {
  expect(() => parseAllowedTargets(`good, ${entry}`)).toThrow(`"${entry}"`);
});
