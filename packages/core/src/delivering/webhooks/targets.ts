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

/** What is wrong with a target alone: WEBHOOK_URL_INVALID or WEBHOOK_URL_BLOCKED. */
export const badTarget = ({ path, key, values }: FieldProblem): Problem =>
  new Problem(key, values, { detail: { field: path }, about: path });

/**
 * Resolves the name of a target, which may take seconds, so no connection of the database may be held meanwhile.
 * Answers why the guard refuses it. Raises SERVICE_UNAVAILABLE when the organization asks for too many names at
 * once.
 */
export async function targetProblems(
  { targetNames, allowedTargets }: TargetGuard,
  organization: string,
  targetUrl: string | undefined,
): Promise<FieldProblem[]> {
  if (targetUrl === undefined) return [];
  const check = await targetNames.inTurn(organization, (resolve) =>
    checkTarget(targetUrl, allowedTargets, { resolve }),
  );
  if (check.ok) return [];
  return [{ path: 'target_url', key: keys[check.reason], values: { max: limits.webhookTargetLength } }];
}
