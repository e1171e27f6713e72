// The run-time part and the events of what the client knows of the contract, which only this file, dealkeep.ts and
// records.ts import. In the published package these three are printed from the contract by bin/build.ts, so that
// customers install neither the contract nor zod.
import {
  type AnswerOf,
  type EventType,
  type events,
  limits,
  type OperationDeclaration,
  type Operations,
  operations,
  type resources,
  userAgentOf,
} from '@dealkeep/contract';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import type { Route } from './route.ts';

export type { ErrorCode, EventType, FieldError } from '@dealkeep/contract';

/** The `data` of every event's envelope: the record as its GET answers it. */
export type EventData = {
  [Type in EventType]: z.output<(typeof resources)[(typeof events)[Type]['entity']]['schema']>;
};

/** The body of every delivery, before its event is known. */
export type WebhookEnvelope = AnswerOf<Operations['webhooks.sample']>[number];

/** How the client introduces itself; browsers may send their own name instead. */
export const userAgent = userAgentOf('client', manifest.version);

/** The most that one batch takes: items, and bytes of all of them. */
export const batchLimits = { items: limits.batchItems, itemsBytes: limits.bodyBytes - 1024 };

export const routes: readonly Route[] = Object.values<OperationDeclaration>(operations).map(routeOf);

/** `lead-origins.list` is `dealkeep.leadOrigins.list`. */
export function routeOf(operation: OperationDeclaration): Route {
  const [namespace = '', name = ''] = operation.id.split('.');
  return {
    namespace: namespace.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    name,
    method: operation.method,
    path: operation.path,
    takesQuery: operation.query !== undefined && !operation.wholeByDefault,
    takesBody: operation.body !== undefined,
    // A record, or several where the operation has no pages.
    shape:
      operation.shape === 'record' && operation.answer instanceof z.ZodArray ? 'several' : operation.shape,
  };
}
