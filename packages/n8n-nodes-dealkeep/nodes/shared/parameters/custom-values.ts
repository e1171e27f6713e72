import { ParameterProblem } from '../failure.ts';
import type { ApiFields, JsonRecord } from '../record.ts';
import type { Organization } from './organization.ts';
import { type Purpose, toApiValue } from './to-api-value.ts';

/**
 * The values of custom fields as the API takes them: texts by the names of the fields. Undefined when there are
 * none.
 *
 * @throws {ParameterProblem} with the field's name when there is none of that name, or the value cannot be meant
 */
export async function customValues(
  values: JsonRecord,
  organization: Organization,
  purpose: Purpose,
): Promise<ApiFields | undefined> {
  const names = Object.keys(values);
  if (names.length === 0) return undefined;
  const known = await organization.customFields();
  const result: [string, string | null][] = [];
  for (const name of names) {
    const field = known.find((each) => each.name === name);
    if (!field) {
      throw new ParameterProblem(
        `${name}: Dealkeep has no custom field of this name`,
        'It was renamed or removed there. Remove it from the node, or refresh the list of fields and fill in the new one.',
      );
    }
    const value = toApiValue(field, values[name], purpose);
    if (value !== undefined) result.push([name, value === null ? null : String(value)]);
  }
  return result.length === 0 ? undefined : Object.fromEntries(result);
}
