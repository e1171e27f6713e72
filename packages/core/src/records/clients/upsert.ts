import { operations } from '@dealkeep/contract';
import { canBeNamed } from '../../change/verb/sight.ts';
import { writes } from '../../change/verb/verb.ts';
import { LockedTooEarly } from '../../foundations/database/failures.ts';
import { asCreation, findMatch } from '../upserts/find-match.ts';
import { addClient, changeClient } from './write.ts';

/** Rules upserts 1 to 6. */
export const upsertClient = writes('clients.upsert', async (context, { body: { match_by, ...body } }) => {
  const { sql, organization } = context;
  const given = body[match_by];
  const match = await findMatch(context, {
    lock: ['match-client', match_by],
    field: match_by,
    value: given,
    matching: (value, limit) => sql`
        select id, ${sql(match_by)}::text as value from clients
        where organization_id = ${organization} and ${sql(match_by)} = ${value}
          and ${canBeNamed(context, 'client', 'clients')}
        order by created_at, id limit ${limit}`,
  });
  if (!match) {
    const created = await addClient(context, asCreation(operations['clients.create'].body, body));
    return { ...created, upserted: 'created' as const };
  }
  const result = await changeClient(context, match.id, body, (row) => row[match_by] === match.value);
  // It is another one by now: whoever matches in its place may come before it.
  if (!result) throw new LockedTooEarly();
  return { ...result.record, upserted: result.changed ? ('updated' as const) : ('unchanged' as const) };
});
