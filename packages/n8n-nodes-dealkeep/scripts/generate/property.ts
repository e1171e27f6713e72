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

/** The parameters of a fixed collection: in the contract's order while they are few, sorted as n8n wants it else. */
export const groupValues = (properties: readonly Property[]): readonly Property[] =>
  properties.length < 5 ? properties : sortedProperties(properties);
