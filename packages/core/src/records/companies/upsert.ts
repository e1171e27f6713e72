import { comparisonForm, operations } from '@dealkeep/contract';
import { canBeNamed } from '../../change/verb/sight.ts';
import { writes } from '../../change/verb/verb.ts';
import { LockedTooEarly } from '../../foundations/database/failures.ts';
import { asCreation, findMatch } from '../upserts/find-match.ts';
import { addCompany, changeCompany, companyProblems } from './write.ts';

/** Inline companies of leads take the same locks, so that a lead and an upsert make one company, too. */
const lockKinds = { registration_id: '0', email: '1', name: '2', tax_id: '3', vat_id: '4' } as const;

/** Rules upserts 1 to 6. */
export const upsertCompany = writes(
  'companies.upsert',
  async (context, { body: { match_by, ...body } }) => {
    const { sql, organization } = context;
    const isCaseless = match_by === 'email' || match_by === 'name';
    const given = body[match_by];
    const match = await findMatch(context, {
      lock: ['match-company', lockKinds[match_by]],
      field: match_by,
      value: isCaseless && given ? comparisonForm(given) : given,
      matching: (_, limit) => sql`
        select id, ${sql(match_by)} as value from companies
        where organization_id = ${organization} and ${canBeNamed(context, 'company', 'companies')}
          and ${isCaseless ? sql`comparison_form(${sql(match_by)}) = comparison_form(${given ?? null})` : sql`${sql(match_by)} = ${given ?? null}`}
        order by created_at, id limit ${limit}`,
    });
    if (!match) {
      const created = await addCompany(context, asCreation(operations['companies.create'].body, body));
      context.emit('company.created', created);
      return { ...created, upserted: 'created' as const };
    }
    const changes = {
      ...body,
      tags: body.tags ?? undefined,
      custom_fields: body.custom_fields ?? undefined,
    };
    const result = await changeCompany(context, match.id, changes, (row) => row[match_by] === match.value);
    // It is another one by now: whoever matches in its place may come before it.
    if (!result) throw new LockedTooEarly();
    return { ...result.record, upserted: result.changed ? ('updated' as const) : ('unchanged' as const) };
  },
  {
    further: async (context, { part: { match_by: _, ...part } }) =>
      companyProblems(context, await context.directory(), { ...part, owner_id: undefined }),
  },
);
