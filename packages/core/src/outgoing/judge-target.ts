import { isIP } from 'node:net';
import { isGloballyReachable } from './address-reachability.ts';
import { type AllowedTargets, plainHost } from './allowed-targets.ts';

/** Where a request is to go. `host` is a name or an address, without brackets and without the root's dot. */
export interface Target {
  readonly protocol: 'http:' | 'https:';
  readonly host: string;
  readonly port: number;
}

/** Why a target is refused: the first two by its URL, the third by its address. */
export type TargetRefusal = 'not_https' | 'port' | 'private_address';

/** The target of an http or https URL; undefined for any other scheme. */
export function targetOf(url: { protocol: string; hostname: string; port: string }): Target | undefined {
  const { protocol } = url;
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  const port = url.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { protocol, host: plainHost(url.hostname), port };
}

/**
 * Judges a target before its name is resolved; undefined when nothing speaks against it yet. An address
 * written as a number is judged completely.
 */
export function judgeTarget(target: Target, allowed: AllowedTargets): TargetRefusal | undefined {
  if (isIP(target.host) !== 0) return judgeAddresses(target, [target.host], allowed);
  if (allowed.allowsHost(target.host, target.port)) return undefined;
  // With CIDR entries the addresses decide what the name may do.
  if (!allowed.hasBlocks) {
    if (target.protocol !== 'https:') return 'not_https';
    if (!isOpenPort(target.port)) return 'port';
  }
  const loopback = ['127.0.0.1', '::1'];
  if (isLocalhostName(target.host) && !loopback.some(allowed.allowsAddress)) {
    return judgeAddresses(target, loopback, allowed);
  }
  return undefined;
}

/**
 * Judges a target by the addresses that its host has: every one must be public or allowed. What is allowed
 * may use any port, and plain http as long as it is not public.
 */
export function judgeAddresses(
  target: Target,
  addresses: readonly string[],
  allowed: AllowedTargets,
): TargetRefusal | undefined {
  const hostAllowed = allowed.allowsHost(target.host, target.port);
  const wholeTargetAllowed = hostAllowed || addresses.every(allowed.allowsAddress);
  if (target.protocol !== 'https:' && (!wholeTargetAllowed || addresses.some(isGloballyReachable))) {
    return 'not_https';
  }
  if (!wholeTargetAllowed && !isOpenPort(target.port)) return 'port';
  const passes = (address: string) =>
    hostAllowed || isGloballyReachable(address) || allowed.allowsAddress(address);
  return addresses.every(passes) ? undefined : 'private_address';
}

function isOpenPort(port: number): boolean {
  return port === 443 || port >= 1024;
}

/** RFC 6761 gives these names to the machine itself, whatever a name server says. */
function isLocalhostName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}
