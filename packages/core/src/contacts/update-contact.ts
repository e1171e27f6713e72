import { laterOf } from '../clock.ts';
import { changesOf } from '../database/changes.ts';
import { writes } from '../verb/verb.ts';
import { readContact } from './contact-record.ts';
import { demotePrimary, emitDemoted } from './demote-primary.ts';
import { lockContact } from './lock-contact.ts';
import { touchCompanies } from './touch-companies.ts';

export const updateContact = writes('contacts.update', async (context, { path, body }) => {
  const { sql, organization, now } = context;
  const row = await lockContact(context, path.id, body.company_id);
  const before = await readContact(context, path.id);
  const changes = changesOf(row, body);
  if (!changes) return before;

  const company = changes.company_id ?? row.company_id;
  const moves = changes.company_id !== undefined;
  const primary = changes.is_primary ?? row.is_primary;
  const takesOver = primary && (moves || changes.is_primary === true);
  const demoted = takesOver ? await demotePrimary(context, company) : undefined;
  await sql`
    with ${touchCompanies(context, [row.company_id, company])}
    update contacts set ${sql({ ...changes, updated_at: laterOf(now, row.updated_at) })}
    where organization_id = ${organization} and id = ${path.id}`;
  const after = await readContact(context, path.id);
  context.emitUpdated('contact.updated', before, after);
  await emitDemoted(context, demoted);
  return after;
});
