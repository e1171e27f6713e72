import type { Company, FieldProblem } from '@dealkeep/contract';
import type { RowIn } from '../../change/record-tables/define-record.ts';
import type { ValidPart } from '../../change/verb/check-input.ts';
import { type InputOf, type Reading, type Writing, writes } from '../../change/verb/verb.ts';
import { laterOf } from '../../foundations/clock.ts';
import { LockedTooEarly } from '../../foundations/database/failures.ts';
import { newId } from '../../foundations/database/new-id.ts';
import { changesOf } from '../../foundations/database/values.ts';
import { invalidFields } from '../../foundations/problem.ts';
import type { ReferenceData } from '../../identity/reference-data/reference-data.ts';
import { makeTags, tagIdsOf, tagProblems } from '../tags/given-tags.ts';
import { customValueProblems, customValuesOf, inOrder, type StoredValues } from './custom-values.ts';
import { companies } from './record.ts';

type NewCompany = InputOf<'companies.create'>['body'];
type CompanyChanges = InputOf<'companies.update'>['body'];

/** What a company has that its body is judged by. */
interface HadByCompany {
  readonly tag_ids: readonly string[];
  readonly custom_fields: StoredValues;
}

const newCompany: HadByCompany = { tag_ids: [], custom_fields: {} };

/** What is left of a body. */
export type SentCompany = ValidPart<Omit<CompanyChanges, 'tags' | 'custom_fields'>> & {
  readonly tags?: readonly (string | undefined)[] | null | undefined;
  readonly custom_fields?: Readonly<Record<string, string | null | undefined>> | null | undefined;
};

/** What is wrong with a body by what the organization has: the owner, tags and custom fields. */
function companyProblems(
  context: Pick<Reading, 'actor' | 'referenceData'>,
  referenceData: ReferenceData,
  body: SentCompany,
  had: HadByCompany = newCompany,
): FieldProblem[] {
  const isOwned = !body.owner_id || referenceData.users.has(body.owner_id);
  return [
    ...(isOwned ? [] : [{ path: 'owner_id', key: 'field.not_found' } as const]),
    ...tagProblems(context, referenceData, body, had.tag_ids),
    ...customValueProblems(referenceData, body.custom_fields, had.custom_fields),
  ];
}

export const createCompany = writes('companies.create', {
  check: (context, { body }) => checkNewCompany(context, body),
  run: (context, { body }) => addCompany(context, body),
});

/** Raises VALIDATION_ERROR. */
export async function checkNewCompany(context: Reading, body: SentCompany): Promise<void> {
  const problems = companyProblems(context, await context.referenceData(), body);
  if (problems.length > 0) throw invalidFields(problems);
}

/** Adds a company that was checked, with its event. */
export async function addCompany(context: Writing, body: NewCompany): Promise<Company> {
  const created = await insertCompany(context, body);
  context.emit('company.created', created);
  return created;
}

/** Adds a company, which has no contacts yet; its references are known to exist. The caller emits the event. */
export async function insertCompany(context: Writing, company: NewCompany): Promise<Company> {
  const { now } = context;
  const referenceData = await makeTags(context, company);
  const whole = {
    ...companies.valuesOf({ ...company, custom_fields: undefined }),
    id: newId(),
    country_code: company.country_code ?? referenceData.country,
    tag_ids: tagIdsOf(referenceData, company, []) ?? [],
    custom_fields: customValuesOf(referenceData, company.custom_fields, {}),
    created_at: now,
    updated_at: now,
  };
  return companies.recordOf(
    context,
    await companies.insertWhole(context, whole, { joined: { contacts: null } }),
  );
}

export const updateCompany = writes('companies.update', {
  check: (context, { path, body }) => checkChangedCompany(context, path.id, body),
  run: async (context, { body }, found) => (await changeCompany(context, found, body)).record,
});

export type CompanyRow = RowIn<typeof companies>;

/** A company that is to be changed, and the reference data that its body is judged by. */
interface FoundCompany {
  readonly row: CompanyRow;
  readonly referenceData: ReferenceData;
}

/**
 * Finds a company for a change. Raises NOT_FOUND, VALIDATION_ERROR, and LockedTooEarly where it is another one by
 * now than was expected: whoever matches in its place may come before it.
 */
export async function checkChangedCompany(
  context: Reading,
  id: string,
  body: SentCompany,
  isExpected: (row: CompanyRow) => boolean = () => true,
): Promise<FoundCompany> {
  const referenceData = await makeTags(context, body);
  const row = await companies.ofChange(context, id);
  if (!isExpected(row)) throw new LockedTooEarly();
  const problems = companyProblems(context, referenceData, body, row);
  if (problems.length > 0) throw invalidFields(problems);
  return { row, referenceData };
}

/** A company after a change, and whether it is another one than before. */
interface ChangedCompany {
  readonly record: Company;
  readonly changed: boolean;
}

/** Changes what a body says of a company, with its event. */
export async function changeCompany(
  context: Writing,
  { row, referenceData }: FoundCompany,
  body: CompanyChanges,
): Promise<ChangedCompany> {
  const before = await companies.recordOf(context, row);
  const changes = changesOf(
    { ...row, custom_fields: inOrder(row.custom_fields) },
    {
      ...companies.valuesOf({ ...body, custom_fields: undefined }),
      tag_ids: tagIdsOf(referenceData, body, row.tag_ids),
      custom_fields: customValuesOf(referenceData, body.custom_fields, row.custom_fields),
    },
  );
  if (!changes) return { record: before, changed: false };
  const changed = { ...changes, updated_at: laterOf(context.now, row.updated_at) };
  const after = await companies.recordOf(context, await companies.update(context, row, changed));
  context.emitUpdated('company.updated', before, after);
  return { record: after, changed: true };
}
