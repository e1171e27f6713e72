import { invalidField } from '../problem.ts';
import { writes } from '../verb/verb.ts';
import { emitStageEvents } from './emit-stage-events.ts';
import { enterStage, requireLostReason } from './enter-stage.ts';
import { readLead } from './lead-record.ts';
import { lockLead } from './lock-lead.ts';

export const moveLead = writes('leads.move', async (context, { path, body }) => {
  const { core, sql, organization, now } = context;
  const lead = await lockLead(context, path.id);
  const directory = await core.directories.current(sql, organization);
  const stage = directory.stages.get(body.stage_id);
  if (!stage) throw invalidField('stage_id', 'field.not_found');
  if (stage.pipeline_id !== lead.pipeline_id) throw invalidField('stage_id', 'field.stage_of_other_pipeline');
  if (stage.id === lead.stage_id) return readLead(context, path.id);
  requireLostReason(stage, body, directory);

  await sql`
    update leads set ${sql({ ...enterStage(lead, stage, now, body), updated_at: now })}
    where organization_id = ${organization} and id = ${path.id}`;
  const moved = await readLead(context, path.id);
  emitStageEvents(context, lead.status, moved);
  return moved;
});
