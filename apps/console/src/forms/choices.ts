import {
  type FieldFacts,
  type OperationId,
  type Reference,
  type ReferenceName,
  references,
} from '@dealkeep/contract';
import { Problem, reachFor, runAsUser } from '@dealkeep/core';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { say } from '../texts.ts';
import { type QueryPairs, type ShownPage, type ShownRecord, textIn } from '../values/shown-record.ts';
import { formSay } from './texts.ts';
import { firstOf, rowsIn, type Typed } from './typed.ts';

export interface Choice {
  readonly id: string;
  readonly name: string;
}

/** Choices under a heading, such as the stages of a pipeline; the heading's own id where it is one. */
export interface ChoiceGroup {
  readonly heading: Choice | undefined;
  readonly choices: readonly Choice[];
}

const declared: Readonly<Record<ReferenceName, Reference & { list: OperationId; get?: OperationId }>> =
  references;

/** Whether there can be so many that they are searched for instead of listed. */
export const isSearched = (name: ReferenceName): boolean => declared[name].get !== undefined;

/** Whether any id can be named, because the first record that names it makes it: a category is what products share. */
export const isMadeByUse = (name: ReferenceName): boolean => name === 'product-category';

const pageSize = 100;
const mostPages = 10;
/** No more choices are read, so a list of so many may be incomplete. */
export const mostChoices = pageSize * mostPages;

/** All that a reference to a small list can name; those that the role does not show are not among them. */
export async function choicesOf(c: ConsoleContext, name: ReferenceName): Promise<ChoiceGroup[]> {
  const { list, items } = declared[name];
  const session = sessionOf(c);
  if (reachFor(session, list) !== 'all') {
    const { id, name: own } = session.user;
    return name === 'user' ? [{ heading: undefined, choices: [{ id, name: own }] }] : [];
  }
  const all: ShownRecord[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < mostPages; page += 1) {
    const query: [string, string][] = [
      ['limit', String(pageSize)],
      ['sort', 'name'],
    ];
    if (cursor !== null) query.push(['cursor', cursor]);
    const { data, next_cursor } = await listed(c, list, query);
    all.push(...data);
    cursor = next_cursor;
    if (cursor === null) break;
  }
  if (items === undefined)
    return [{ heading: undefined, choices: all.map((each) => choiceOf(c, name, each)) }];
  // Default entries stand first.
  const usual = (record: ShownRecord): number => Number(record['is_default'] === true);
  const sorted = all.toSorted((a, b) => usual(b) - usual(a));
  return sorted.map((each) => {
    const inner: unknown = each[items];
    const choices = Array.isArray(inner) ? inner.map((item) => choiceOf(c, name, Object(item))) : [];
    return { heading: { id: textIn(each, 'id'), name: textIn(each, 'name') }, choices };
  });
}

const mostFound = 20;

/** The records that a search finds, at most twenty of them. `parent` narrows it, as a company its contacts. */
async function findChoices(
  c: ConsoleContext,
  name: ReferenceName,
  { q, parent }: { q: string; parent?: string },
): Promise<Choice[]> {
  const { list, parent: narrows } = declared[name];
  if (reachFor(sessionOf(c), list) === undefined) return [];
  const query: [string, string][] = [
    ['limit', String(mostFound)],
    ['q', q],
  ];
  if (narrows !== undefined && parent) query.push([narrows, parent]);
  const { data } = await listed(c, list, query);
  return data.map((each) => choiceOf(c, name, each));
}

/** The record that an id names; undefined where there is none, or the role does not show it. */
export async function findChoice(
  c: ConsoleContext,
  name: ReferenceName,
  id: string,
): Promise<Choice | undefined> {
  const { get, value = 'id' } = declared[name];
  if (!get) return undefined;
  try {
    const record = await runAsUser(c.get('core'), sessionOf(c), get, { path: { [value]: id } });
    return choiceOf(c, name, Object(record));
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

async function listed(c: ConsoleContext, id: OperationId, query: QueryPairs): Promise<ShownPage> {
  return (await runAsUser(c.get('core'), sessionOf(c), id, { query })) as ShownPage;
}

function choiceOf(c: ConsoleContext, name: ReferenceName, record: ShownRecord): Choice {
  const { value = 'id', names: [label] = ['name'] } = declared[name];
  const shown = textIn(record, label);
  return { id: textIn(record, value), name: shown === '' ? say(c.get('language'))('unnamed') : shown };
}

/** What a person typed to find a record by stands beside the field of its id. */
export const searchName = (name: string): string => `${name}.find`;

interface Searched {
  readonly name: string;
  readonly reference: ReferenceName;
  /** The field that narrows the search. */
  readonly parent: string | undefined;
}

/** The fields of a form that are filled by searching, rows included. */
function* searchedFields(fields: readonly FieldFacts[], typed: Typed, prefix = ''): Generator<Searched> {
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

interface SearchOutcome {
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
