import { anyUuid, comparisonForm, type ReferenceName } from '@dealkeep/contract';
import { canBeNamed, type Looking } from '../../change/verb/sight.ts';
import type { Named, ReferenceData } from '../../identity/reference-data/reference-data.ts';
import { cellProblem, type ReadCell } from './read-cell.ts';

/** Companies by what cells say of them: a registration ID, an e-mail address or a name. */
export type KnownCompanies = ReadonlyMap<string, readonly string[]>;

/** The ids of the companies that each of the texts means, among those that the actor can name. */
export async function findCompanies(looking: Looking, texts: readonly string[]): Promise<KnownCompanies> {
  const { sql, organization } = looking;
  const wanted = [...new Set(texts.map(comparisonForm))];
  if (wanted.length === 0) return new Map();
  const shown = canBeNamed(looking, 'company', 'companies');
  const rows = await sql<{ said: string; ids: string[] }[]>`
    select distinct on (said) said, ids from (
      select said, rank, array_agg(id) as ids from (
        select comparison_form(registration_id) as said, 1 as rank, id from companies
        where organization_id = ${organization} and registration_id = any(${texts}::text[]) and ${shown}
        union all
        select comparison_form(email), 2, id from companies
        where organization_id = ${organization} and comparison_form(email) = any(${wanted}::text[]) and ${shown}
        union all
        select comparison_form(name), 3, id from companies
        where organization_id = ${organization} and comparison_form(name) = any(${wanted}::text[]) and ${shown}) found
      group by said, rank) ranked
    order by said, rank`;
  return new Map(rows.map(({ said, ids }) => [said, ids]));
}

/** What names are looked for in. */
export interface KnownNames {
  readonly referenceData: ReferenceData;
  readonly companies: KnownCompanies;
}

/**
 * The id of the record that a cell names, or why there is none. An id stands for itself. Without case.
 *
 * @param pipeline of the row, where one was read
 */
export function findNamed(
  reference: ReferenceName,
  cell: string,
  known: KnownNames,
  pipeline?: string,
): ReadCell {
  const given = anyUuid.safeParse(cell);
  if (given.success) return { value: given.data };
  const found = candidates(reference, comparisonForm(cell), known, pipeline);
  const [first] = found;
  if (first === undefined) return cellProblem('import.no_match', cell);
  return found.length === 1
    ? { value: first }
    : cellProblem('import.several_match', cell, { count: found.length });
}

function candidates(
  reference: ReferenceName,
  wanted: string,
  { referenceData, companies }: KnownNames,
  pipeline: string | undefined,
): readonly string[] {
  const isNamed = ({ name }: Named): boolean => comparisonForm(name) === wanted;
  const idsOf = (items: readonly Named[]): string[] => items.filter(isNamed).map((each) => each.id);
  switch (reference) {
    case 'company':
      return companies.get(wanted) ?? [];
    case 'user':
      return usersOf(referenceData, wanted);
    case 'pipeline':
      return idsOf([...referenceData.pipelines.values()]);
    case 'stage':
      return stagesOf(referenceData, pipeline, idsOf);
    case 'lead-origin':
      return idsOf([...referenceData.origins.values()].filter(({ archived }) => !archived));
    default:
      return [];
  }
}

/** By e-mail address, else by name; of several with one name, those who are active. */
function usersOf({ users }: ReferenceData, wanted: string): readonly string[] {
  const all = [...users.values()];
  const byEmail = all.filter(({ email }) => comparisonForm(email) === wanted);
  const found = byEmail.length > 0 ? byEmail : all.filter(({ name }) => comparisonForm(name) === wanted);
  const active = found.filter((user) => user.active);
  return (active.length > 0 ? active : found).map((user) => user.id);
}

/** Of the pipeline of the row; without one of the default pipeline, else of any. */
function stagesOf(
  { pipelines, stages }: ReferenceData,
  pipeline: string | undefined,
  idsOf: (items: readonly Named[]) => string[],
): readonly string[] {
  const own = [...pipelines.values()].find((each) =>
    pipeline === undefined ? each.is_default : each.id === pipeline,
  );
  const found = idsOf(own?.stages ?? []);
  return found.length > 0 || pipeline !== undefined ? found : idsOf([...stages.values()]);
}
