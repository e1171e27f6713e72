import { laterOf } from '../clock.ts';
import { invalidFields } from '../problem.ts';
import { writes } from '../verb/verb.ts';
import { lostReasonProblems } from './enter-stage.ts';
import { readLead } from './lead-record.ts';
import { lockLead } from './lock-lead.ts';

export const archiveLead = writes('leads.archive', async (context, { path, body }) => {
  const { core, sql, organization, now } = context;
  const lead = await lockLead(context, path.id);
  const directory = await core.directories.current(sql, organization);
  const problems = lostReasonProblems(undefined, body, directory, lead);
  if (problems.length > 0) throw invalidFields(problems);
  const archivedAt = laterOf(now, lead.updated_at);
  await sql`
    update leads set archived_at = ${archivedAt}, updated_at = ${archivedAt},
      lost_reason_id = ${body.lost_reason_id ?? lead.lost_reason_id}, lost_note = ${body.lost_note ?? lead.lost_note}
    where organization_id = ${organization} and id = ${path.id}`;
  const archived = await readLead(context, path.id);
  context.emit('lead.archived', archived);
  return archived;
});
