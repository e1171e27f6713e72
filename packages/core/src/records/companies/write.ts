import type { Company, FieldProblem } from '@dealkeep/contract';
import type { RowIn } from '../../change/record-tables/define-record.ts';
import type { ValidPart } from '../../change/verb/check-input.ts';
import { type InputOf, type Reading, type Writing, writes } from '../../change/verb/verb.ts';
import { laterOf } from '../../foundations/clock.ts';
import { newId } from '../../foundations/database/new-id.ts';
import { changesOf } from '../../foundations/database/values.ts';
import { invalidFields, notFound } from '../../foundations/problem.ts';
import type { Directory } from '../../identity/directory/directory.ts';
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

/** What is wrong with a body by what the organization has: the owner, tags and custom fields. */
export function companyProblems(
  context: Pick<Reading, 'actor' | 'directory'>,
  directory: Directory,
  body: ValidPart<Omit<CompanyChanges, 'tags' | 'custom_fields'>> & {
    readonly tags?: readonly (string | undefined)[] | null | undefined;
    readonly custom_fields?: Readonly<Record<string, string | null | undefined>> | null | undefined;
  },
  had: HadByCompany = newCompany,
): FieldProblem[] {
  const isOwned = !body.owner_id || directory.users.has(body.owner_id);
  return [
    ...(isOwned ? [] : [{ path: 'owner_id', key: 'field.not_found' } as const]),
    ...tagProblems(context, directory, body, had.tag_ids),
    ...customValueProblems(directory, body.custom_fields, had.custom_fields),
  ];
}

export const createCompany = writes(
  'companies.create',
  async (context, { body }) => {
    const created = await addCompany(context, body);
    context.emit('company.created', created);
    return created;
  },
  {
    further: async (context, { part }) =>
      companyProblems(context, await context.directory(), { ...part, owner_id: undefined }),
  },
);

/** Adds a company of a body that the contract takes. The caller emits the event. Raises VALIDATION_ERROR. */
export async function addCompany(context: Writing, body: NewCompany): Promise<Company> {
  const problems = companyProblems(context, await context.directory(), body);
  if (problems.length > 0) throw invalidFields(problems);
  return insertCompany(context, body);
}

/** Adds a company, which has no contacts yet; its references are known to exist. The caller emits the event. */
export async function insertCompany(context: Writing, company: NewCompany): Promise<Company> {
  const { now } = context;
  const directory = await makeTags(context, company);
  const whole = {
    ...companies.valuesOf({ ...company, custom_fields: undefined }),
    id: newId(),
    country_code: company.country_code ?? directory.country,
    tag_ids: tagIdsOf(directory, company, []) ?? [],
    custom_fields: customValuesOf(directory, company.custom_fields, {}),
    created_at: now,
    updated_at: now,
  };
  return companies.recordOf(
    context,
    await companies.insertWhole(context, whole, { joined: { contacts: null } }),
  );
}

export const updateCompany = writes(
  'companies.update',
  async (context, { path, body }) => recordOf(await changeCompany(context, path.id, body)),
  {
    further: async (context, { part }, { id }) => {
      const row = await companies.find(context, id);
      return row
        ? companyProblems(context, await context.directory(), { ...part, owner_id: undefined }, row)
        : [];
    },
  },
);

/** A company after a change, and whether it is another one than before. */
interface ChangedCompany {
  readonly record: Company;
  readonly changed: boolean;
}

/** The company after a change that nothing kept from being made. */
export function recordOf(changed: ChangedCompany | undefined): Company {
  if (!changed) throw notFound();
  return changed.record;
}

/**
 * Changes what a body says of a company, with its event. Undefined where the company is another one by now than was
 * expected. Raises NOT_FOUND and VALIDATION_ERROR.
 */
export async function changeCompany(
  context: Writing,
  id: string,
  body: CompanyChanges,
  isExpected: (row: RowIn<typeof companies>) => boolean = () => true,
): Promise<ChangedCompany | undefined> {
  const directory = await makeTags(context, body);
  const row = await companies.lock(context, id);
  if (!isExpected(row)) return undefined;
  const problems = companyProblems(context, directory, body, row);
  if (problems.length > 0) throw invalidFields(problems);

  const before = await companies.recordOf(context, row);
  const changes = changesOf(
    { ...row, custom_fields: inOrder(row.custom_fields) },
    {
      ...companies.valuesOf({ ...body, custom_fields: undefined }),
      tag_ids: tagIdsOf(directory, body, row.tag_ids),
      custom_fields: customValuesOf(directory, body.custom_fields, row.custom_fields),
    },
  );
  if (!changes) return { record: before, changed: false };
  const changed = { ...changes, updated_at: laterOf(context.now, row.updated_at) };
  const after = await companies.recordOf(context, await companies.update(context, row, changed));
  context.emitUpdated('company.updated', before, after);
  return { record: after, changed: true };
}
