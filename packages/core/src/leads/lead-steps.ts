import type { Lead } from '@dealkeep/contract';

/** What can be done with a lead as it is; nothing, once it is archived. */
export const possibleLeadSteps = ({ archived_at }: Pick<Lead, 'archived_at'>): ('move' | 'archive')[] =>
  archived_at === null ? ['move', 'archive'] : [];
