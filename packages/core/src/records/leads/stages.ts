import type { FieldProblem, Lead } from '@dealkeep/contract';
import { type Changing, writes } from '../../change/verb/verb.ts';
import { laterOf } from '../../foundations/clock.ts';
import { changesOf } from '../../foundations/database/values.ts';
import { invalidFields } from '../../foundations/problem.ts';
import { canChoose, type ReferenceData, type Stage } from '../../identity/reference-data/reference-data.ts';
import { type LeadRow, leadOfChange, leads } from './record.ts';

/** Why a lead was lost, as far as it was sent: what is absent stays, null clears. */
interface LostBecause {
  readonly lost_reason_id?: string | null | undefined;
  readonly lost_note?: string | null | undefined;
}

const noReason = { stage_id: null, lost_reason_id: null } as const;

/**
 * What is wrong with why a lead was lost, where it is in a stage after the change. A stage that is not known yet is
 * not judged; a new lead was in none.
 */
export function lostReasonProblems(
  stage: Stage | undefined,
  { lost_reason_id: reason, lost_note: note }: LostBecause,
  referenceData: ReferenceData,
  lead: Pick<LeadRow, 'lost_reason_id'> & { readonly stage_id: string | null } = noReason,
): FieldProblem[] {
  if (reason && !canChoose(referenceData.lostReasons, reason, lead.lost_reason_id)) {
    return [{ path: 'lost_reason_id', key: 'field.not_found' }];
  }
  if (!stage) return [];
  if (stage.kind !== 'lost') {
    const given = [...(reason == null ? [] : ['lost_reason_id']), ...(note == null ? [] : ['lost_note'])];
    return given.map((path) => ({ path, key: 'field.only_of_lost_leads' }));
  }
  const enters = stage.id !== lead.stage_id;
  const takenAway = reason === null && lead.lost_reason_id !== null;
  const demanded = referenceData.pipelines.get(stage.pipeline_id)?.require_lost_reason === true;
  return demanded && !reason && (enters || takenAway)
    ? [{ path: 'lost_reason_id', key: 'field.lost_reason_required' }]
    : [];
}

/** The columns of a lead that enters a stage: the status follows the stage's kind, and with it what it means. */
export function enterStage(
  lead: Pick<LeadRow, 'status' | 'won_at' | 'lost_at' | 'lost_reason_id' | 'lost_note'>,
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
    lost_reason_id: lost ? sentOr(because.lost_reason_id, same ? lead.lost_reason_id : null) : null,
    lost_note: lost ? sentOr(because.lost_note, same ? lead.lost_note : null) : null,
  };
}

const sentOr = (sent: string | null | undefined, kept: string | null): string | null =>
  sent === undefined ? kept : sent;

/** Moves a locked lead to another stage and emits the events. Answers it as GET does. */
export async function placeLead(
  context: Changing,
  lead: LeadRow,
  stage: Stage,
  because: LostBecause = {},
): Promise<Lead> {
  const movedAt = laterOf(context.now, lead.updated_at);
  const before = await leads.recordOf(context, lead);
  const entered = enterStage(lead, stage, movedAt, because);
  const moved = await leads.recordOf(
    context,
    await leads.update(context, lead, { ...entered, updated_at: movedAt }),
  );
  emitStageEvents(context, before, moved);
  return moved;
}

export const moveLead = writes('leads.move', {
  async check(context, { path, body }) {
    const lead = await leadOfChange(context, path.id);
    const referenceData = await context.referenceData();
    const stage = referenceData.stages.get(body.stage_id ?? '');
    const because = sentBecause(body);
    const problems = [
      ...(body.stage_id === undefined ? [] : stageProblems(lead, body.stage_id, referenceData)),
      ...lostReasonProblems(stage, because, referenceData, lead),
    ];
    if (problems.length > 0 || !stage) throw invalidFields(problems);
    return { lead, stage, because };
  },
  run: async (context, _, { lead, stage, because }) =>
    stage.id === lead.stage_id
      ? keepReason(context, lead, because)
      : placeLead(context, lead, stage, because),
});

/** In a step null equals an absent field, as on create (rule bodies 4). */
const sentBecause = ({ lost_reason_id, lost_note }: LostBecause): LostBecause => ({
  lost_reason_id: lost_reason_id ?? undefined,
  lost_note: lost_note ?? undefined,
});

/** Keeps why a locked lead was lost, which is in its stage already. Answers it as GET does. */
async function keepReason(context: Changing, lead: LeadRow, because: LostBecause): Promise<Lead> {
  const before = await leads.recordOf(context, lead);
  const changes = changesOf(lead, because);
  if (!changes) return before;
  const updatedAt = laterOf(context.now, lead.updated_at);
  const row = await leads.update(context, lead, { ...changes, updated_at: updatedAt });
  const after = await leads.recordOf(context, row);
  context.emitUpdated('lead.updated', before, after);
  return after;
}

function stageProblems(lead: LeadRow, stageId: string, referenceData: ReferenceData): FieldProblem[] {
  const stage = referenceData.stages.get(stageId);
  if (!stage) return [{ path: 'stage_id', key: 'field.not_found' }];
  if (stage.pipeline_id === lead.pipeline_id) return [];
  return [{ path: 'stage_id', key: 'field.stage_of_other_pipeline' }];
}

export const archiveLead = writes('leads.archive', {
  async check(context, { path, body }) {
    const lead = await leadOfChange(context, path.id);
    const problems = lostReasonProblems(undefined, sentBecause(body), await context.referenceData(), lead);
    if (problems.length > 0) throw invalidFields(problems);
    return lead;
  },
  async run(context, { body }, lead) {
    const archivedAt = laterOf(context.now, lead.updated_at);
    const row = await leads.update(context, lead, {
      archived_at: archivedAt,
      updated_at: archivedAt,
      lost_reason_id: body.lost_reason_id ?? lead.lost_reason_id,
      lost_note: body.lost_note ?? lead.lost_note,
    });
    const archived = await leads.recordOf(context, row);
    context.emit('lead.archived', archived);
    return archived;
  },
});

/** Emits `lead.stage_changed`, and `lead.won` or `lead.lost` when the status became that. */
export function emitStageEvents(context: Changing, before: Lead, after: Lead): void {
  context.emit('lead.stage_changed', after, before);
  emitDecision(context, before.status, after);
}

export function emitDecision(context: Changing, before: Lead['status'], after: Lead): void {
  if (after.status === before) return;
  if (after.status === 'won') context.emit('lead.won', after);
  if (after.status === 'lost') context.emit('lead.lost', after);
}

/** What can be done with a lead as it is; once it is archived, it can only be erased. */
export const possibleLeadSteps = ({ archived_at }: Pick<Lead, 'archived_at'>): LeadStep[] =>
  archived_at === null ? ['leads.move', 'leads.tags', 'leads.archive', 'leads.erase'] : ['leads.erase'];

type LeadStep = 'leads.move' | 'leads.tags' | 'leads.archive' | 'leads.erase';
