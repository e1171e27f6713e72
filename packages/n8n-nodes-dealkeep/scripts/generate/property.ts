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
  typeOptions?: Record<string, unknown> | Identifier;
  displayOptions?: DisplayOptions;
  options?: readonly (Option | Property | Group)[] | Identifier | Call;
  modes?: Identifier;
}

export interface DisplayOptions {
  show?: Record<string, readonly unknown[] | Call>;
  hide?: Record<string, readonly unknown[] | Call>;
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

/** A constant of the generated code: printed as its name, imported from its file, and written there once. */
export class Identifier {
  readonly name: string;
  readonly file: string;
  readonly value: unknown;
  /** The field of the constant that is meant; the whole constant when absent. */
  readonly member: string | undefined;
  constructor(name: string, file: string, value: unknown, member?: string) {
    this.name = name;
    this.file = file;
    this.value = value;
    this.member = member;
  }
}

/** A value that a function of the nodes makes: `name(…)`. */
export class Call {
  readonly name: string;
  readonly values: readonly unknown[];
  constructor(name: string, values: readonly unknown[]) {
    this.name = name;
    this.values = values;
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

/** n8n wants longer groups in the order of the alphabet, which would take a name from the top of its form. */
const longestGroup = 4;

/**
 * The parameters of a fixed collection, in the contract's order: first the required ones and a few more, the rest
 * under "Additional Fields".
 *
 * @param atOnce numbers and the like that may stand in the form, as what they show there is what the API takes
 *   anyway
 */
export function groupValues(
  fields: readonly GroupField[],
  atOnce: readonly string[] = [],
): readonly Property[] {
  const waits = ({ property, optional }: GroupField) =>
    optional && neverEmpty.includes(property.type) && !atOnce.includes(property.name);
  const first = fields.filter((field) => !waits(field));
  const fits = first.length + (first.length < fields.length ? 1 : 0) <= longestGroup;
  const room = longestGroup - 1 - first.filter(({ optional }) => !optional).length;
  const optional = first.filter((field) => field.optional);
  const shown = fits ? first : first.filter((field) => !field.optional || optional.indexOf(field) < room);
  const more = fields.filter((field) => !shown.includes(field)).map(({ property }) => property);
  return [
    ...shown.map(
      ({ property, optional }): Property => (optional ? property : { ...property, required: true }),
    ),
    ...(more.length === 0 ? [] : [additionalFields(more)]),
  ];
}

const additionalFields = (properties: readonly Property[]): Property => ({
  displayName: 'Additional Fields',
  name: 'additionalFields',
  type: 'collection',
  placeholder: 'Add Field',
  default: {},
  options: sortedProperties(properties),
});
