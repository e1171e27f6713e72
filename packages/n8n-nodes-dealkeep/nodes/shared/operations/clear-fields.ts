import { ParameterProblem } from '../failure.ts';
import { givesNothing, type Purpose, parts } from '../parameters/to-api-value.ts';
import type { ApiFields, JsonRecord } from '../record.ts';
import type { Field } from '../tables.ts';

/** The parameter of an update that names the fields to empty, inside its collection. */
export const clearParameter = 'fieldsToClear';

/** The fields of an update that can be emptied. */
export const clearable = (fields: readonly Field[]): readonly Field[] =>
  fields.filter(({ nullable, emptiable }) => nullable || emptiable);

/**
 * The fields that are chosen to be emptied, as the API takes them; one that is filled in as well keeps its value. An
 * expression names them by the API's names, in camelCase, or as the form calls them.
 *
 * @throws {ParameterProblem} when a name is none of the fields, or the field cannot be empty
 */
export function clearedFields(
  fields: readonly Field[],
  collection: JsonRecord,
  { absent }: Pick<Purpose, 'absent'>,
): ApiFields {
  if (!Object.hasOwn(collection, clearParameter)) return {};
  const chosen = collection[clearParameter];
  if (chosen === undefined && absent === 'refuse') throw givesNothing('Fields to Clear');
  const names = Array.isArray(chosen) ? chosen.map(String) : parts(String(chosen ?? ''));
  return Object.fromEntries(names.map((name) => emptied(name, clearable(fields))));
}

function emptied(given: string, fields: readonly Field[]): [string, null | []] {
  const wanted = given.trim().toLowerCase();
  const field = fields.find(({ name, parameter, label: shown }) =>
    [name, parameter, shown].some((each) => each.toLowerCase() === wanted),
  );
  if (field) return [field.name, field.nullable ? null : []];
  throw new ParameterProblem(
    `Fields to Clear: "${given}" is no field that can be empty`,
    `These can: ${fields.map(({ name }) => name).join(', ')}.`,
  );
}
