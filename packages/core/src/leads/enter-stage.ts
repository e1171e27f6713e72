import type { FieldProblem } from '@dealkeep/contract';
import { canChoose, type Directory, type Stage } from '../directory/directory.ts';
import type { LeadColumns } from './lead-record.ts';

export interface LostBecause {
  lost_reason_id?: string | null | undefined;
  lost_note?: string | null | undefined;
}

/** What is wrong with the reason of a lead that enters a stage, or stays where it is. */
export function lostReasonProblems(
  entered: Stage | undefined,
  because: LostBecause,
  directory: Directory,
  lead: Pick<LeadColumns, 'lost_reason_id'>,
): FieldProblem[] {
  const reason = because.lost_reason_id;
  if (reason) {
    const known = canChoose(directory.lostReasons, reason, lead.lost_reason_id);
    return known ? [] : [{ path: 'lost_reason_id', key: 'field.not_found' }];
  }
  const demanded =
    entered?.kind === 'lost' && directory.pipelines.get(entered.pipeline_id)?.require_lost_reason === true;
  return demanded ? [{ path: 'lost_reason_id', key: 'field.lost_reason_required' }] : [];
}

/** The columns of a lead that enters a stage: the status follows the stage's kind, and with it what it means. */
export function enterStage(
  lead: Pick<LeadColumns, 'status' | 'won_at' | 'lost_at' | 'lost_reason_id' | 'lost_note'>,
  stage: Stage,
  now: string,
  because: LostBecause = {},
) {
  const same = lead.status === stage.kind;
  const lost = stage.kind === 'lost';
  return {
    pipeline_id: stage.pipeline_id,
    stage_id: stage.id,
    status: stage.kind,
    stage_entered_at: now,
    won_at: stage.kind === 'won' ? (same ? lead.won_at : now) : null,
    lost_at: lost ? (same ? lead.lost_at : now) : null,
    lost_reason_id: lost ? (because.lost_reason_id ?? (same ? lead.lost_reason_id : null)) : null,
    lost_note: lost ? (because.lost_note ?? (same ? lead.lost_note : null)) : null,
  };
}
