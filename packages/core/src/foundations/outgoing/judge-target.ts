import { isIP } from 'node:net';
import { limits } from '@dealkeep/contract';
import { targetResolvedMs } from '../operating-limits.ts';
import { type AllowedTargets, isGloballyReachable, plainHost } from './allowed-targets.ts';
import { createResolve, type Resolve, resolveAddresses } from './connection.ts';

/** Where a request is to go. `host` is a name or an address, without brackets and without the root's dot. */
export interface Target {
  readonly protocol: 'http:' | 'https:';
  readonly host: string;
  readonly port: number;
}

/** Why a target is refused: the first two by its URL, the third by its address. */
type TargetRefusal = 'not_https' | 'port' | 'private_address';

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
  // Where CIDR entries are listed, only the addresses of the name can tell whether it is allowed.
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

export type InvalidTargetReason =
  | 'too_long'
  | 'malformed'
  | 'not_https'
  | 'user_information'
  | 'port'
  | 'unresolvable';

export type TargetCheck =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly code: 'WEBHOOK_URL_INVALID'; readonly reason: InvalidTargetReason }
  | { readonly ok: false; readonly code: 'WEBHOOK_URL_BLOCKED'; readonly reason: 'private_address' };

/**
 * Checks what can be said of a target URL without resolving its name: syntax, scheme, port, and addresses
 * written as numbers in any form. Source: rules hooks 11 and 12.
 */
export function checkTargetUrl(text: string, allowed: AllowedTargets): TargetCheck {
  const longest = limits.webhookTargetLength;
  if (text.length > longest && [...text].length > longest) return invalid('too_long');
  // The URL parser drops tabs and line ends and turns backslashes, so that others read another host.
  if (!text.isWellFormed() || /[\p{Cc}\p{Z}\\]/u.test(text)) return invalid('malformed');
  const url = URL.parse(text);
  if (!url) return invalid('malformed');
  const target = targetOf(url);
  if (!target) return invalid('not_https');
  // The parser forgives `https:host` and `https:///host`, and forgets an empty user in `https://@host`.
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) return invalid('malformed');
  if (authority.includes('@')) return invalid('user_information');
  if (target.host.split('.').includes('') && isIP(target.host) === 0) return invalid('malformed');
  const refusal = judgeTarget(target, allowed);
  return refusal ? refused(refusal) : { ok: true, url };
}

/**
 * Checks a target URL completely: {@link checkTargetUrl}, then every address that its name has. A name without
 * an answer within 5 s, or with any resolver error, is unresolvable.
 */
export async function checkTarget(
  text: string,
  allowed: AllowedTargets,
  {
    resolve = createResolve(allowed),
    resolveLimitMs = targetResolvedMs,
  }: { resolve?: Resolve; resolveLimitMs?: number } = {},
): Promise<TargetCheck> {
  const check = checkTargetUrl(text, allowed);
  const target = check.ok ? targetOf(check.url) : undefined;
  if (!check.ok || !target || isIP(target.host) !== 0) return check;
  const addresses = await resolveAddresses(check.url.hostname, resolve, { limitMs: resolveLimitMs });
  if (addresses.length === 0) return invalid('unresolvable');
  const refusal = judgeAddresses(target, addresses, allowed);
  return refusal ? refused(refusal) : check;
}

function invalid(reason: InvalidTargetReason): TargetCheck {
  return { ok: false, code: 'WEBHOOK_URL_INVALID', reason };
}

function refused(refusal: TargetRefusal): TargetCheck {
  return refusal === 'private_address'
    ? { ok: false, code: 'WEBHOOK_URL_BLOCKED', reason: refusal }
    : invalid(refusal);
}
