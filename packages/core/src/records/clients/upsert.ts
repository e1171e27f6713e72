import { operations } from '@dealkeep/contract';
import { canBeNamed } from '../../change/verb/sight.ts';
import { isChanging, writes } from '../../change/verb/verb.ts';
import { asCreation, findMatch } from '../upserts/find-match.ts';
import { addClient, type ClientRow, changeClient, checkChangedClient, checkNewClient } from './write.ts';

/** Rules upserts 1 to 6. */
export const upsertClient = writes('clients.upsert', {
  async check(context, { body: { match_by, ...body } }) {
    // Whether there is one can be said while its value is locked; what it goes to is refused when it is.
    if (!isChanging(context) || !match_by) return {};
    const { sql, organization } = context;
    const match = await findMatch(context, {
      lock: ['match-client', match_by],
      field: match_by,
      value: body[match_by],
      matching: (value, limit) => sql`
        select id, ${sql(match_by)}::text as value from clients
        where organization_id = ${organization} and ${sql(match_by)} = ${value}
          and ${canBeNamed(context, 'client', 'clients')}
        order by created_at, id limit ${limit}`,
    });
    if (match) {
      const isExpected = (row: ClientRow): boolean => row[match_by] === match.value;
      return { found: await checkChangedClient(context, match.id, body, isExpected) };
    }
    const creation = asCreation(operations['clients.create'].body, body);
    await checkNewClient(context, creation);
    return { creation };
  },
  async run(context, { body: { match_by: _, ...body } }, { found, creation }) {
    if (creation) return { ...(await addClient(context, creation)), upserted: 'created' as const };
    if (!found) throw new Error('Unreachable: a change creates or updates');
    const { record, changed } = await changeClient(context, found, body);
    return { ...record, upserted: changed ? ('updated' as const) : ('unchanged' as const) };
  },
});
