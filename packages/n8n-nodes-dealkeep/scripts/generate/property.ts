/** A node parameter as it will stand in the generated code. */
export interface Property {
  displayName: string;
  name: string;
  type: string;
  default: unknown;
  description?: string;
  placeholder?: string;
  required?: true;
  noDataExpression?: true;
  typeOptions?: Record<string, unknown>;
  displayOptions?: DisplayOptions;
  options?: readonly (Option | Property | Group)[] | Identifier;
  modes?: readonly unknown[];
}

export interface DisplayOptions {
  show?: Record<string, readonly unknown[]>;
  hide?: Record<string, readonly unknown[]>;
}

export interface Option {
  name: string;
  value: string;
  description?: string;
  action?: string;
  displayOptions?: DisplayOptions;
}

/** The values of a fixed collection. */
export interface Group {
  displayName: string;
  name: string;
  values: readonly Property[];
}

/** A constant of the generated code, printed as its name and imported from its file. */
export class Identifier {
  readonly name: string;
  readonly file: string;
  constructor(name: string, file: string) {
    this.name = name;
    this.file = file;
  }
}

export const sortedOptions = <Entry extends Option>(options: readonly Entry[]): Entry[] =>
  [...options].sort((first, second) => first.name.localeCompare(second.name));

export const sortedProperties = <Entry extends { displayName: string }>(
  properties: readonly Entry[],
): Entry[] => [...properties].sort((first, second) => first.displayName.localeCompare(second.displayName));

/** Types whose parameters have a value from the start: in a group they would be sent although nobody chose it. */
const neverEmpty: readonly string[] = ['boolean', 'number', 'options'];

interface GroupField {
  readonly property: Property;
  readonly optional: boolean;
}

/** The parameters of a fixed collection: in the contract's order while they are few, sorted as n8n wants it else. */
export function groupValues(fields: readonly GroupField[]): readonly Property[] {
  const waits = ({ property, optional }: GroupField) => optional && neverEmpty.includes(property.type);
  const properties = fields
    .filter((field) => !waits(field))
    .map(({ property, optional }): Property => (optional ? property : { ...property, required: true }));
  const waiting = fields.filter(waits).map(({ property }) => property);
  const all = waiting.length === 0 ? properties : [...properties, additionalFields(waiting)];
  return all.length < 5 ? all : sortedProperties(all);
}

const additionalFields = (properties: readonly Property[]): Property => ({
  displayName: 'Additional Fields',
  name: 'additionalFields',
  type: 'collection',
  placeholder: 'Add Field',
  default: {},
  options: sortedProperties(properties),
});
