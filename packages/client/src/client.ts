import { call } from './call.ts';
import type { Dealkeep } from './dealkeep.ts';
import type { ClientOptions } from './options.ts';
import { routes } from './registry.ts';
import { readSettings } from './settings.ts';

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
