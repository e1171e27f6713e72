import type { DisplayOptions, Property } from './property.ts';

/** Several lines of an invoice, an order. */
export const isListOfObjects = ({ type, typeOptions }: Property): boolean =>
  type === 'fixedCollection' &&
  typeOptions !== undefined &&
  'multipleValues' in typeOptions &&
  typeOptions['multipleValues'] === true;

/**
 * The lines one by one, or all of them as JSON: n8n takes no expression for a whole fixed collection, so a workflow
 * whose lines come from elsewhere could not say how many there are.
 */
export function linesProperties(property: Property, example: unknown, show: DisplayOptions): Property[] {
  const { name, displayName } = property;
  const mode = `specify${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const shown = (value: string): DisplayOptions => ({ show: { ...show.show, [mode]: [value] } });
  const { required: _, ...fields } = property;
  return [
    {
      displayName: `Specify ${displayName}`,
      name: mode,
      type: 'options',
      default: 'fields',
      displayOptions: show,
      options: [
        { name: 'Using Fields Below', value: 'fields' },
        { name: 'Using JSON', value: 'json' },
      ],
      description: 'JSON is for lists that an earlier node gives, of however many entries',
    },
    { ...fields, required: true, displayOptions: shown('fields') },
    {
      displayName: `${displayName} (JSON)`,
      name: `${name}Json`,
      type: 'json',
      default: '[]',
      required: true,
      displayOptions: shown('json'),
      description: `A list of objects with the names of the API, such as <code>${JSON.stringify([example])}</code>`,
    },
  ];
}
