import { type EveryOperationId, type FieldFacts, type Text, text } from '@dealkeep/contract';
import type { ConsoleContext, ListedKind } from '../context.ts';
import type { FormRule } from '../forms/judge.ts';
import type { ColumnWidth, Markup } from '../markup.ts';
import type { QueryPairs, ShownRecord } from '../values/shown-record.ts';

/** Some fields of a form or a page by their names, under a heading; of a form, the first ones stand without. */
export interface Section {
  readonly heading?: Text;
  readonly fields: readonly string[];
}

/** A column of a list that shows more than one field, or one otherwise than all lists do. */
export interface Composite {
  readonly label: Text;
  /** The fields of the record that it shows; the list can be sorted by the first one, where the contract lets it. */
  readonly of: readonly [string, ...string[]];
  readonly shown: (c: ConsoleContext, record: ShownRecord) => Markup | string;
  /** The whole text, which is seen on hover where a row has no room for it. */
  readonly whole?: (record: ShownRecord) => string;
  /** How much room it takes; the same as other texts when absent. */
  readonly width?: ColumnWidth;
}

/** Values as somebody would type them; a field that is absent begins empty. */
export type Beginning = Readonly<Record<string, string>>;

/** How records of a kind go on. */
export interface Life {
  /**
   * The states that a record goes through, in their order; where there are several at one place, the usual one
   * first.
   */
  readonly states?: readonly (readonly [string, ...string[]])[];
  /** The steps that bring a record forward, the sensible one first. */
  readonly next: readonly EveryOperationId[];
}

/** The filters and the sort of a list under a name, as its address holds them. */
export interface DefaultView {
  readonly name: Text;
  readonly query: string;
}

export const mine = (query: string): DefaultView => ({ name: text('Mine', 'Moje'), query });

/**
 * How one kind of records is shown to people: all that the contract does not say, because programs do not need it. A
 * field that stands nowhere here, as a new one of the contract, stands at the end of the form's folded part and of
 * the record's page.
 */
export interface Presentation extends ListedKind {
  /** How records go on; absent where they stay as they are. */
  readonly life?: Life;
  /** What everybody finds above the list without saving it. */
  readonly views?: readonly DefaultView[];
  /** What a button and a form say that make one: a sentence in each language, because its words change in one. */
  readonly createLabel: Text;
  /** Name of the field that identifies it; `id` when absent. */
  readonly idField?: 'id' | 'uuid';
  /** Where its name stands, the best first; what the contract says of references when absent. */
  readonly names?: readonly string[];
  /** Added to each reading. */
  readonly reads?: QueryPairs;
  /** The columns of the list: the name of a field, or what shows several. The first one leads to the record. */
  readonly columns: readonly (string | Composite)[];
  /**
   * What people call fields where the contract says what programs call them; of what stands deeper by its path
   * (`items.name`). It holds in lists, filters, forms, steps and on the record's page.
   */
  readonly labels?: Readonly<Record<string, Text>>;
  /** What one fills in every day, in the order in which people think. */
  readonly form: readonly Section[];
  /** What is seldom filled in: folded away until one of it is filled in or wrong. */
  readonly more?: readonly string[];
  /** What stands on the record's page. */
  readonly page: readonly Section[];
  /** What is for programs alone, by the names of fields, and why. */
  readonly leftOut: {
    readonly page: Readonly<Record<string, string>>;
    readonly form?: Readonly<Record<string, string>>;
  };
  /** What these records are, for whoever has none yet. */
  readonly teaches: Text;
  /** What an automation could do with them. */
  readonly automates: Text;
  /** Fields that need no help in a form: what the contract says of them speaks to programs. */
  readonly unexplained?: readonly string[];
  /** What a new form is filled in with before somebody types, by the paths of its fields. */
  begins?(c: ConsoleContext): Promise<Beginning> | Beginning;
  /** What the console asks for although the API does not. */
  readonly rules?: readonly FormRule[];
  /** The steps that are possible in a record's state; all when absent. */
  possible?(record: ShownRecord): readonly EveryOperationId[];
  /** Fields that the organization decides on instead of the contract, as its records show them. */
  ownFields?(c: ConsoleContext): Promise<readonly FieldFacts[]>;
}
