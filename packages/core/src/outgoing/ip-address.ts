import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;
/** A network and the length of its prefix in bits. */
export type Block = readonly [network: IpAddress, bits: number];

/** Reads an address in its usual notation; undefined for anything else, a zone id included. */
export function parseAddress(text: string): IpAddress | undefined {
  const version = isIP(text);
  if (version === 0 || text.includes('%')) return undefined;
  // ipaddr.js takes ::8.8.8.8 for ::ffff:8.8.8.8; the URL parser writes the same address without dots.
  return ipaddr.parse(version === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text);
}

/** Reads a CIDR block such as `10.0.0.0/8`; undefined for anything else. */
export function parseBlock(text: string): Block | undefined {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const network = parseAddress(address);
  const bits = Number(length);
  return network && bits <= network.toByteArray().length * 8 ? [network, bits] : undefined;
}

/** Reads the blocks that stand first in the lines of a table; throws an Error for anything else. */
export function blocksOf(table: string): Block[] {
  return Array.from(table.matchAll(/^\s*(\S+)/gm), ([, text = '']) => {
    const block = parseBlock(text);
    if (!block) throw new Error(`${text} is no address block`);
    return block;
  });
}

/** Whether one of the blocks holds the address; a block never holds an address of the other family. */
export function liesIn(address: IpAddress, blocks: readonly Block[]): boolean {
  return blocks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** The IPv4 address that stands in these four bytes of an address. */
export function ipv4At(address: IpAddress, start: number): IpAddress {
  return ipaddr.fromByteArray(address.toByteArray().slice(start, start + 4));
}
