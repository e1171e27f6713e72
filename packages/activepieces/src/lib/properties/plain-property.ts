import { Property } from '@activepieces/pieces-framework';
import type { FormField } from '@dealkeep/connectors';

/** A value that needs nobody to be asked what it can be. */
export function plainProperty(field: FormField) {
  const request = describedBy(field);
  if (field.choices) {
    const options = {
      options: Object.entries(field.choices).map(([value, label]) => ({ label, value })),
    };
    return field.list
      ? Property.StaticMultiSelectDropdown({ ...request, options })
      : Property.StaticDropdown({ ...request, options });
  }
  if (field.list) return Property.Array(request);
  switch (field.type) {
    case 'boolean':
      return truth(field);
    case 'text':
      return Property.LongText(request);
    // The platform would read these before the piece sees them, by rules of JavaScript: 0x10 as 16, 8.12.2026 as a
    // day in August, a time without a zone by its own, and nothing where it reads none.
    case 'integer':
    case 'number':
    case 'datetime':
    case 'date':
    case 'string':
      return Property.ShortText(request);
  }
}

/** A checkbox is never empty, so one that may be left alone would change its field each time. */
function truth(field: FormField) {
  return Property.StaticDropdown({
    ...describedBy(field),
    options: {
      options: [
        { label: 'Yes', value: true },
        { label: 'No', value: false },
      ],
    },
  });
}

/** Label and help, with an example of what is written freely. */
export function describedBy({ label, help, example, required, choices, reference, type }: FormField) {
  const isWritten = choices === undefined && reference === undefined && type !== 'boolean';
  const said = [help, isWritten && example ? `Such as: ${example}` : undefined].filter(Boolean);
  return { displayName: label, required, ...(said.length > 0 ? { description: said.join(' ') } : {}) };
}
