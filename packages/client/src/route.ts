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
  /** `record` is wrapped in `data`, `list` is a page, `bare` stands alone, `nothing` is a 204. */
  readonly shape: 'record' | 'list' | 'bare' | 'nothing';
}
