import type { FieldFacts, FieldProblem, Permission, Text } from '@dealkeep/contract';
import type * as z from 'zod';
import type { ConsoleContext } from '../context.ts';
import type { FormBody } from '../forms/body.ts';
import type { FormRule } from '../forms/judge.ts';
import type { QueryPairs, ShownPage, ShownRecord } from '../values/shown-record.ts';

/** Makes or changes a record from what a form says. */
export interface Edit {
  readonly fields: readonly FieldFacts[];
  /**
   * What is wrong with a body that is refused anyway, as far as it can be known without carrying it out; of a change,
   * with the id of its record.
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

/** Something that can be done with one record. */
export interface Step {
  /** Last part of its address. */
  readonly name: string;
  readonly label: Text;
  /** What it does, and what cannot be taken back. */
  readonly about: Text;
  /** Asks first, because it ends something or needs to know more. */
  readonly asks: boolean;
  readonly danger?: boolean;
  /** What it asks for; where the organization decides that, found when it is needed. */
  readonly fields: readonly FieldFacts[] | ((c: ConsoleContext) => Promise<readonly FieldFacts[]>);
  /** What its form begins with; it replaces that as a whole, so nobody may have changed the record meanwhile. */
  begins?(record: ShownRecord): ShownRecord;
  readonly permissions: readonly Permission[];
  /** What is wrong with a body that is refused anyway; absent where a step asks for nothing. */
  problemsOf?(c: ConsoleContext, id: string, body: FormBody): Promise<readonly FieldProblem[]>;
  run(
    c: ConsoleContext,
    id: string,
    body: FormBody,
    form: { once: string; version?: string },
  ): Promise<unknown>;
}

/** One kind of records and how the console lists, shows and edits them. */
export interface RecordKind {
  readonly resource:
    | 'company'
    | 'contact'
    | 'client'
    | 'lead'
    | 'activity'
    | 'task'
    | 'invoice'
    | 'quote'
    | 'booking'
    | 'order'
    | 'product';
  /** Below the origin, as in `app_url`. */
  readonly path: string;
  /** Name of the field that identifies it. */
  readonly idField: 'id' | 'uuid';
  /** Fields shown in a list; the first leads to the record. */
  readonly columns: readonly string[];
  /** Parameters of the list. */
  readonly query: z.ZodObject;
  /** What these records are, for whoever has none yet. */
  readonly teaches: Text;
  /** What a Zap or an n8n workflow could do with them. */
  readonly automates: Text;
  readonly create?: Edit;
  readonly update?: Edit;
  /** What a role must permit to see them. */
  readonly permissions: readonly Permission[];
  /** Fields that the organization decides on instead of the contract, as its records show them. */
  ownFields?(c: ConsoleContext): Promise<readonly FieldFacts[]>;
  titleOf(record: ShownRecord): string;
  list(c: ConsoleContext, query: QueryPairs): Promise<ShownPage>;
  get(c: ConsoleContext, id: string): Promise<ShownRecord>;
  /** The steps that are possible in the record's state. */
  stepsOf(record: ShownRecord): readonly Step[];
}

export const fieldsOfStep = async (c: ConsoleContext, { fields }: Step): Promise<readonly FieldFacts[]> =>
  typeof fields === 'function' ? fields(c) : fields;
