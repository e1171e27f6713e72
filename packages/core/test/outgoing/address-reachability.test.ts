import { expect, test } from 'vitest';
import { isGloballyReachable } from '../../src/foundations/outgoing/index.ts';

// First and last address of every block of the IANA special-purpose registries and of multicast.
const unreachable = `
  0.0.0.0 0.255.255.255  10.0.0.0 10.255.255.255  100.64.0.0 100.127.255.255  127.0.0.0 127.255.255.255
  169.254.0.0 169.254.169.254 169.254.255.255  172.16.0.0 172.31.255.255
  192.0.0.0 192.0.0.7 192.0.0.8 192.0.0.11 192.0.0.170 192.0.0.171 192.0.0.255
  192.0.2.0 192.0.2.255  192.88.99.0 192.88.99.2 192.88.99.255  192.168.0.0 192.168.255.255
  198.18.0.0 198.19.255.255  198.51.100.0 198.51.100.255  203.0.113.0 203.0.113.255
  224.0.0.0 239.255.255.255  240.0.0.0 255.255.255.254 255.255.255.255
  :: ::1 ::2 ::7f00:1 ::127.0.0.1 ::8.8.8.8 ::ffff:0:8.8.8.8
  64:ff9b:1:: 64:ff9b:1::8.8.8.8 64:ff9b:1:ffff:ffff:ffff:ffff:ffff 64:ff9b::1:8.8.8.8
  100:: 100::ffff:ffff:ffff:ffff 100:0:0:1:: 100:0:0:1:ffff:ffff:ffff:ffff 100:0:0:2:: 1fff:ffff::
  2001:: 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:0:ffff:ffff:ffff:ffff:ffff:ffff
  2001:1:: 2001:1::4 2001:2:: 2001:2:0:ffff:ffff:ffff:ffff:ffff 2001:4:: 2001:4:111:ffff:: 2001:4:113::
  2001:10:: 2001:1f:ffff:: 2001:40:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff
  2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff  3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff
  4000:: 5f00:: 5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff a000:: e000::
  fc00:: fd12:3456:789a::1 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  fe80:: fe80::1 febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff fec0::1 ff00:: ff02::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
`;

// The neighbours of those blocks, the globally reachable rows of the registries, and public machines.
const reachable = `
  1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0
  172.15.255.255 172.32.0.0 191.255.255.255 192.0.0.9 192.0.0.10 192.0.1.0 192.0.3.0 192.31.196.1 192.52.193.1
  192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 192.175.48.1 198.17.255.255 198.20.0.0 198.51.99.255
  198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255 8.8.8.8
  2000:: 2001:1::1 2001:1::2 2001:1::3 2001:3:: 2001:3:ffff:: 2001:4:112:: 2001:4:112:ffff::
  2001:20:: 2001:2f:ffff:: 2001:30:: 2001:3f:ffff:: 2001:200:: 2001:db7:ffff:: 2001:db9:: 2620:4f:8000::1
  2606:4700:4700::1111 3ffe:: 3fff:1000:: 3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
`;

const words = (table: string) => table.trim().split(/\s+/);

test.each(words(unreachable))('%s is not globally reachable (rule hooks 12)', (address) => {
  expect(isGloballyReachable(address)).toBe(false);
});

test.each(words(reachable))('%s is globally reachable', (address) => {
  expect(isGloballyReachable(address)).toBe(true);
});

test.each([
  ['IPv4-mapped', '::ffff:'],
  ['NAT64', '64:ff9b::'],
])('the %s form is judged by the IPv4 address it carries', (_form, prefix) => {
  for (const inside of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '192.168.1.1', '0.0.0.0', '224.0.0.1']) {
    expect(isGloballyReachable(`${prefix}${inside}`), inside).toBe(false);
  }
  expect(isGloballyReachable(`${prefix}8.8.8.8`)).toBe(true);
  expect(isGloballyReachable(`${prefix}192.0.0.9`)).toBe(true);
});

test('a 6to4 address is judged by the IPv4 address it carries, whatever follows', () => {
  expect(isGloballyReachable('2002:7f00:1::')).toBe(false);
  expect(isGloballyReachable('2002:a00:1:ffff:ffff:ffff:ffff:ffff')).toBe(false);
  expect(isGloballyReachable('2002:a9fe:a9fe::1')).toBe(false);
  expect(isGloballyReachable('2002:c058:6301::')).toBe(false);
  expect(isGloballyReachable('2002:808:808::7f00:1')).toBe(true);
});

test.each([
  '',
  'localhost',
  '8.8.8',
  '08.8.8.8',
  '0x8.8.8.8',
  '134744072',
  '2606:4700::1%eth0',
  '[2606:4700::1]',
  '8.8.8.8/32',
  ' 8.8.8.8',
])('"%s" is no plain address and so not reachable', (text) => {
  expect(isGloballyReachable(text)).toBe(false);
});
