import { limits, type MessageKey } from '@dealkeep/contract';
import type { TargetCheck } from '../outgoing/index.ts';
import { Problem } from '../problem.ts';

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

/** The error for a target that the guard refused. */
export const targetProblem = ({ reason }: Refused): Problem =>
  new Problem(keys[reason], { max: limits.webhookTargetLength }, { detail: { field: 'target_url' } });
