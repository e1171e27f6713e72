import { comparisonForm, operations } from '@dealkeep/contract';
import { canBeNamed } from '../../change/verb/sight.ts';
import { writes } from '../../change/verb/verb.ts';
import { LockedTooEarly } from '../../foundations/database/failures.ts';
import { asCreation, findMatch } from '../upserts/find-match.ts';
import { addContact, changeContact } from './write.ts';

/** Rules upserts 1 to 6: within the company that is given, otherwise in the whole organization. */
export const upsertContact = writes('contacts.upsert', async (context, { body: { match_by, ...body } }) => {
  const { sql, organization } = context;
  const given = body[match_by];
  const within = body.company_id === undefined ? sql`true` : sql`company_id = ${body.company_id}`;
  const match = await findMatch(context, {
    lock: ['match-contact', match_by],
    field: match_by,
    value: given && comparisonForm(given),
    matching: (_, limit) => sql`
        select id, ${sql(match_by)} as value from contacts
        where organization_id = ${organization} and ${within} and ${canBeNamed(context, 'contact', 'contacts')}
          and ${match_by === 'email' ? sql`comparison_form(email) = comparison_form(${given ?? null})` : sql`phone = ${given ?? null}`}
        order by created_at, id limit ${limit}`,
  });
  if (!match) {
    const created = await addContact(context, asCreation(operations['contacts.create'].body, body));
    return { ...created, upserted: 'created' as const };
  }
  const changes = { ...body, is_primary: body.is_primary ?? undefined };
  const result = await changeContact(
    context,
    match.id,
    changes,
    (row) => row[match_by] === match.value && (body.company_id ?? row.company_id) === row.company_id,
  );
  // It is another one by now: whoever matches in its place may come before it.
  if (!result) throw new LockedTooEarly();
  return { ...result.record, upserted: result.changed ? ('updated' as const) : ('unchanged' as const) };
});
