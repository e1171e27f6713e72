import type { FieldFacts, Language } from '@dealkeep/contract';
import type { Problem } from '@dealkeep/core';
import type { ConsoleContext } from '../../context.ts';
import type { FormState } from './field-markup.ts';
import { fieldPaths } from './field-paths.ts';
import { readingOf } from './reading.ts';
import { search } from './searches.ts';
import { filledRows, firstOf, keepRows, readTyped, rowsIn, type Typed } from './typed.ts';
import { readNumbers } from './typed-numbers.ts';

export type Received =
  /** The form is shown again: a row was added or removed, or a search found what is to be chosen. */
  | { readonly again: FormState; readonly decided: boolean }
  /** The form is to be carried out. */
  | { readonly send: Typed };

/** A form that was sent: what its button asked for. Every button but the last only changes the form. */
export async function receive(
  c: ConsoleContext,
  fields: readonly FieldFacts[],
  reading = readingOf(c),
): Promise<Received> {
  const sent = await readTyped(c);
  const [act, name = '', row] = firstOf(sent, 'do').split(':');
  const { typed, meanings, problems } = readNumbers(reading, fields, withMeaning(sent));
  const changed = (values: Typed) => ({ again: unjudged(fields, values), decided: true });
  if (act === 'add') return changed(withRow(fields, typed, name));
  if (act === 'remove') return changed(keepRows(typed, name, (each) => each !== Number(row)));

  const searched = await search(c, fields, act === 'find' ? typed : withoutBlankRows(fields, typed));
  if (act === 'find') return { again: { fields, ...searched, meanings: new Map() }, decided: true };
  if (searched.problems.size === 0 && problems.size === 0) return { send: searched.typed };
  const undecided = new Map([...searched.problems, ...problems]);
  return { again: { fields, ...searched, problems: undecided, meanings }, decided: false };
}

/** A form of which nothing is known to be wrong. */
export const unjudged = (fields: readonly FieldFacts[], typed: Typed): FormState => ({
  ...{ fields, typed, problems: new Map(), found: new Map(), meanings: new Map() },
});

const meansButton = /^means:([^:]+):(.+)$/s;

/** With the number that somebody chose where what they had typed could mean two. */
function withMeaning(sent: Typed): Typed {
  const [, typed, path] = meansButton.exec(firstOf(sent, 'do')) ?? [];
  return typed === undefined || path === undefined ? sent : new Map([...sent, [path, [typed]]]);
}

/** The form with one more row, which is blank. */
function withRow(fields: readonly FieldFacts[], typed: Typed, name: string): Typed {
  const field = fields.find((each) => each.name === name && each.isArray);
  const [first] = field?.fields ?? [];
  if (!field || !first) return typed;
  const next = Math.max(rowsIn(typed, name), field.minItems ?? 0);
  return new Map([...typed, [`${name}[${next}].${first.name}`, ['']]]);
}

function withoutBlankRows(fields: readonly FieldFacts[], typed: Typed): Typed {
  return fields
    .filter((field) => field.isArray && field.type === 'object')
    .reduce((kept, { name }) => {
      const filled = filledRows(kept, name);
      return keepRows(kept, name, (row) => filled.has(row));
    }, typed);
}

/** What a refused form is told: beside its fields in their order, and above them what belongs to none. */
export function explain(
  language: Language,
  { fields, typed }: { fields: readonly FieldFacts[]; typed: Typed },
  problem: Problem,
): { problems: Map<string, string>; others: string[] } {
  const { error } = problem.body(language);
  const given = new Map((problem.fields ? fieldErrors(error.detail) : []).map((each) => [each.path, each]));
  const ofElements = Map.groupBy(given.values(), (each) => arrayOf(each.path));
  const problems = new Map<string, string>();
  for (const { path } of fieldPaths(fields, typed)) {
    // What is wrong with one of several values stands beside all of them.
    const own = given.get(path) ?? ofElements.get(path)?.find((each) => given.has(each.path));
    if (!own) continue;
    problems.set(path, own.message);
    given.delete(own.path);
  }
  const others = [...given.values()].filter((each) => !problems.has(arrayOf(each.path)));
  return {
    problems,
    others: problem.fields
      ? others.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
      : [error.message],
  };
}

/** `tags` of `tags[2]`; nothing for what is no element of an array. */
const arrayOf = (path: string): string => /^(.*)\[[^[\]]*\]$/s.exec(path)?.[1] ?? '';

function fieldErrors(detail: unknown): { path: string; message: string }[] {
  const fields: unknown = Reflect.get(Object(detail), 'fields');
  return Array.isArray(fields) ? fields : [];
}
