import { type FormField, ofChosenWays, type Way, wayChoices, wayKey } from '@dealkeep/connectors';
import type { PlainInputField } from 'zapier-platform-core';
import { type FormFields, formPart } from './form-part.ts';
import { inputField, type SearchFor } from './input-field.ts';

/**
 * One choice for a record that is either there or described, and below it the fields of the way that was chosen,
 * instead of a dropdown and a group of boxes of which only one is meant.
 */
export function wayFields(way: Way, fields: readonly FormField[], searchFor: SearchFor): FormFields {
  const { of, label, help } = way;
  const both = fields.filter((field) => field.way?.of === of);
  const shown = (some: readonly FormField[]): PlainInputField[] =>
    some.map((field) => inputField(field, searchFor));
  const choice: PlainInputField = {
    key: wayKey(way),
    label,
    type: 'string',
    required: false,
    choices: { ...wayChoices },
    default: usual,
    altersDynamicFields: true,
    ...(help ? { helpText: help } : {}),
    group: of,
  };
  const part = formPart((_z, { inputData }) => {
    const chosen = Object.keys(wayChoices).includes(String(inputData[choice.key]));
    return shown(ofChosenWays(both, chosen ? inputData : { [choice.key]: usual }));
  }, shown(both));
  return [choice, part];
}

const [usual = ''] = Object.keys(wayChoices);
