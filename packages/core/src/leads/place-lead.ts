import type { Lead } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import type { Stage } from '../directory/directory.ts';
import type { Changing } from '../verb/verb.ts';
import { emitStageEvents } from './emit-stage-events.ts';
import { enterStage, type LostBecause } from './enter-stage.ts';
import { type LeadColumns, readLead } from './lead-record.ts';

/** Places a locked lead in another stage, and says so. Answers it as GET does. */
export async function placeLead(
  context: Changing,
  lead: LeadColumns,
  stage: Stage,
  because: LostBecause = {},
): Promise<Lead> {
  const { sql, organization, now } = context;
  const movedAt = laterOf(now, lead.updated_at);
  await sql`
    update leads set ${sql({ ...enterStage(lead, stage, movedAt, because), updated_at: movedAt })}
    where organization_id = ${organization} and id = ${lead.id}`;
  const moved = await readLead(context, lead.id);
  emitStageEvents(context, lead.status, moved);
  return moved;
}
