import ipaddr from 'ipaddr.js';
import { parseAddress } from '../outgoing/ip-address.ts';

/** Whoever has an IPv6 address has the 2^64 others of its network, too. */
const ipv6Bits = 64;

/** What stands for a client by its address; undefined where that is none. */
export function clientNetwork(text: string): string | undefined {
  const given = parseAddress(text);
  if (!given) return undefined;
  const address = ipaddr.process(given.toString());
  if (address.kind() === 'ipv4') return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${ipv6Bits}`).toString();
}
