import type { FormField, Way } from './form-field.ts';

/** Key of the choice between a record that there is and one that is described: `company_choice`. */
export const wayKey = ({ of }: Pick<Way, 'of'>): string => `${of}_choice`;

/** What can be chosen, the usual one first. */
export const wayChoices: Readonly<Record<Way['is'], string>> = {
  details: 'Find by Details, or Create',
  existing: 'Choose From the List',
};

/**
 * The fields without those of ways that were not chosen: an editor keeps what was filled in before the choice
 * changed. Where nothing was chosen all of them count.
 */
export function ofChosenWays(
  fields: readonly FormField[],
  input: Readonly<Record<string, unknown>>,
): FormField[] {
  return fields.filter(({ way }) => {
    const choice = way && input[wayKey(way)];
    return !way || choice === way.is || !Object.keys(wayChoices).includes(String(choice));
  });
}
