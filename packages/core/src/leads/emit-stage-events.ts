import type { Lead } from '@dealkeep/contract';
import type { Changing } from '../verb/verb.ts';

/** Says that a lead changed its stage, and that it was decided when it was. */
export function emitStageEvents(context: Changing, before: Lead['status'], after: Lead): void {
  context.emit('lead.stage_changed', after);
  emitDecision(context, before, after);
}

export function emitDecision(context: Changing, before: Lead['status'], after: Lead): void {
  if (after.status === before) return;
  if (after.status === 'won') context.emit('lead.won', after);
  if (after.status === 'lost') context.emit('lead.lost', after);
}
