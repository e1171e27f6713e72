import { lookup } from 'node:dns/promises';
import { onTestFinished } from 'vitest';
import {
  createGuardedAgent,
  type OutboundProxy,
  type OutgoingRequest,
  parseAllowedTargets,
  type RequestOutcome,
  type Resolve,
  sendRequest,
} from '../../src/foundations/outgoing/index.ts';

/** Resolves every name as told and counts the questions. */
export function resolver(answer: (question: number) => string[]): Resolve & { questions: string[] } {
  const questions: string[] = [];
  const resolve = async (host: string) => {
    questions.push(host);
    return answer(questions.length).map((address) => ({ address }));
  };
  return Object.assign(resolve, { questions });
}

/** An agent for these allowed targets and a function that posts by it; both end with the test. */
export function createSender({
  allowed = '127.0.0.1',
  resolve = (host) => lookup(host, { all: true }),
  ...limits
}: {
  allowed?: string;
  resolve?: Resolve;
  proxy?: OutboundProxy;
  connections?: number;
  connectLimitMs?: number;
} = {}) {
  const agent = createGuardedAgent({ allowed: parseAllowedTargets(allowed), resolve, ...limits });
  onTestFinished(() => agent.destroy());
  const send = (url: URL | string, request: Partial<OutgoingRequest> = {}): Promise<RequestOutcome> =>
    sendRequest(agent, {
      url: new URL(url),
      headers: { 'content-type': 'application/json' },
      body: '{"test":true}',
      timeoutMs: 5_000,
      ...request,
    });
  return { agent, send };
}
