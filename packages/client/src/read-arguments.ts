import type { PostOptions } from './options.ts';
import type { Route } from './route.ts';
import { filledPath, isObject } from './transport/index.ts';

/** The arguments of `dealkeep.leads.move(id, body, options)`, told apart. */
export interface CallArguments {
  /** The route's path with its parameters filled in. */
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly options: PostOptions;
}

/**
 * Arguments come in the order path parameters, body, query, options; which of them a call has, its route says.
 * TypeScript has checked them for those who use it; for all others, a TypeError says what is wrong.
 */
export function readArguments(route: Route, values: readonly unknown[]): CallArguments {
  const call = `${route.namespace}.${route.name}`;
  const left = [...values];
  const path = filledPath(
    route.path,
    () => left.shift(),
    (name) => new TypeError(`${call} needs the ${name} as a text that is not empty.`),
  );
  const body = route.takesBody ? objectOr(call, 'body', left.shift()) : undefined;
  const query = route.takesQuery ? objectOr(call, 'query', left.shift()) : {};
  const options = objectOr(call, 'options', left.shift());
  if (left.length > 0) throw new TypeError(`${call} was called with too many arguments.`);
  return { path, query, body, options };
}

function objectOr(call: string, what: string, value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  if (!isObject(value)) throw new TypeError(`The ${what} of ${call} must be an object.`);
  return value;
}
