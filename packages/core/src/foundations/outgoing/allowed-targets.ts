import { isIP } from 'node:net';
import { asciiLowerCase } from '@dealkeep/contract';
import ipaddr from 'ipaddr.js';

const ipv4Mapped = blocksOf('::ffff:0:0/96');

/** What `WEBHOOK_ALLOWED_TARGETS` lets be private, plain http and on any port. Source: rules hooks 14 and 15. */
export interface AllowedTargets {
  /** Whether an entry names this host as the URL writes it, for this port. */
  allowsHost(host: string, port: number): boolean;
  /** Whether an entry names this host for some port. */
  namesHost(host: string): boolean;
  /** Whether a CIDR entry holds this address. */
  allowsAddress(address: string): boolean;
  /** Whether there are CIDR entries, so that any name may turn out to be allowed once it is resolved. */
  readonly hasBlocks: boolean;
}

/**
 * Reads entries separated by commas or white space: `host`, `host:port`, or a CIDR block; IPv6 hosts in
 * brackets. An entry for a host never allows another spelling of the same machine: `localhost` does not allow
 * `127.0.0.1`, nor the reverse. Throws an Error that names the first bad entry.
 */
export function parseAllowedTargets(text: string): AllowedTargets {
  const hosts = new Set<string>();
  const hostsWithPort = new Set<string>();
  const named = new Set<string>();
  const blocks: Block[] = [];

  for (const entry of text.split(/[\s,]+/).filter(Boolean)) {
    if (entry.includes('/')) {
      blocks.push(readBlock(entry));
      continue;
    }
    const { host, port } = parseHost(entry);
    named.add(host);
    if (port === undefined) hosts.add(host);
    else hostsWithPort.add(`${host} ${port}`);
  }

  return {
    allowsHost: (host, port) => {
      const name = plainHost(host);
      return hosts.has(name) || hostsWithPort.has(`${name} ${port}`);
    },
    namesHost: (host) => named.has(plainHost(host)),
    allowsAddress: (address) => {
      const parsed = parseAddress(address);
      return parsed !== undefined && liesIn(withoutMapping(parsed), blocks);
    },
    hasBlocks: blocks.length > 0,
  };
}

/** A host as targets are compared: lower case, without the brackets of IPv6 and without the root's dot. */
export function plainHost(host: string): string {
  return asciiLowerCase(host)
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

function readBlock(entry: string): Block {
  const block = parseBlock(entry.replace(/^\[(.*)\]\//, '$1/'));
  if (!block) throw badEntry(entry);
  const [network, bits] = block;
  return liesIn(network, ipv4Mapped) && bits >= 96 ? [ipv4At(network, 12), bits - 96] : block;
}

/** A mapped address reaches the IPv4 machine itself; NAT64 and 6to4 forms reach it only through others. */
function withoutMapping(address: IpAddress): IpAddress {
  return liesIn(address, ipv4Mapped) ? ipv4At(address, 12) : address;
}

function parseHost(entry: string): { host: string; port: number | undefined } {
  if (isIP(entry) === 6 && !entry.includes('%'))
    return { host: hostInUrl(`[${entry}]`, entry), port: undefined };
  const [, host = '', port] = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\%*]+)(?::(\d{1,5}))?$/i.exec(entry) ?? [];
  const name = hostInUrl(host, entry);
  // The URL parser reads 0x7f.1 and 127.1 as addresses; an operator who means the address is to write it plainly.
  if (isIP(name) === 4 && name !== plainHost(host)) throw badEntry(entry);
  if (port === undefined) return { host: name, port };
  const number = Number(port);
  if (number < 1 || number > 65_535) throw badEntry(entry);
  return { host: name, port: number };
}

/** The host as the URL parser would write it, so that international names compare in one form. */
function hostInUrl(host: string, entry: string): string {
  const url = URL.parse(`http://${host}/`);
  if (!host || !url || url.hostname.includes('..') || url.hostname.startsWith('.')) throw badEntry(entry);
  return plainHost(url.hostname);
}

function badEntry(entry: string): Error {
  return new Error(`"${entry}" is not a host, host:port or CIDR block such as 10.0.0.0/8`);
}

// The rows of the IANA IPv4 and IPv6 Special-Purpose Address Registries (state of 2025-10-09) whose
// "Globally Reachable" is False or N/A, and multicast. Rows inside a listed block are left out.
const unreachableBlocks = blocksOf(`
  0.0.0.0/8        this network, RFC 791
  10.0.0.0/8       private use, RFC 1918
  100.64.0.0/10    shared address space, RFC 6598
  127.0.0.0/8      loopback, RFC 1122
  169.254.0.0/16   link local (cloud metadata), RFC 3927
  172.16.0.0/12    private use, RFC 1918
  192.0.0.0/24     IETF protocol assignments, RFC 6890
  192.0.2.0/24     documentation, RFC 5737
  192.88.99.0/24   6to4 and 6a44 relays, RFC 7526, RFC 6751
  192.168.0.0/16   private use, RFC 1918
  198.18.0.0/15    benchmarking, RFC 2544
  198.51.100.0/24  documentation, RFC 5737
  203.0.113.0/24   documentation, RFC 5737
  224.0.0.0/4      multicast, RFC 5771
  240.0.0.0/4      reserved and limited broadcast, RFC 1112, RFC 919
  2001::/23        IETF protocol assignments with Teredo, RFC 2928, RFC 4380
  2001:db8::/32    documentation, RFC 3849
  3fff::/20        documentation, RFC 9637
`);

// Rows with "Globally Reachable" True inside a block above.
const reachableExceptions = blocksOf(`
  192.0.0.9/32     Port Control Protocol anycast, RFC 7723
  192.0.0.10/32    TURN anycast, RFC 8155
  2001:1::1/128    Port Control Protocol anycast, RFC 7723
  2001:1::2/128    TURN anycast, RFC 8155
  2001:1::3/128    DNS-SD service registration anycast, RFC 9665
  2001:3::/32      AMT, RFC 7450
  2001:4:112::/48  AS112, RFC 7535
  2001:20::/28     ORCHIDv2, RFC 7343
  2001:30::/28     drone remote identification, RFC 9374
`);

// Loopback, unspecified, discard-only, dummy, SRv6, unique local, link local, multicast, the local-use
// NAT64 prefix 64:ff9b:1::/48 and all unallocated space lie outside.
const globalUnicast = blocksOf('2000::/3');

// Forms that carry an IPv4 address, and the byte at which it starts.
const embeddingForms: readonly [Block[], number][] = [
  [blocksOf('::ffff:0:0/96'), 12], // IPv4-mapped, RFC 4291
  [blocksOf('64:ff9b::/96'), 12], // NAT64, RFC 6052
  [blocksOf('2002::/16'), 2], // 6to4, RFC 3056
];

/**
 * Whether the address is globally reachable by the IANA special-purpose registries: no multicast, IPv6 only
 * within 2000::/3; IPv4-mapped, NAT64 and 6to4 forms are judged by the IPv4 address that they carry.
 * False for anything that is no plain address, a zone id included. Source: rule hooks 12.
 */
export function isGloballyReachable(address: string): boolean {
  const parsed = parseAddress(address);
  if (!parsed) return false;
  const judged = embeddedIPv4(parsed) ?? parsed;
  if (liesIn(judged, reachableExceptions)) return true;
  if (judged.kind() === 'ipv6' && !liesIn(judged, globalUnicast)) return false;
  return !liesIn(judged, unreachableBlocks);
}

function embeddedIPv4(address: IpAddress): IpAddress | undefined {
  const form = embeddingForms.find(([blocks]) => liesIn(address, blocks));
  return form && ipv4At(address, form[1]);
}

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;
/** A network and the length of its prefix in bits. */
type Block = readonly [network: IpAddress, bits: number];

/** Reads an address in its usual notation; undefined for anything else, a zone id included. */
export function parseAddress(text: string): IpAddress | undefined {
  const version = isIP(text);
  if (version === 0 || text.includes('%')) return undefined;
  // ipaddr.js takes ::8.8.8.8 for ::ffff:8.8.8.8; the URL parser writes the same address without dots.
  return ipaddr.parse(version === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text);
}

/** Reads a CIDR block such as `10.0.0.0/8`; undefined for anything else. */
function parseBlock(text: string): Block | undefined {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const network = parseAddress(address);
  const bits = Number(length);
  return network && bits <= network.toByteArray().length * 8 ? [network, bits] : undefined;
}

/** Reads the blocks that stand first in the lines of a table; throws an Error for anything else. */
function blocksOf(table: string): Block[] {
  return Array.from(table.matchAll(/^\s*(\S+)/gm), ([, text = '']) => {
    const block = parseBlock(text);
    if (!block) throw new Error(`${text} is no address block`);
    return block;
  });
}

/** Whether one of the blocks holds the address; a block never holds an address of the other family. */
function liesIn(address: IpAddress, blocks: readonly Block[]): boolean {
  return blocks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** The IPv4 address that stands in these four bytes of an address. */
function ipv4At(address: IpAddress, start: number): IpAddress {
  return ipaddr.fromByteArray(address.toByteArray().slice(start, start + 4));
}
