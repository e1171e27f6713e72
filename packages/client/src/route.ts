import type { AnswerShape } from './transport/index.ts';

/** One operation of the API, as a call needs to know it. */
export interface Route {
  /** Where the client offers it: `leads` of `dealkeep.leads.move`. */
  readonly namespace: string;
  /** `move` of `dealkeep.leads.move`. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the API root, parameters in braces. */
  readonly path: string;
  readonly takesQuery: boolean;
  readonly takesBody: boolean;
  readonly shape: AnswerShape;
}
