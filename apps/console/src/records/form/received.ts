import type { FieldFacts, Language } from '@dealkeep/contract';
import type { Problem } from '@dealkeep/core';
import type { ConsoleContext } from '../../context.ts';
import type { FormState } from './field-markup.ts';
import { search } from './searches.ts';
import { filledRows, firstOf, keepRows, readTyped, rowsIn, type Typed } from './typed.ts';

export type Received =
  /** The form is shown again: a row was added or removed, or a search found what is to be chosen. */
  | { readonly again: FormState; readonly decided: boolean }
  /** The form is to be carried out. */
  | { readonly send: Typed };

/** A form that was sent: what its button asked for. Every button but the last only changes the form. */
export async function receive(c: ConsoleContext, fields: readonly FieldFacts[]): Promise<Received> {
  const typed = await readTyped(c);
  const [act, name = '', row] = firstOf(typed, 'do').split(':');
  const changed = (values: Typed) => ({
    again: { fields, typed: values, problems: new Map(), found: new Map() },
    decided: true,
  });
  if (act === 'add') return changed(withRow(fields, typed, name));
  if (act === 'remove') return changed(keepRows(typed, name, (each) => each !== Number(row)));

  const searched = await search(c, fields, act === 'find' ? typed : withoutBlankRows(fields, typed));
  if (act === 'find' || searched.problems.size > 0) {
    return { again: { fields, ...searched }, decided: act === 'find' };
  }
  return { send: searched.typed };
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

/** The paths of a form's fields, in their order. */
function* pathsOf(fields: readonly FieldFacts[], typed: Typed, prefix = ''): Generator<string> {
  for (const { name: own, type, isArray, fields: inner, minItems = 0 } of fields) {
    const name = `${prefix}${own}`;
    yield name;
    if (type !== 'object') continue;
    if (!isArray) yield* pathsOf(inner, typed, `${name}.`);
    const rows = isArray ? Math.max(rowsIn(typed, name), minItems) : 0;
    for (let row = 0; row < rows; row += 1) {
      yield `${name}[${row}]`;
      yield* pathsOf(inner, typed, `${name}[${row}].`);
    }
  }
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
  for (const path of pathsOf(fields, typed)) {
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
