import { randomBytes } from 'node:crypto';
import { type FieldProblem, limits, type MessageKey } from '@dealkeep/contract';
import PQueue from 'p-queue';
import type { Core } from '../core.ts';
import type { Statements } from '../database/connect.ts';
import { targetResolvedMs, targetsResolvedAtOnce } from '../operating-limits.ts';
import { checkTarget, type Resolve, type TargetCheck } from '../outgoing/index.ts';
import { Problem } from '../problem.ts';
import type { SealedPlace } from '../secrets.ts';

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

/**
 * Resolves the name of a target, which may take seconds: not while a connection of the database is held. Raises
 * WEBHOOK_URL_INVALID or WEBHOOK_URL_BLOCKED when the guard refuses it, SERVICE_UNAVAILABLE when the organization asks
 * for too many names at once.
 */
export async function requireGoodTarget(core: Core, organization: string, targetUrl: string): Promise<void> {
  const [problem] = await targetProblems(core, organization, targetUrl);
  if (!problem) return;
  const { path, key, values } = problem;
  throw new Problem(key, values, { detail: { field: path }, about: path });
}

/** The same, of a target that is told among other fields. Raises SERVICE_UNAVAILABLE. */
export async function targetProblems(
  core: Core,
  organization: string,
  targetUrl: string,
): Promise<FieldProblem[]> {
  const check = await core.targetNames.inTurn(organization, (resolve) =>
    checkTarget(targetUrl, core.allowedTargets, { resolve }),
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

const prefix = 'whsec_';

/** A new signing secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks). */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

/** Where the secret of a webhook stands, or the one before it. */
export const placeOfSecret = (
  { organization_id, id }: { organization_id: string; id: string },
  column: 'secret' | 'previous_secret' = 'secret',
): SealedPlace => ({ table: 'webhooks', column, row: [organization_id, id] });

/** The bytes that sign, of a secret in its text form. */
export const webhookSecretBytes = (secret: string): Buffer =>
  Buffer.from(secret.slice(prefix.length), 'base64');

/** Raises LIMIT_EXCEEDED when the organization has its maximum of webhooks, REST hooks and manual webhooks together. */
export async function checkWebhookLimit(sql: Statements, organization: string): Promise<void> {
  // The lock makes the count hold until the commit.
  const [limit] = await sql<{ max_webhooks: number }[]>`
    select max_webhooks from organizations where id = ${organization} for no key update`;
  const [count] = await sql<{ webhooks: number }[]>`
    select count(*)::integer as webhooks from webhooks where organization_id = ${organization}`;
  const max = limit?.max_webhooks ?? 0;
  if ((count?.webhooks ?? 0) >= max) throw new Problem('webhook.limit', { max });
}
