import { invalidField } from '../problem.ts';
import { writes } from '../verb/verb.ts';
import { readLead } from './lead-record.ts';
import { lockLead } from './lock-lead.ts';

export const archiveLead = writes('leads.archive', async (context, { path, body }) => {
  const { core, sql, organization, now } = context;
  const lead = await lockLead(context, path.id);
  const directory = await core.directories.current(sql, organization);
  if (body.lost_reason_id && !directory.lostReasons.has(body.lost_reason_id)) {
    throw invalidField('lost_reason_id', 'field.not_found');
  }
  await sql`
    update leads set archived_at = ${now}, updated_at = ${now},
      lost_reason_id = ${body.lost_reason_id ?? lead.lost_reason_id}, lost_note = ${body.lost_note ?? lead.lost_note}
    where organization_id = ${organization} and id = ${path.id}`;
  const archived = await readLead(context, path.id);
  context.emit('lead.archived', archived);
  return archived;
});
