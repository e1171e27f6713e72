import type { FieldFacts, ReferenceName } from '@dealkeep/contract';
import type { ConsoleContext } from '../context.ts';
import { type Choice, findChoices, isSearched, mostFound } from './choices.ts';
import { formSay } from './texts.ts';
import { firstOf, rowsIn, type Typed } from './typed.ts';

/** What a person typed to find a record by stands beside the field of its id. */
export const searchName = (name: string): string => `${name}.find`;

interface Searched {
  readonly name: string;
  readonly reference: ReferenceName;
  /** The field that narrows the search. */
  readonly parent: string | undefined;
}

/** The fields of a form that are filled by searching, rows included. */
export function* searchedFields(
  fields: readonly FieldFacts[],
  typed: Typed,
  prefix = '',
): Generator<Searched> {
  for (const { name: own, reference, description, type, isArray, fields: inner } of fields) {
    const name = `${prefix}${own}`;
    if (reference && !isArray && isSearched(reference)) {
      const { dependsOn } = description ?? {};
      yield { name, reference, parent: dependsOn === undefined ? undefined : `${prefix}${dependsOn}` };
    } else if (type === 'object') {
      const starts = isArray
        ? Array.from({ length: rowsIn(typed, name) }, (_, row) => `${name}[${row}].`)
        : [`${name}.`];
      for (const start of starts) yield* searchedFields(inner, typed, start);
    }
  }
}

export interface SearchOutcome {
  /** With what was found for certain filled in, and what was typed to find it taken out. */
  readonly typed: Typed;
  readonly found: ReadonlyMap<string, readonly Choice[]>;
  /** What could not be decided, by the field's path. */
  readonly problems: ReadonlyMap<string, string>;
}

/** Does the searches that stand in a form: one match is taken, several are offered. */
export async function search(
  c: ConsoleContext,
  fields: readonly FieldFacts[],
  typed: Typed,
): Promise<SearchOutcome> {
  const say = formSay(c.get('language'));
  const filled = new Map(typed);
  const found = new Map<string, readonly Choice[]>();
  const problems = new Map<string, string>();
  for (const { name, reference, parent } of searchedFields(fields, typed)) {
    const q = firstOf(typed, searchName(name)).trim();
    if (q === '') continue;
    const narrowed = parent === undefined ? '' : firstOf(filled, parent);
    const choices = await findChoices(c, reference, { q, parent: narrowed });
    const same = choices.filter((each) => each.name.toLowerCase() === q.toLowerCase());
    const [only, ...others] = same.length === 1 ? same : choices;
    if (only && others.length === 0) {
      filled.set(name, [only.id]);
      filled.delete(searchName(name));
    } else if (only) {
      found.set(name, choices);
      filled.delete(searchName(name));
      const count = choices.length === mostFound ? `${mostFound}+` : String(choices.length);
      problems.set(name, say('severalFound', { count, q }));
    } else problems.set(name, say('noneFound', { q }));
  }
  return { typed: filled, found, problems };
}
