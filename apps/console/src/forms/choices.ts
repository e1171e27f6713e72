import { type OperationId, type Reference, type ReferenceName, references } from '@dealkeep/contract';
import { Problem, reachFor, runAsUser } from '@dealkeep/core';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { say } from '../texts.ts';
import { type QueryPairs, type ShownPage, type ShownRecord, textIn } from '../values/shown-record.ts';

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

export const mostFound = 20;

/** The records that a search finds, at most twenty of them. `parent` narrows it, as a company its contacts. */
export async function findChoices(
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
  const { value = 'id', label = 'name' } = declared[name];
  const shown = textIn(record, label);
  return { id: textIn(record, value), name: shown === '' ? say(c.get('language'))('unnamed') : shown };
}
