import type { OperationDeclaration } from '@dealkeep/contract';
import type { Answer } from './answer.ts';
import type { AskedFor } from './describe-failure.ts';

/** One call of an operation. */
export interface Call extends AskedFor {
  readonly operation: OperationDeclaration;
  /** Values of the braces in the operation's path. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Statuses besides 2xx that are as good as success: 404 when something is to be removed, or looked for. */
  readonly accept?: readonly number[];
}

/**
 * The API behind a connection, as one run of a step reaches it: what passes is tried again, and every other refusal
 * is thrown as the platform's own error.
 */
export interface Api {
  readonly call: (call: Call) => Promise<Answer>;
}
