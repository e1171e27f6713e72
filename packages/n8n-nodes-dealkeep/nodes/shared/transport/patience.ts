import type { RetryPlan } from '@dealkeep/client/transport';

/** How patient a request is. */
export interface Patience extends RetryPlan {
  /** How long one answer may take, in milliseconds; what takes longer counts as a failure of the network. */
  readonly answerLimit: number;
}

/**
 * A running workflow waits as long as the API asks: a batch takes a while, and a thousand items meet the limit
 * often.
 */
export const workflowPatience: Patience = {
  repetitions: { failure: 5, rateLimit: 120, inProgress: 60 },
  longestWait: 5 * 60_000,
  answerLimit: 60_000,
};

/** A person waits at the editor: for a dropdown, or for a workflow to be published. */
export const editorPatience: Patience = {
  repetitions: { failure: 2, rateLimit: 2, inProgress: 2 },
  longestWait: 10_000,
  answerLimit: 10_000,
};
