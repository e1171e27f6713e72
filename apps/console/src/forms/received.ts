import type { FieldFacts, Language } from '@dealkeep/contract';
import type { Problem } from '@dealkeep/core/foundations';
import type { ConsoleContext } from '../context.ts';
import { fieldWords, problemWords } from '../problem-words.ts';
import { search } from './choices.ts';
import { readCustomers } from './customer-choice.ts';
import { onceOf, versionField } from './form-page.ts';
import { isCounted } from './items-totals.ts';
import { type Judged, judge, placed } from './judge.ts';
import type { FormState } from './labelled-control.ts';
import { formSay } from './texts.ts';
import {
  filledRows,
  firstOf,
  keepRows,
  type Reading,
  readingOf,
  readTyped,
  rowsIn,
  swapRows,
  type Typed,
} from './typed.ts';
import { readNumbers } from './typed-numbers.ts';

/** A form as it is shown again. */
export interface ShownAgain {
  readonly state: FormState;
  /** What is wrong and belongs to no field. */
  readonly alerts: readonly string[];
  readonly once: string;
  /** The version of the record that the user has seen by then, where the form changes one. */
  readonly version?: string;
  /** 200: nothing was to be carried out. 422: it was refused. 409: somebody changed the record meanwhile. */
  readonly status: 200 | 422 | 409;
}

export type Received =
  /** The form is shown again: a row was added or removed, a search found what is to be chosen, or it is refused. */
  | { readonly again: ShownAgain }
  /** The form is to be carried out. */
  | { readonly send: Typed };

/**
 * A form that was sent: what its button asked for. Every button but the last only changes the form. One that is in
 * doubt or out of date is not carried out, and told whatever else is wrong with it.
 *
 * @param version of what the form changes as it is now; the form has to have shown it
 */
export async function receive(
  c: ConsoleContext,
  fields: readonly FieldFacts[],
  { reading = readingOf(c), judged, version }: { reading?: Reading; judged?: Judged; version?: string } = {},
): Promise<Received> {
  const sent = readCustomers(fields, await readTyped(c));
  const [act, name = '', row] = firstOf(sent, 'do').split(':');
  const { typed, meanings, problems } = readNumbers(reading, fields, withMeaning(sent));
  const seen = firstOf(sent, versionField);
  const kept = { once: onceOf(sent), ...(version === undefined ? {} : { version: seen }) };
  const shown = (state: FormState) => ({ again: { ...kept, state, alerts: [], status: 200 } as const });
  const changed = (values: Typed) => shown(unjudged(fields, values));
  if (act === 'add') return changed(withRow(fields, typed, name));
  if (act === 'remove') return changed(keepRows(typed, name, (each) => each !== Number(row)));
  if (act === 'up') return changed(swapRows(typed, name, Number(row), Number(row) - 1));
  if (act === 'down') return changed(swapRows(typed, name, Number(row), Number(row) + 1));
  if (act === 'totals') return changed(typed);

  const searched = await search(c, fields, act === 'find' ? typed : withoutBlankRows(fields, typed));
  if (act === 'find') return shown({ fields, ...searched, meanings: new Map() });
  const doubts = new Map([...searched.problems, ...problems]);
  const isStale = version !== undefined && version !== seen;
  const form = { fields, typed: searched.typed, doubts, isStale };
  const { said, others } = await judge(reading.language, form, judged);
  if (said.size + others.length === 0 && !isStale) return { send: searched.typed };
  const state = { fields, ...searched, problems: said, meanings };
  if (!isStale) return { again: { ...kept, state, alerts: others, status: 422 } };
  const alerts = [formSay(reading.language)('changedMeanwhile'), ...others];
  return { again: { ...kept, version, state, alerts, status: 409 } };
}

/** A form of which nothing is known to be wrong. */
export const unjudged = (fields: readonly FieldFacts[], typed: Typed): FormState => ({
  fields,
  typed,
  problems: new Map(),
  found: new Map(),
  meanings: new Map(),
});

const meansButton = /^means:([^:]+):(.+)$/s;

/** The form with the number that somebody chose where what they had typed could mean two. */
function withMeaning(sent: Typed): Typed {
  const [, typed, path] = meansButton.exec(firstOf(sent, 'do')) ?? [];
  return typed === undefined || path === undefined ? sent : new Map([...sent, [path, [typed]]]);
}

/**
 * The form with one more row, which is blank; a line of an invoice begins as one of something at the rate of the
 * line before.
 */
function withRow(fields: readonly FieldFacts[], typed: Typed, name: string): Typed {
  const field = fields.find((each) => each.name === name && each.isArray);
  const [first] = field?.fields ?? [];
  if (!field || !first) return typed;
  const next = Math.max(rowsIn(typed, name), field.minItems ?? 0);
  const path = (row: number, of: string): string => `${name}[${row}].${of}`;
  const rate = firstOf(typed, path(next - 1, 'vat_rate'));
  const line = [
    [path(next, 'quantity'), ['1']],
    [path(next, 'vat_rate'), [rate]],
  ] as const;
  return new Map([...typed, [path(next, first.name), ['']], ...(isCounted(field) ? line : [])]);
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
  const given = problem.ofFields;
  if (given.length === 0) return { problems: new Map(), others: [problemWords(language, problem)] };
  const { said, others } = placed(language, { fields, typed }, given);
  // Refused for something else as well, such as too many attempts.
  const own = problem.fields && problem.code !== 'VALIDATION_ERROR' ? [problemWords(language, problem)] : [];
  return { problems: said, others: [...own, ...others.map((each) => fieldWords(language, each))] };
}
