import type { Directory, Stage } from '../directory/directory.ts';
import { invalidField } from '../problem.ts';
import type { LeadColumns } from './lead-record.ts';

export interface LostBecause {
  lost_reason_id?: string | null | undefined;
  lost_note?: string | null | undefined;
}

/** What a pipeline asks for when a lead is lost. Raises VALIDATION_ERROR at `lost_reason_id`. */
export function requireLostReason(stage: Stage, because: LostBecause, directory: Directory): void {
  const reason = because.lost_reason_id;
  if (reason && !directory.lostReasons.has(reason)) throw invalidField('lost_reason_id', 'field.not_found');
  const pipeline = directory.pipelines.get(stage.pipeline_id);
  if (stage.kind === 'lost' && pipeline?.require_lost_reason && !reason) {
    throw invalidField('lost_reason_id', 'field.lost_reason_required');
  }
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
