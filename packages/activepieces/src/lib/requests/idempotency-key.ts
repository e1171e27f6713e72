import { createHash, randomUUID } from 'node:crypto';
import type { Call } from '@dealkeep/connectors';

/** A step of a flow's run. */
export interface Step {
  readonly runId: string;
  readonly name: string;
}

/** What Activepieces calls a run. A step that is tried out in the editor has another id, the same every time. */
const realRun = /^[0-9A-Za-z]{21}$/;

/** How often each call of the present run has been answered. */
const answered = new Map<string, number>();
let presentRun = '';

/** The Idempotency-Keys of the calls of one step. */
export interface Keys {
  readonly keyOf: (call: Call) => string;
  /** Says that a call was answered: the next of the same content is another one. */
  readonly isAnswered: (call: Call) => void;
}

/** For what is no step of a run: each call has a key of its own. */
const freshKeys: Keys = { keyOf: () => randomUUID(), isAnswered: () => undefined };

/**
 * The Idempotency-Keys of a step. A step that is run again because it failed sends the same keys, so that nothing is
 * made twice; in a loop the step comes with its next item once the last was answered, so that two items of the same
 * content make two records.
 */
export function keysOf(step: Step | undefined): Keys {
  if (step === undefined || !realRun.test(step.runId)) return freshKeys;
  if (presentRun !== step.runId) {
    answered.clear();
    presentRun = step.runId;
  }
  const contentOf = ({ operation, path, body }: Call) =>
    createHash('sha256')
      .update(JSON.stringify([step.runId, step.name, operation.id, path, body]))
      .digest('base64url');
  return {
    keyOf: (call) => {
      const content = contentOf(call);
      return `ap-${content}-${answered.get(content) ?? 0}`;
    },
    isAnswered: (call) => {
      const content = contentOf(call);
      answered.set(content, (answered.get(content) ?? 0) + 1);
    },
  };
}
