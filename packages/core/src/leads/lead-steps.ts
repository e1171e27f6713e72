import type { Lead } from '@dealkeep/contract';

/** What can be done with a lead as it is; nothing, once it is archived. */
export const possibleLeadSteps = ({ archived_at }: Pick<Lead, 'archived_at'>): LeadStep[] =>
  archived_at === null ? ['move', 'tags', 'archive'] : [];

export type LeadStep = 'move' | 'tags' | 'archive';
