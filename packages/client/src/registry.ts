// All that the client knows of the contract, which it alone imports. The published package holds another registry.ts in
// its place, printed from the contract by bin/build.ts, so that customers install neither the contract nor zod.
import {
  type AnswerOf,
  type BodyOf,
  type EventType,
  type events,
  type OperationDeclaration,
  type OperationId,
  type Operations,
  operations,
  type QueryOf,
  type resources,
} from '@dealkeep/contract';
import type * as z from 'zod';
import type { Route } from './route.ts';

export type { ErrorCode, EventType, FieldError } from '@dealkeep/contract';

/** Every operation as `dealkeep.{namespace}.{name}` offers it, with the types that go in and come out. */
export type Registry = {
  [Namespace in NamespaceOf<OperationId> as CamelCase<Namespace>]: {
    [Id in OperationId as Id extends `${Namespace}.${infer Name}` ? Name : never]: Row<Operations[Id]>;
  };
};

interface Row<Operation extends OperationDeclaration> {
  method: Operation['method'];
  /** One text for each path parameter, in their order. */
  parameters: PathArguments<Operation['path']>;
  query: Operation extends { query: z.ZodType } ? QueryOf<Operation> : undefined;
  body: BodyOf<Operation>;
  /** The record, the item of a list, or the bare answer. */
  answer: AnswerOf<Operation>;
  shape: Operation['shape'];
}

/** The `data` of every event's envelope: the record as its GET answers it. */
export type EventData = {
  [Type in EventType]: z.output<(typeof resources)[(typeof events)[Type]['entity']]['schema']>;
};

/** The body of every delivery, before its event is known. */
export type WebhookEnvelope = AnswerOf<Operations['webhooks.sample']>[number];

export const routes: readonly Route[] = Object.values<OperationDeclaration>(operations).map(routeOf);

/** `lead-origins.list` is `dealkeep.leadOrigins.list`. */
export function routeOf(operation: OperationDeclaration): Route {
  const [namespace = '', name = ''] = operation.id.split('.');
  return {
    namespace: namespace.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    name,
    method: operation.method,
    path: operation.path,
    takesQuery: operation.query !== undefined,
    takesBody: operation.body !== undefined,
    shape: operation.shape,
  };
}

type NamespaceOf<Id extends string> = Id extends `${infer Namespace}.${string}` ? Namespace : never;

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type PathArguments<Path extends string> = Path extends `${string}{${string}}${infer Rest}`
  ? [string, ...PathArguments<Rest>]
  : [];
