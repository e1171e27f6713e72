import { laterOf } from '../clock.ts';
import { changesOf } from '../database/changes.ts';
import { notFound } from '../problem.ts';
import { writes } from '../verb/verb.ts';
import { readContact } from './contact-record.ts';
import { demotePrimary, emitDemoted, lockCompany } from './demote-primary.ts';

export const updateContact = writes('contacts.update', async (context, { path, body }) => {
  const { sql, organization, now } = context;
  const [row] = await sql<{ company_id: string; is_primary: boolean; updated_at: string }[]>`
    select * from contacts where organization_id = ${organization} and id = ${path.id} for update`;
  if (!row) throw notFound();
  const before = await readContact(context, path.id);
  const changes = changesOf(row, body);
  if (!changes) return before;

  const company = changes.company_id ?? row.company_id;
  const moves = changes.company_id !== undefined;
  const primary = changes.is_primary ?? row.is_primary;
  const takesOver = primary && (moves || changes.is_primary === true);
  if (moves || takesOver) await lockCompany(context, company);
  const demoted = takesOver ? await demotePrimary(context, company) : undefined;
  await sql`
    update contacts set ${sql({ ...changes, updated_at: laterOf(now, row.updated_at) })}
    where organization_id = ${organization} and id = ${path.id}`;
  const after = await readContact(context, path.id);
  context.emitUpdated('contact.updated', before, after);
  await emitDemoted(context, demoted);
  return after;
});
