import {
  comparisonForm,
  type FieldDescription,
  type FieldFacts,
  getOperationOf,
  limits,
  namesOf,
  type OperationId,
  operationIds,
  operations,
  type Reference,
  type ReferenceName,
  references,
} from '@dealkeep/contract';
import { Problem } from '@dealkeep/core/foundations';
import { reachFor, runAsUser } from '@dealkeep/core/operations';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { say } from '../texts.ts';
import { type QueryPairs, type ShownPage, type ShownRecord, textIn } from '../values/shown-record.ts';
import { customerPaths, isCustomer, withCustomer } from './customer-choice.ts';
import { formSay } from './texts.ts';
import { firstOf, rowsIn, type Typed } from './typed.ts';

export interface Choice {
  readonly id: string;
  readonly name: string;
  /** What it fills in beside itself, by the names of fields there. */
  readonly fills?: Readonly<Record<string, string>>;
  /** What tells it apart from others of its name, such as an e-mail. */
  readonly about?: string;
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

/**
 * Whether any id can be named, because the first record that names it makes it: a category is what products share.
 */
export const isMadeByUse = (name: ReferenceName): boolean => name === 'product-category';

const choicesOfPage = 100;
const mostPagesOfChoices = 10;
/** No more choices are read, so a list of so many may be incomplete. */
export const mostChoices = choicesOfPage * mostPagesOfChoices;

/** All that a reference to a small list can name; those that the role does not show are not among them. */
export async function choicesOf(c: ConsoleContext, name: ReferenceName): Promise<ChoiceGroup[]> {
  const { list, items } = declared[name];
  const session = sessionOf(c);
  if (reachFor(session, list) !== 'all') {
    const { id, name: own } = session.user;
    return name === 'user' ? [{ heading: undefined, choices: [{ id, name: own }] }] : [];
  }
  const all = await listedByName(c, list);
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

/** The list whose records are chosen by their names. */
const listsOfNames = { tag: 'tags.list' } as const satisfies Record<NamedResource, OperationId>;
type NamedResource = NonNullable<FieldDescription['nameOf']>;

/** What the values of a field are chosen from: the ids of a list, or the names of one. */
export type ChoiceSource =
  | { readonly reference: ReferenceName; readonly nameOf?: undefined }
  | { readonly reference?: undefined; readonly nameOf: NamedResource };

const listOf = ({ reference, nameOf }: ChoiceSource): OperationId =>
  nameOf === undefined ? declared[reference].list : listsOfNames[nameOf];

function choiceIn(c: ConsoleContext, { reference, nameOf }: ChoiceSource, record: ShownRecord): Choice {
  if (nameOf === undefined) return choiceOf(c, reference, record);
  const name = textIn(record, 'name');
  return { id: name, name };
}

/**
 * What can be ticked at a glance: a list as a whole, or of a long one its begin, and what `q` finds in it. None
 * where the role does not show it.
 */
export async function tickedFrom(
  c: ConsoleContext,
  source: ChoiceSource,
  q: string,
): Promise<{ groups: readonly ChoiceGroup[]; isWhole: boolean }> {
  const { reference } = source;
  if (reference !== undefined && declared[reference].items !== undefined) {
    return { groups: await choicesOf(c, reference), isWhole: true };
  }
  const list = listOf(source);
  if (reachFor(sessionOf(c), list) === undefined) return { groups: [], isWhole: true };
  const { data, next_cursor } = await byName(c, list, { q, cursor: null });
  const choices = data.map((each) => choiceIn(c, source, each));
  return { groups: [{ heading: undefined, choices }], isWhole: next_cursor === null && q === '' };
}

/** The choice of this value, where a long list still has it. */
export async function stillListed(
  c: ConsoleContext,
  source: ChoiceSource,
  id: string,
): Promise<Choice | undefined> {
  const { reference } = source;
  const known = reference === undefined ? { id, name: id } : await formerChoice(c, reference, id);
  let cursor: string | null = null;
  do {
    if (!known) return undefined;
    const page: ShownPage = await byName(c, listOf(source), { q: known.name, cursor });
    const found = page.data.map((each) => choiceIn(c, source, each)).find((each) => each.id === id);
    if (found) return found;
    cursor = page.next_cursor;
  } while (cursor !== null);
  return undefined;
}

/** What a small list has, in the order of its names. */
async function listedByName(c: ConsoleContext, list: OperationId): Promise<ShownRecord[]> {
  const all: ShownRecord[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < mostPagesOfChoices; page += 1) {
    const { data, next_cursor }: ShownPage = await byName(c, list, { q: '', cursor });
    all.push(...data);
    cursor = next_cursor;
    if (cursor === null) break;
  }
  return all;
}

/** A page of a list in the order of names, of those that have `q` in them. */
function byName(
  c: ConsoleContext,
  list: OperationId,
  { q, cursor }: { q: string; cursor: string | null },
): Promise<ShownPage> {
  const query: [string, string][] = [
    ['limit', String(choicesOfPage)],
    ['sort', 'name'],
  ];
  if (q !== '') query.push(['q', q]);
  if (cursor !== null) query.push(['cursor', cursor]);
  return listed(c, list, query);
}

/** No more are offered at once: whoever looks for another types more of its name. */
export const mostOffered = 20;

/**
 * The records that a search finds, at most twenty of them, and without one those that were changed last. `parent`
 * narrows it, as a company its contacts.
 */
export async function findChoices(
  c: ConsoleContext,
  name: ReferenceName,
  asked: { q: string; parent?: string },
): Promise<Choice[]> {
  const found = await findRecords(c, name, asked);
  return found.map((each) => choiceOf(c, name, each));
}

/** The same as records; `inUse` leaves out what was put away. */
export async function findRecords(
  c: ConsoleContext,
  name: ReferenceName,
  { q, parent, inUse = false }: { q: string; parent?: string; inUse?: boolean },
): Promise<readonly ShownRecord[]> {
  const { list, parent: narrows, inUse: usable = {} } = declared[name];
  if (reachFor(sessionOf(c), list) === undefined) return [];
  const query: [string, string][] = [['limit', String(mostOffered)]];
  query.push(q === '' ? ['sort', '-updated_at'] : ['q', q]);
  if (narrows !== undefined && parent) query.push([narrows, parent]);
  if (inUse)
    query.push(...Object.entries(usable).map(([of, value]): [string, string] => [of, String(value)]));
  return (await listed(c, list, query)).data;
}

/** Clients, and companies that are none of theirs, as one list: the value of each says which it is. */
export async function findCustomers(c: ConsoleContext, q: string): Promise<Choice[]> {
  const [clients, companies] = await Promise.all([
    findRecords(c, 'client', { q }),
    findRecords(c, 'company', { q }),
  ]);
  const known = new Set(clients.map((each) => textIn(each, 'company.id')));
  const others = companies.filter((each) => !known.has(textIn(each, 'id')));
  const about = formSay(c.get('language'))('isClient');
  const reachedBy = (record: ShownRecord, names: Readonly<Record<string, string>>) => ({
    fills: Object.fromEntries(Object.entries(names).map(([name, path]) => [name, textIn(record, path)])),
  });
  const offered: Choice[] = [
    ...clients.map((each) => ({
      ...choiceOf(c, 'client', each),
      ...reachedBy(each, { name: 'company.name' }),
      id: `client:${textIn(each, 'id')}`,
      about,
    })),
    ...others.map((each) => ({
      ...choiceOf(c, 'company', each),
      ...reachedBy(each, { name: 'name', email: 'email', phone: 'phone' }),
      id: `company:${textIn(each, 'id')}`,
    })),
  ];
  return offered.slice(0, mostOffered);
}

/** The customer that a value of `findCustomers` names. */
export async function findCustomer(c: ConsoleContext, value: string): Promise<Choice | undefined> {
  const [kind, id = ''] = value.split(':');
  const found = await findChoice(c, kind === 'client' ? 'client' : 'company', id);
  return found && { ...found, id: value };
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

/**
 * An entry that its small list no longer has although records keep it, such as somebody who left; undefined where it
 * is gone for good.
 */
export async function formerChoice(
  c: ConsoleContext,
  name: ReferenceName,
  id: string,
): Promise<Choice | undefined> {
  const { list, items } = declared[name];
  const get = getOperationOf(operations[list])?.id;
  const known = operationIds.find((each) => each === get);
  if (known === undefined || items !== undefined) return undefined;
  try {
    return choiceOf(c, name, Object(await runAsUser(c.get('core'), sessionOf(c), known, { path: { id } })));
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

async function listed(c: ConsoleContext, id: OperationId, query: QueryPairs): Promise<ShownPage> {
  return (await runAsUser(c.get('core'), sessionOf(c), id, { query })) as ShownPage;
}

export function choiceOf(c: ConsoleContext, name: ReferenceName, record: ShownRecord): Choice {
  const { value = 'id', apart = [] } = declared[name];
  const first = (paths: readonly string[]): string =>
    paths.map((path) => textIn(record, path)).find((each) => each !== '') ?? '';
  const shown = first(namesOf(declared[name]));
  const about = first(apart.filter((path) => !path.endsWith('_at')));
  return {
    id: textIn(record, value),
    name: shown === '' ? say(c.get('language'))('unnamed') : shown,
    ...(about === '' || about === shown ? {} : { about }),
  };
}

/** What a user typed to find a record by stands beside the field of its id. */
export const searchName = (name: string): string => `${name}.find`;

interface Searched {
  readonly name: string;
  readonly field: FieldFacts;
  /** The field that narrows the search. */
  readonly parent: string | undefined;
}

/** The fields of a form that are filled by searching, rows included. */
function* searchedFields(fields: readonly FieldFacts[], typed: Typed, prefix = ''): Generator<Searched> {
  for (const field of fields) {
    const { reference, description, type, isArray, fields: inner } = field;
    const name = `${prefix}${field.name}`;
    if (reference && !isArray && isSearched(reference)) {
      const { dependsOn } = description ?? {};
      yield { name, field, parent: dependsOn === undefined ? undefined : `${prefix}${dependsOn}` };
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

/**
 * Does the searches that stand in a form: one match is taken, several are offered. What stands there twice is
 * searched for once, and of more than `limits.formSearches` the rest waits until the form is sent again: each takes
 * time from others.
 */
export async function search(
  c: ConsoleContext,
  fields: readonly FieldFacts[],
  typed: Typed,
): Promise<SearchOutcome> {
  const say = formSay(c.get('language'));
  let filled = new Map(typed);
  const found = new Map<string, readonly Choice[]>();
  const problems = new Map<string, string>();
  const answers = new Map<string, Choice[]>();
  for (const { name, field, parent } of searchedFields(fields, typed)) {
    const q = firstOf(typed, searchName(name)).trim();
    if (q === '') continue;
    const narrowed = parent === undefined ? '' : firstOf(filled, parent);
    const asked = JSON.stringify([isCustomer(field) || referenceOf(field), narrowed, q]);
    const answered = answers.get(asked);
    if (!answered && answers.size === limits.formSearches) {
      problems.set(name, say('notSearchedYet', { max: limits.formSearches }));
      continue;
    }
    const choices =
      answered ??
      (await (isCustomer(field)
        ? findCustomers(c, q)
        : findChoices(c, referenceOf(field), { q, parent: narrowed })));
    answers.set(asked, choices);
    const same = choices.filter((each) => comparisonForm(each.name) === comparisonForm(q));
    const [only, ...others] = same.length === 1 ? same : choices;
    if (only && others.length === 0) {
      filled = isCustomer(field)
        ? new Map(withCustomer(filled, customerPaths(field, name), only.id))
        : filled.set(name, [only.id]);
      filled.delete(searchName(name));
    } else if (only) {
      found.set(name, choices);
      filled.delete(searchName(name));
      const count = choices.length === mostOffered ? `${mostOffered}+` : String(choices.length);
      problems.set(name, say('severalFound', { count, q }));
    } else problems.set(name, say('noneFound', { q }));
  }
  return { typed: filled, found, problems };
}

function referenceOf({ reference }: FieldFacts): ReferenceName {
  if (!reference) throw new Error('Unreachable: the field is a reference');
  return reference;
}
