import { isSearchedKind, type Scope, searchedKindNames, searchedKinds } from '@dealkeep/contract';
import { filledIn } from '../forms/filled-in.ts';
import { type FormField, formFields } from '../forms/form-field.ts';
import { InputProblem } from '../forms/input-problem.ts';
import { isBlank } from '../forms/is-empty.ts';
import { type ApiRecord, isApiRecord, valueAt } from '../records/api-record.ts';
import { shapeRecord } from '../records/shape-record.ts';
import { answeredSchema, labelOfResource, operationOf } from '../registry.ts';
import type { Api } from '../requests/api.ts';

/** The search over all kinds of records. */
export const everything = operationOf('search.all');

/** What it asks for: a text, and which kinds it looks through, of those that a connection reaches. */
export function everythingForm(reaches: (scope: Scope) => boolean): FormField[] {
  const kinds = searchedKindNames.filter((kind) => reaches(searchedKinds[kind]));
  const choices = Object.fromEntries(kinds.map((kind) => [kind, labelOfResource(kind)]));
  const help = 'All of them when none is chosen.';
  return (everything.query ? formFields(everything.query) : []).map((field) =>
    field.key === 'types' ? { ...field, list: true, choices, help, example: undefined } : field,
  );
}

/**
 * Records of all kinds, each with what it is, what it is called, what tells it apart and its page; the best first.
 */
export async function searchEverything(
  api: Api,
  form: readonly FormField[],
  input: Record<string, unknown>,
): Promise<readonly ApiRecord[]> {
  const { q, types } = filledIn(form, input);
  if (isBlank(q)) throw new InputProblem('Fill in at least one field to search by.');
  const chosen = Array.isArray(types) ? types.map(String) : [];
  const query = { q, ...(chosen.length > 0 ? { types: chosen.filter(isSearchedKind).join(',') } : {}) };
  const { content } = await api.call({ operation: everything, query, fields: form });
  const found = valueAt(content, ['data']);
  const schema = answeredSchema(everything.resource);
  return Array.isArray(found) ? found.filter(isApiRecord).map((item) => shapeRecord(schema, item)) : [];
}
