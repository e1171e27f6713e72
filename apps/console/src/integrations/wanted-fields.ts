import {
  type EventFilter,
  type EventType,
  eventFilters,
  eventTypes,
  type FieldFacts,
  filterFieldsOf,
  isUpdate,
  limits,
  type Text,
  watchableFieldsOf,
} from '@dealkeep/contract';
import type { ConsoleContext } from '../context.ts';
import type { GroupedField } from '../forms/choice-controls.ts';
import {
  type Choice,
  type ChoiceGroup,
  type ChoiceSource,
  formerChoice,
  stillListed,
  tickedFrom,
} from '../forms/choices.ts';
import { choiceLabel, fieldLabel } from '../values/field-words.ts';
import { integrationSay } from './texts.ts';

type FieldsOf = (type: EventType) => readonly FieldFacts[];

/** The fields of this name that the events have; where none of them has it, those of any event. */
function namedIn(types: readonly EventType[], fieldsOf: FieldsOf, name: string): FieldFacts[] {
  const of = (some: readonly EventType[]) =>
    some.flatMap((type) => fieldsOf(type).filter((field) => field.name === name));
  const own = of(types);
  return own.length > 0 ? own : of(eventTypes);
}

/** The names of the fields that each of the events has; none without an event. */
function sharedNames(types: readonly EventType[], fieldsOf: FieldsOf): string[] {
  const [first, ...others] = types.map((type) => fieldsOf(type).map(({ name }) => name));
  return (first ?? []).filter((name) => others.every((names) => names.includes(name)));
}

/** What all of these events can be filtered by. */
export const filtersFor = (types: readonly EventType[]): EventFilter[] => {
  const shared = sharedNames(types, filterFieldsOf);
  return eventFilters.filter((name) => shared.includes(name));
};

/** The fields of which every update among the events tells when they change. */
export const watchedFor = (types: readonly EventType[]): string[] =>
  sharedNames(types.filter(isUpdate), watchableFieldsOf);

/** Different texts for one thing, beside each other. */
function joined(texts: readonly Text[]): Text {
  const all = (language: keyof Text) => [...new Set(texts.map((each) => each[language]))].join(' / ');
  return { en: all('en'), sk: all('sk') };
}

const labelsOf = (fields: readonly FieldFacts[]): Text =>
  joined(fields.map((field) => ({ en: fieldLabel('en', field), sk: fieldLabel('sk', field) })));

/**
 * What webhooks of these events can be filtered by, by its name, as a field whose values are chosen by names. Of a
 * long list what is chosen already and what `q` finds stand there.
 */
export async function filterField(
  c: ConsoleContext,
  types: readonly EventType[],
  name: string,
  chosen: readonly string[],
  q = '',
): Promise<GroupedField | undefined> {
  const all = namedIn(types, filterFieldsOf, name);
  const [field] = all;
  if (!field) return undefined;
  // A user is a user, whichever list is filtered by one.
  const sources = [...new Map(all.map((each) => [sourceOf(each), each])).values()];
  const listed: ChoiceGroup[] = [];
  const long: ChoiceSource[] = [];
  for (const source of sources.flatMap(choiceSource)) {
    const { groups, isWhole } = await tickedFrom(c, source, q);
    listed.push(...groups);
    if (!isWhole) long.push(source);
  }
  const valued = valuesOf(c, sources);
  const groups = valued.length > 0 ? [...listed, { heading: undefined, choices: valued }] : listed;
  const known = new Set(groups.flatMap(({ choices }) => choices.map(({ id }) => id)));
  const others: Choice[] = [];
  // More are refused, so they are not looked up either.
  const gone = [...new Set(chosen)].filter((id) => !known.has(id)).slice(0, limits.webhookFilterValues);
  for (const id of gone) others.push(await unlisted(c, { sources, long }, id));
  const shown = [...(others.length > 0 ? [{ heading: undefined, choices: others }] : []), ...groups];
  return { ...asked(field, labelsOf(sources), shown), isSearched: long.length > 0 };
}

const sourceOf = ({ reference, description, values }: FieldFacts): string =>
  reference ?? description?.nameOf ?? values.join();

/** None of a field that has values of its own. */
function choiceSource({ values, reference, description }: FieldFacts): ChoiceSource[] {
  if (values.length > 0) return [];
  if (reference) return [{ reference }];
  const { nameOf } = description ?? {};
  return nameOf ? [{ nameOf }] : [];
}

/** The values of all of these; of one that has several labels, all labels. */
function valuesOf(c: ConsoleContext, sources: readonly FieldFacts[]): Choice[] {
  const labels = new Map<string, Set<string>>();
  for (const source of sources) {
    for (const value of source.values) {
      labels.set(value, (labels.get(value) ?? new Set()).add(choiceLabel(c, source, value)));
    }
  }
  return [...labels].map(([id, names]) => ({ id, name: [...names].join(' / ') }));
}

/** A value that a long list has elsewhere, or that its list no longer has, by its name where that is still known. */
async function unlisted(
  c: ConsoleContext,
  { sources, long }: { sources: readonly FieldFacts[]; long: readonly ChoiceSource[] },
  id: string,
): Promise<Choice> {
  for (const source of long) {
    const listed = await stillListed(c, source, id);
    if (listed) return listed;
  }
  const text = integrationSay(c.get('language'));
  const references = sources.flatMap(({ reference }) => reference ?? []);
  if (references.length === 0) return { id, name: text('goneNamed', { name: id }) };
  for (const reference of references) {
    const former = await formerChoice(c, reference, id);
    if (former) return { id, name: text('goneNamed', { name: former.name }) };
  }
  return { id, name: text('gone') };
}

/** The fields that a webhook can wait for, named by their records. */
export function watchField(
  c: ConsoleContext,
  { field, types, chosen }: { field: FieldFacts; types: readonly EventType[]; chosen: readonly string[] },
): GroupedField {
  const names = [...new Set([...watchedFor(types), ...chosen])];
  const choices = names.map((id) => {
    const fields = namedIn(types.filter(isUpdate), watchableFieldsOf, id);
    return { id, name: fields.length > 0 ? labelsOf(fields)[c.get('language')] : id };
  });
  return { ...field, values: names, groups: [{ heading: undefined, choices }] };
}

const asked = (field: FieldFacts, label: Text, groups: readonly ChoiceGroup[]): GroupedField => ({
  ...field,
  isArray: true,
  required: false,
  reference: undefined,
  format: undefined,
  description: { label },
  values: groups.flatMap(({ choices }) => choices.map(({ id }) => id)),
  groups,
});
