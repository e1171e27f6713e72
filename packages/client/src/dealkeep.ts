// The published package holds another dealkeep.ts in its place, with the same type written out and described.
import type {
  AnswerOf,
  BodyOf,
  OperationDeclaration,
  OperationId,
  Operations,
  QueryOf,
} from '@dealkeep/contract';
import type * as z from 'zod';
import type { CallOptions, PostOptions } from './options.ts';
import type { ListRequest } from './page.ts';

/** The API: every operation as `dealkeep.leads.move(id, body, options)`. */
export type Dealkeep = {
  readonly [Namespace in NamespaceOf<OperationId> as CamelCase<Namespace>]: {
    readonly [Id in OperationId as Id extends `${Namespace}.${infer Name}` ? Name : never]: Method<
      Operations[Id]
    >;
  };
};

/** An operation as a function: path parameters, then body or query where it takes one, then options. */
type Method<Operation extends OperationDeclaration> = (
  ...values: [
    ...PathArguments<Operation['path']>,
    ...BodyArgument<BodyOf<Operation>>,
    ...QueryArgument<Operation>,
    options?: Operation['method'] extends 'POST' ? PostOptions : CallOptions,
  ]
) => Result<Operation>;

/** A list that is whole without a query is called without one. */
type QueryArgument<Operation extends OperationDeclaration> = Operation extends { wholeByDefault: true }
  ? []
  : Operation extends { query: z.ZodType }
    ? [query?: QueryOf<Operation>]
    : [];

/** One text for each path parameter, in their order. */
type PathArguments<Path extends string> = Path extends `${string}{${string}}${infer Rest}`
  ? [string, ...PathArguments<Rest>]
  : [];

type BodyArgument<Body> = [Body] extends [undefined]
  ? []
  : Partial<Body> extends Body
    ? [body?: Body]
    : [body: Body];

type Result<Operation extends OperationDeclaration> = Operation['shape'] extends 'list'
  ? ListRequest<AnswerOf<Operation>>
  : Operation['shape'] extends 'nothing'
    ? Promise<void>
    : Promise<AnswerOf<Operation>>;

type NamespaceOf<Id extends string> = Id extends `${infer Namespace}.${string}` ? Namespace : never;

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;
