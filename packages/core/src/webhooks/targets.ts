import { type FieldProblem, limits, type MessageKey } from '@dealkeep/contract';
import PQueue from 'p-queue';
import { targetResolvedMs, targetsResolvedAtOnce } from '../operating-limits.ts';
import { type AllowedTargets, checkTarget, type Resolve, type TargetCheck } from '../outgoing/index.ts';
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

/** What judges a target. */
interface TargetGuard {
  readonly targetNames: TargetNames;
  readonly allowedTargets: AllowedTargets;
}

/**
 * Resolves the name of a target, which may take seconds, so no connection of the database may be held meanwhile. Raises
 * WEBHOOK_URL_INVALID or WEBHOOK_URL_BLOCKED when the guard refuses it, SERVICE_UNAVAILABLE when the organization asks
 * for too many names at once.
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

/**
 * Resolves the names that organizations give as targets. A name server that hangs keeps nobody waiting but those of
 * the organization that has named it.
 */
export class TargetNames {
  readonly #resolve: Resolve;
  readonly #queues = new Map<string, PQueue>();

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  /** Raises SERVICE_UNAVAILABLE when the organization's own names before this one take too long. */
  inTurn<Result>(organization: string, work: (resolve: Resolve) => Promise<Result>): Promise<Result> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(new Problem('service.unavailable')), targetResolvedMs);
    const begin = (): Promise<Result> => {
      clearTimeout(timer);
      return work(this.#resolve);
    };
    return this.#queueOf(organization).add(begin, { signal: patience.signal });
  }

  #queueOf(organization: string): PQueue {
    const known = this.#queues.get(organization);
    if (known) return known;
    const queue = new PQueue({ concurrency: targetsResolvedAtOnce });
    queue.addEventListener('idle', () => this.#queues.delete(organization));
    this.#queues.set(organization, queue);
    return queue;
  }
}
