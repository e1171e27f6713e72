import { isIP } from 'node:net';
import {
  type Block,
  blocksOf,
  type IpAddress,
  ipv4At,
  liesIn,
  parseAddress,
  parseBlock,
} from './ip-address.ts';

const ipv4Mapped = blocksOf('::ffff:0:0/96');

/** What `WEBHOOK_ALLOWED_TARGETS` lets be private, plain http and on any port. Source: decisions.md §9. */
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
  return host
    .toLowerCase()
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
  // The URL parser reads 0x7f.1 and 127.1 as addresses; whoever means the address writes it plainly.
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
