import ipaddr from 'ipaddr.js';
import { parseAddress } from './allowed-targets.ts';

/** Networks of IPv6 are counted as one client, because whoever has one address has the 2^64 others of it, too. */
const ipv6Bits = 64;

/** What stands for a client by its address; undefined where that is none. */
export function clientNetwork(text: string): string | undefined {
  const given = parseAddress(text);
  if (!given) return undefined;
  const address = ipaddr.process(given.toString());
  if (address.kind() === 'ipv4') return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${ipv6Bits}`).toString();
}
