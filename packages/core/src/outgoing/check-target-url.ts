import { isIP } from 'node:net';
import type { AllowedTargets } from './allowed-targets.ts';
import { judgeAddresses, judgeTarget, type TargetRefusal, targetOf } from './judge-target.ts';
import { createResolve, type Resolve, resolveAddresses } from './resolve-host.ts';

/** The longest target URL, in code points. Source: specification, Limits. */
const maximumLength = 2048;

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
 * written as numbers in any form. Source: specification, Webhook endpoint rules; decisions.md §9.
 */
export function checkTargetUrl(text: string, allowed: AllowedTargets): TargetCheck {
  if (text.length > maximumLength && [...text].length > maximumLength) return invalid('too_long');
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
    resolveLimitMs = 5_000,
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
