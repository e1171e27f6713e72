import { type FieldProblem, limits, type MessageKey } from '@dealkeep/contract';
import { type AllowedTargets, checkTarget, type TargetCheck } from '../../foundations/outgoing/index.ts';
import type { TargetNames } from '../../foundations/outgoing/target-names.ts';
import { Problem } from '../../foundations/problem.ts';

type Refused = Extract<TargetCheck, { ok: false }>;

const keys: Readonly<Record<Refused['reason'], MessageKey>> = {
  malformed: 'webhook.url_malformed',
  too_long: 'webhook.url_too_long',
  not_https: 'webhook.url_not_https',
  user_information: 'webhook.url_user_information',
  port: 'webhook.url_port',
  unresolvable: 'webhook.url_unresolvable',
  private_address: 'webhook.url_blocked',
};

/** What judges a target. */
interface TargetGuard {
  readonly targetNames: TargetNames;
  readonly allowedTargets: AllowedTargets;
}

/**
 * Resolves the name of a target, which may take seconds, so no connection of the database may be held meanwhile.
 * Raises WEBHOOK_URL_INVALID or WEBHOOK_URL_BLOCKED when the guard refuses it, SERVICE_UNAVAILABLE when the
 * organization asks for too many names at once.
 */
export async function requireGoodTarget(
  guard: TargetGuard,
  organization: string,
  targetUrl: string,
): Promise<void> {
  const [problem] = await targetProblems(guard, organization, targetUrl);
  if (!problem) return;
  const { path, key, values } = problem;
  throw new Problem(key, values, { detail: { field: path }, about: path });
}

/** The same, of a target that is told among other fields. Raises SERVICE_UNAVAILABLE. */
export async function targetProblems(
  { targetNames, allowedTargets }: TargetGuard,
  organization: string,
  targetUrl: string,
): Promise<FieldProblem[]> {
  const check = await targetNames.inTurn(organization, (resolve) =>
    checkTarget(targetUrl, allowedTargets, { resolve }),
  );
  if (check.ok) return [];
  return [{ path: 'target_url', key: keys[check.reason], values: { max: limits.webhookTargetLength } }];
}
