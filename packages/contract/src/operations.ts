import type * as z from 'zod';
import { batchOperations } from './batches.ts';
import type { WithSeveral } from './list-query.ts';
import type { Audience, OperationDeclaration } from './operation.ts';
import { togetherOf } from './records.ts';
import { apiKeyOwnerOperations } from './resources/api-keys.ts';
import { auditOwnerOperations } from './resources/audit-entries.ts';
import { availabilityOperations } from './resources/availability.ts';
import { deliveryOperations } from './resources/deliveries.ts';
import { erasureOperations } from './resources/erasures.ts';
import { eventOperations } from './resources/event-feed.ts';
import { consoleCountOperations, listCountOperations } from './resources/list-counts.ts';
import { lookupOwnerOperations } from './resources/lookup-settings.ts';
import { lookupOperations } from './resources/lookups.ts';
import { webhookOwnerOperations } from './resources/manual-webhooks.ts';
import { meOperations } from './resources/me.ts';
import { memberOwnerOperations } from './resources/members.ts';
import { organizationOwnerOperations } from './resources/organizations.ts';
import { assistantOwnerOperations } from './resources/registered-assistants.ts';
import { roleOwnerOperations } from './resources/roles.ts';
import { savedViewOperations } from './resources/saved-views.ts';
import { searchOperations } from './resources/search.ts';
import { sumOperations } from './resources/sums.ts';
import { timelineOperations } from './resources/timelines.ts';
import { webhookStepOperations } from './resources/webhook-steps.ts';
import { webhookOperations } from './resources/webhooks.ts';
import type { Scope } from './scopes.ts';

type Of<Declared extends readonly Audience[]> = OperationDeclaration & { readonly audience: Declared };

/** Every operation of the API by its id. All else (routes, documents, clients, connectors) is derived from this. */
export const operations = {
  ...meOperations,
  ...togetherOf('operations'),
  ...lookupOperations,
  ...availabilityOperations,
  ...webhookOperations,
  ...deliveryOperations,
  ...webhookStepOperations,
  ...eventOperations,
  ...searchOperations,
  ...erasureOperations,
  ...batchOperations,
} as const satisfies Record<string, Of<readonly ['api', 'console'] | readonly ['api']>>;

/** What only people do: no route, document, client or connector has it. */
const consoleOperations = {
  ...togetherOf('consoleOperations'),
  ...timelineOperations,
  ...savedViewOperations,
  ...consoleCountOperations,
} as const satisfies Record<string, Of<readonly ['console']>>;

/**
 * What AI assistants do by tools of their own, or besides another tool: no route, document, client or connector has
 * it.
 */
export const assistantOperations = {
  ...sumOperations,
  ...listCountOperations,
} as const satisfies Record<string, Of<readonly ['assistant'] | readonly ['console', 'assistant']>>;

export type AssistantOperationId = keyof typeof assistantOperations;

/** What only owners do: they set the organization up. No route, document, client or connector has it either. */
const ownerOperations = {
  ...lookupOwnerOperations,
  ...memberOwnerOperations,
  ...roleOwnerOperations,
  ...webhookOwnerOperations,
  ...apiKeyOwnerOperations,
  ...assistantOwnerOperations,
  ...organizationOwnerOperations,
  ...auditOwnerOperations,
} as const satisfies Record<string, Of<readonly ['console']> & { readonly ownersOnly: true }>;

/** What time does by itself. */
const systemOperations = togetherOf('systemOperations') satisfies Record<string, Of<readonly ['system']>>;

export type SystemOperationId = keyof typeof systemOperations;

/** Every operation of the house by its id, whoever it is for. Each has a verb in core. */
export const everyOperation = {
  ...operations,
  ...consoleOperations,
  ...assistantOperations,
  ...ownerOperations,
  ...systemOperations,
} as const;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
export type EveryOperation = typeof everyOperation;
export type EveryOperationId = keyof EveryOperation;

export const operationIds = Object.keys(operations).filter((id): id is OperationId => id in operations);
export const everyOperationId = Object.keys(everyOperation).filter(
  (id): id is EveryOperationId => id in everyOperation,
);

/** The operation that answers one record of the operation's kind; undefined where none does. */
export const getOperationOf = ({
  resource,
}: Pick<OperationDeclaration, 'resource'>): OperationDeclaration | undefined => getOperations.get(resource);

const getOperations: ReadonlyMap<string, OperationDeclaration> = new Map(
  Object.values<OperationDeclaration>(operations)
    // Not what stands below a record.
    .filter(({ kind, path }) => kind === 'get' && !path.includes('}/'))
    .map((each) => [each.resource, each]),
);

/**
 * The scope by which a record of the operation's kind is read; undefined where none is. A write answers the whole
 * record only to whoever holds it.
 */
export function readScopeOf({ resource }: OperationDeclaration): Scope | undefined {
  const all = Object.values<OperationDeclaration>(operations).filter((each) => each.resource === resource);
  const read = all.find(({ kind }) => kind === 'get') ?? all.find(({ kind }) => kind === 'list');
  return read?.scope ?? undefined;
}

/** The parsed query of an operation; empty when it takes none. */
export type QueryOf<O extends OperationDeclaration> = O extends { query: infer Query extends z.ZodObject }
  ? Query['shape'] extends { sort: z.ZodType }
    ? WithSeveral<Query['shape']>
    : z.output<Query>
  : Record<string, never>;

/** The parsed body of an operation; undefined when it takes none. */
export type BodyOf<O extends OperationDeclaration> = O extends { body: infer Body extends z.ZodType }
  ? z.output<Body>
  : undefined;

/** The record, the item of a list, or the bare answer. */
export type AnswerOf<O extends OperationDeclaration> = O extends { answer: infer Answer extends z.ZodType }
  ? z.output<Answer>
  : undefined;

/** The names of an operation's path parameters. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;
