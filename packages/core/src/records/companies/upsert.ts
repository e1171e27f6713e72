import { comparisonForm, operations } from '@dealkeep/contract';
import { canBeNamed } from '../../change/verb/sight.ts';
import { isChanging, type Writing, writes } from '../../change/verb/verb.ts';
import { asCreation, findMatch } from '../upserts/find-match.ts';
import { addCompany, type CompanyRow, changeCompany, checkChangedCompany, checkNewCompany } from './write.ts';

/** Inline companies of leads take the same locks, so that a lead and an upsert make one company, too. */
const lockKinds = { registration_id: '0', email: '1', name: '2', tax_id: '3', vat_id: '4' } as const;

/** Rules upserts 1 to 6. */
export const upsertCompany = writes('companies.upsert', {
  async check(context, { body: { match_by, ...body } }) {
    // Whether there is one can be said while its value is locked.
    const match =
      isChanging(context) && match_by ? await matching(context, match_by, body[match_by]) : undefined;
    if (match) {
      const isExpected = (row: CompanyRow): boolean => row[match.field] === match.value;
      return { found: await checkChangedCompany(context, match.id, asChanges(body), isExpected) };
    }
    const creation = isChanging(context) ? asCreation(operations['companies.create'].body, body) : undefined;
    await checkNewCompany(context, creation ?? body);
    return { creation };
  },
  async run(context, { body: { match_by: _, ...body } }, { found, creation }) {
    if (creation) return { ...(await addCompany(context, creation)), upserted: 'created' as const };
    if (!found) throw new Error('Unreachable: a change creates or updates');
    const { record, changed } = await changeCompany(context, found, asChanges(body));
    return { ...record, upserted: changed ? ('updated' as const) : ('unchanged' as const) };
  },
});

async function matching(context: Writing, field: keyof typeof lockKinds, given: string | null | undefined) {
  const { sql, organization } = context;
  const isCaseless = field === 'email' || field === 'name';
  const match = await findMatch(context, {
    lock: ['match-company', lockKinds[field]],
    field,
    value: isCaseless && given ? comparisonForm(given) : given,
    matching: (_, limit) => sql`
      select id, ${sql(field)} as value from companies
      where organization_id = ${organization} and ${canBeNamed(context, 'company', 'companies')}
        and ${isCaseless ? sql`comparison_form(${sql(field)}) = comparison_form(${given ?? null})` : sql`${sql(field)} = ${given ?? null}`}
      order by created_at, id limit ${limit}`,
  });
  return match && { ...match, field };
}

/** Null leaves lists of labels as they are. */
const asChanges = <Tags, Fields>(body: {
  tags?: Tags | null | undefined;
  custom_fields?: Fields | null | undefined;
}) => ({
  ...body,
  tags: body.tags ?? undefined,
  custom_fields: body.custom_fields ?? undefined,
});
