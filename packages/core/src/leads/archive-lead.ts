import { laterOf } from '../clock.ts';
import { invalidFields } from '../problem.ts';
import { type InputOf, type ResultOf, type Writing, writes } from '../verb/verb.ts';
import { lostReasonProblems } from './enter-stage.ts';
import { readLead } from './lead-record.ts';
import { findLead, lockLead } from './lock-lead.ts';

const archive = async (
  context: Writing,
  { path, body }: InputOf<'leads.archive'>,
): Promise<ResultOf<'leads.archive'>> => {
  const { sql, organization, now } = context;
  const lead = await lockLead(context, path.id);
  const directory = await context.directory();
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
};

export const archiveLead = writes('leads.archive', archive, {
  further: async (context, { part }, { id }) => {
    const lead = await findLead(context, id);
    const directory = await context.directory();
    return lead ? lostReasonProblems(undefined, part, directory, lead) : [];
  },
});
