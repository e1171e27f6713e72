import { randomUUIDv7 } from 'node:crypto';
import { comparisonForm, type FieldProblem, limits } from '@dealkeep/contract';
import { isChanging, type ReadContext, type Reading } from '../../change/verb/verb.ts';
import { invalidFields } from '../../foundations/problem.ts';
import type { ReferenceData } from '../../identity/reference-data/reference-data.ts';
import { lockLookups } from './lookup-lock.ts';

type Names = readonly (string | undefined)[] | null | undefined;

/** What a body says of a record's tags, by their names. An undefined one was refused already. */
interface GivenTags {
  readonly tags?: Names;
  readonly add_tags?: Names;
  readonly remove_tags?: Names;
}

/** Names are the same whatever their case, as where owners add tags. */
const tagsByName = ({ tags }: ReferenceData): ReadonlyMap<string, string> =>
  new Map([...tags.values()].map(({ id, name }) => [comparisonForm(name), id]));

const idsOf = (referenceData: ReferenceData, names: Names): string[] => {
  const known = tagsByName(referenceData);
  return [...new Set((names ?? []).flatMap((name) => known.get(comparisonForm(name ?? '')) ?? []))];
};

/** People choose among the tags that there are; what was removed meanwhile does not come back by that. */
const chooses = ({ actor }: Pick<Reading, 'actor'>): boolean => actor.kind === 'session' && !actor.importing;

const mayMake = ({ makesTags }: ReferenceData, context: Pick<Reading, 'actor'>): boolean =>
  makesTags && !chooses(context);

/** What is wrong with what a body says of the tags of a record that has these (rules companies 10 to 12). */
export function tagProblems(
  context: Pick<Reading, 'actor'>,
  referenceData: ReferenceData,
  given: GivenTags,
  had: readonly string[] = [],
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const name of ['add_tags', 'remove_tags'] as const) {
    if (given[name] && given.tags) {
      problems.push({ path: name, key: 'field.either', values: { one: name, other: 'tags' } });
    }
  }
  const added = given.add_tags ? 'add_tags' : 'tags';
  if (!mayMake(referenceData, context)) {
    const known = tagsByName(referenceData);
    for (const [index, name] of (given[added] ?? []).entries()) {
      if (name === undefined || known.has(comparisonForm(name))) continue;
      problems.push(
        chooses(context)
          ? { path: added, key: 'field.not_found' }
          : { path: `${added}[${index}]`, key: 'field.no_such_tag', values: { name } },
      );
    }
  }
  if (mayMake(referenceData, context) && missingTags(referenceData, given).size > roomFor(referenceData)) {
    problems.push(usedUp(given));
  }
  const most = limits.tagsOfRecord;
  if (given.add_tags && (tagIdsOf(referenceData, given, had)?.length ?? 0) > Math.max(most, had.length)) {
    problems.push({ path: 'add_tags', key: 'field.too_many_tags', values: { max: most } });
  }
  return problems;
}

/** The ids of the tags that a record has then; undefined where the body says nothing of them. */
export function tagIdsOf(
  referenceData: ReferenceData,
  { tags, add_tags, remove_tags }: GivenTags,
  had: readonly string[],
): string[] | undefined {
  if (!tags && !add_tags && !remove_tags) return undefined;
  const removed = new Set(idsOf(referenceData, remove_tags));
  const wanted = tags
    ? idsOf(referenceData, tags)
    : [...new Set([...had, ...idsOf(referenceData, add_tags)])].filter((id) => !removed.has(id));
  // The order says nothing, so another one is no change.
  const isSame = wanted.length === had.length && wanted.every((id) => had.includes(id));
  return isSame ? [...had] : wanted;
}

/**
 * Makes the tags that a body gives and that do not exist, where the organization lets programs do so. To be called
 * before a record is locked: who removes a tag locks the lists first and the records then. Answers the reference
 * data that has them. Outside of a change it makes none.
 */
export async function makeTags(
  context: ReadContext & Pick<Reading, 'actor'>,
  given: GivenTags,
): Promise<ReferenceData> {
  const referenceData = await context.referenceData();
  if (!isChanging(context)) return referenceData;
  const { sql, organization, now } = context;
  const missing = missingTags(referenceData, given);
  if (missing.size === 0 || !mayMake(referenceData, context)) return referenceData;
  await lockLookups(context);
  const names = [...missing.values()];
  await sql`
    insert into tags (organization_id, id, name, created_at, updated_at)
    select ${organization}, id, name, ${now}, ${now}
    from unnest(${names.map(() => randomUUIDv7())}::uuid[], ${names}::text[]) as made (id, name)
    where not exists (
      select 1 from tags where organization_id = ${organization} and comparison_form(tags.name) = comparison_form(made.name))`;
  const renewed = await context.renewReferenceData();
  // Counted when nobody else can make one any more; what is refused is undone.
  if (roomFor(renewed) < 0) throw invalidFields([usedUp(given)]);
  return renewed;
}

/** The names for which there is no tag, by what they are compared as. */
function missingTags(referenceData: ReferenceData, given: GivenTags): ReadonlyMap<string, string> {
  const known = tagsByName(referenceData);
  const missing = new Map<string, string>();
  for (const name of [...(given.tags ?? []), ...(given.add_tags ?? [])]) {
    const key = comparisonForm(name ?? '');
    if (name !== undefined && !known.has(key) && !missing.has(key)) missing.set(key, name);
  }
  return missing;
}

/** How many tags the organization can still be given (rule companies 15). */
const roomFor = ({ tags }: ReferenceData): number => limits.tagsOfOrganization - tags.size;

const usedUp = ({ add_tags }: GivenTags): FieldProblem => ({
  path: add_tags ? 'add_tags' : 'tags',
  key: 'field.tags_used_up',
  values: { max: limits.tagsOfOrganization },
});
