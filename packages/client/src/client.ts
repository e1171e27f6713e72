import { call } from './call.ts';
import type { CallOptions, ClientOptions, PostOptions } from './options.ts';
import type { ListRequest } from './page.ts';
import { type Registry, routes } from './registry.ts';
import { readSettings } from './settings.ts';

/** The API: every operation as `dealkeep.leads.move(id, body, options)`. */
export type Dealkeep = {
  readonly [Namespace in keyof Registry]: {
    readonly [Name in keyof Registry[Namespace]]: Method<Registry[Namespace][Name]>;
  };
};

/** An operation as a function: path parameters, then body or query where it takes one, then options. */
export type Method<Operation> = Operation extends AnyOperation
  ? (
      ...values: [
        ...Operation['parameters'],
        ...BodyArgument<Operation['body']>,
        ...QueryArgument<Operation['query']>,
        options?: Operation['method'] extends 'POST' ? PostOptions : CallOptions,
      ]
    ) => Result<Operation>
  : never;

interface AnyOperation {
  method: string;
  parameters: string[];
  query: unknown;
  body: unknown;
  answer: unknown;
  shape: string;
}

type BodyArgument<Body> = [Body] extends [undefined]
  ? []
  : Partial<Body> extends Body
    ? [body?: Body]
    : [body: Body];

type QueryArgument<Query> = [Query] extends [undefined] ? [] : [query?: Query];

type Result<Operation extends AnyOperation> = Operation['shape'] extends 'list'
  ? ListRequest<Operation['answer']>
  : Operation['shape'] extends 'nothing'
    ? Promise<void>
    : Promise<Operation['answer']>;

/**
 * A client of one Dealkeep API with one key. It keeps no connection and no state, so there is nothing to close.
 * Throws a TypeError for options that cannot work.
 */
export function createClient(options: ClientOptions): Dealkeep {
  const settings = readSettings(options);
  const client: Record<string, Record<string, (...values: unknown[]) => unknown>> = {};
  for (const route of routes) {
    client[route.namespace] = {
      ...client[route.namespace],
      [route.name]: (...values) => call(settings, route, values),
    };
  }
  if (!isComplete(client)) throw new Error('The table of operations is not complete.');
  return client;
}

/** Table and types are read from one registry; here they meet. */
const isComplete = (client: object): client is Dealkeep =>
  routes.every(
    ({ namespace, name }) => typeof Reflect.get(Reflect.get(client, namespace), name) === 'function',
  );
