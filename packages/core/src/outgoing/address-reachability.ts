import { type Block, blocksOf, type IpAddress, ipv4At, liesIn, parseAddress } from './ip-address.ts';

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
 * False for anything that is no plain address, a zone id included. Source: decisions.md §9.
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
