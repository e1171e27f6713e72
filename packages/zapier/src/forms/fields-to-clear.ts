import { clearable, clearField, type FormField } from '@dealkeep/connectors';
import type { PlainInputField } from 'zapier-platform-core';

/** The choice of the fields that an update empties. */
export function fieldsToClear(fields: readonly FormField[]): PlainInputField[] {
  const offered = clearable(fields);
  if (offered.length === 0) return [];
  return [
    {
      key: clearField,
      label: 'Fields to Clear',
      type: 'string',
      list: true,
      required: false,
      choices: Object.fromEntries(offered.map(({ key, label }) => [key, label])),
      helpText: 'These are emptied. A box that is left blank does not change its field.',
    },
  ];
}
