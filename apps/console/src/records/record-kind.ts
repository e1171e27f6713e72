import type {
  EveryOperationId,
  FieldFacts,
  FieldProblem,
  Permission,
  StepDeclaration,
  Text,
} from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import type * as z from 'zod';
import type { ConsoleContext } from '../context.ts';
import type { FormBody } from '../forms/body.ts';
import type { FormSection } from '../forms/form-sections.ts';
import type { FormRule } from '../forms/judge.ts';
import type { QueryPairs, ShownPage, ShownRecord } from '../values/shown-record.ts';
import type { Presentation } from './presentation.ts';

/** Makes or changes a record from what a form says. */
export interface Edit {
  /** In the order in which the form shows them. */
  readonly fields: readonly FieldFacts[];
  /** The same fields as they stand in the form. */
  readonly sections: readonly FormSection[];
  /**
   * What is wrong with a body that is refused anyway, as far as it can be known without carrying it out; of a
   * change, with the id of its record.
   */
  problemsOf(c: ConsoleContext, body: FormBody, id?: string): Promise<readonly FieldProblem[]>;
  /** What the console asks for besides. */
  readonly rules?: readonly FormRule[];
  /** What a role must permit for it. */
  readonly permissions: readonly Permission[];
  /** Raises CONFLICT when the record is no longer of the version that the form showed. */
  run(
    c: ConsoleContext,
    body: FormBody,
    form: { id?: string; once: string; version?: string },
  ): Promise<ShownRecord>;
}

/** Something that can be done with one record: an operation that the contract declares as a step. */
export interface Step extends StepDeclaration {
  readonly id: EveryOperationId;
  /** Last part of its address. */
  readonly name: string;
  /** What it does, and what cannot be taken back. */
  readonly about: Text;
  readonly danger: boolean;
  /** What it asks for. */
  fields(c: ConsoleContext): Promise<readonly FieldFacts[]>;
  readonly permissions: readonly Permission[];
  readonly ownersOnly?: true | undefined;
  /** What is wrong with a body that is refused anyway. */
  problemsOf(c: ConsoleContext, id: string, body: FormBody): Promise<readonly FieldProblem[]>;
  run(
    c: ConsoleContext,
    id: string,
    body: FormBody,
    form: { once: string; version?: string },
  ): Promise<unknown>;
}

/** One kind of records: how it is shown, and the operations by which the console lists, shows and edits it. */
export interface RecordKind
  extends Pick<
    Presentation,
    'resource' | 'path' | 'life' | 'views' | 'createLabel' | 'columns' | 'teaches' | 'automates' | 'begins'
  > {
  /** Name of the field that identifies it. */
  readonly idField: 'id' | 'uuid';
  /** The fields that people see of a record, called as they call them. */
  readonly fields: readonly FieldFacts[];
  /** The same fields as they stand on the record's page. */
  readonly sections: readonly FormSection[];
  /** Parameters of the list. */
  readonly query: z.ZodObject;
  /** What the list can be filtered by. */
  readonly filters: readonly FieldFacts[];
  readonly create?: Edit;
  readonly update?: Edit;
  /** What a role must permit to see them. */
  readonly permissions: readonly Permission[];
  /** Fields that the organization decides on instead of the contract, as its records show them. */
  ownFields?(c: ConsoleContext): Promise<readonly FieldFacts[]>;
  titleOf(record: ShownRecord): string;
  /** @param core that of the request, when absent */
  list(c: ConsoleContext, query: QueryPairs, core?: Core): Promise<ShownPage>;
  /** How many records the list has on all its pages, up to a bound. */
  count(c: ConsoleContext, query: QueryPairs): Promise<{ count: number; more: boolean }>;
  get(c: ConsoleContext, id: string): Promise<ShownRecord>;
  /** Every step, whatever a record's state. */
  readonly steps: readonly Step[];
  /** Those that are possible in the record's state. */
  stepsOf(record: ShownRecord): readonly Step[];
}
