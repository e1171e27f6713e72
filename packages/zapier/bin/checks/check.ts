import type { Definition } from './definition.ts';

/**
 * One of Zapier's integration checks (docs.zapier.com, Integration check reference), as far as a definition shows
 * it.
 */
export interface Check {
  readonly code: string;
  readonly promise: string;
  /** What breaks the promise, each with its place; empty when it is kept. */
  readonly findings: (definition: Definition) => string[];
}
