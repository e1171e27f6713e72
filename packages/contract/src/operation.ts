import * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import { type Permission, scopePermissions } from './role-permissions.ts';
import type { Scope } from './scopes.ts';
import type { Text } from './text.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** `record` is wrapped in `data`, `list` is a page, `bare` stands alone, `nothing` is a 204. */
export type AnswerShape = 'record' | 'list' | 'bare' | 'nothing';

/** What an operation is for, so that connectors can group it without knowing it. */
export type OperationKind = 'list' | 'get' | 'create' | 'upsert' | 'update' | 'batch' | 'action' | 'delete';

/** Who an operation is for: programs, people in the console, AI assistants alone, or the clock. */
export type Audience = 'api' | 'console' | 'assistant' | 'system';

/** How the console offers an operation on the page of a record. */
export interface StepDeclaration {
  /** What its button says. */
  readonly label: Text;
  /** Asks first, because it ends something or needs to know more. */
  readonly asks: boolean;
  /** What its form begins with; it replaces that as a whole, so nobody may have changed the record meanwhile. */
  begins?(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

export interface OperationDeclaration {
  /** `leads.move` */
  readonly id: string;
  /** Nobody else is offered it or can run it. */
  readonly audience: readonly Audience[];
  /** Key of `resources`. */
  readonly resource: string;
  readonly kind: OperationKind;
  readonly method: Method;
  /**
   * Below the API root, or below the console where only people do it; parameters in braces. Empty where it has none.
   */
  readonly path: string;
  readonly scope: Scope | null;
  /** A second scope that it needs: that by which the records are read which it finds. */
  readonly alsoScope?: Scope;
  /** What a role must permit besides what the scope asks for, under OAuth and in the console. */
  readonly permissions?: readonly Permission[];
  /** No role permits it: only owners do it in the console, and through the API only their keys. */
  readonly ownersOnly?: true;
  /** No role is asked about it: it is about what is a member's own. */
  readonly everyMember?: true;
  /** Done also where the subscription of the organization has lapsed. */
  readonly withoutSubscription?: true;
  /** Refused for legacy keys (rule keys 7). */
  readonly refusesLegacyKeys?: boolean;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** The item of a list, the record, or the bare answer. */
  readonly answer?: z.ZodType;
  readonly shape: AnswerShape;
  /** Success statuses, the usual one first; the second answers a record that was there before. */
  readonly statuses: readonly [200 | 201 | 204, ...(200 | 201 | 204)[]];
  /**
   * Field of the answer that tells whether the record was there before: true, or what became of it (see `upserted`).
   */
  readonly existingFlag?: string;
  /** What it holds then; true when absent. */
  readonly existingAs?: string;
  /** Of a batch: the operations that it does with its items, by what it calls them. */
  readonly batches?: Readonly<Record<string, string>>;
  /** Codes besides those that every operation can answer. */
  readonly errors: readonly ErrorCode[];
  readonly title: Text;
  readonly about: Text;
  /**
   * What it does, as an order to a language model, where that does not follow from its kind. English, as models are
   * told; {@link instructionOf} also says when to use it.
   */
  readonly instruction?: string;
  /** When a language model should use it and when another one, where its kind does not say it. English. */
  readonly when?: string;
  /** What its tool for AI assistants is called, where that does not follow from its id and kind. */
  readonly tool?: string;
  /** It puts away, ends or removes what nobody can bring back through the API; a user is asked before. */
  readonly destructive?: true;
  /**
   * It sends something out of the installation, or opens a way out: the field of its body, or of the record that it
   * is about, that holds the address. A user is asked before an assistant does it, and is told the host.
   */
  readonly sendsTo?: string;
  /** It binds the business towards others, and no operation of the API takes it back; a user is asked before. */
  readonly binding?: true;
  /** Absent where the console has another page for it, or none. */
  readonly step?: StepDeclaration;
  /** Events that it can cause, in their order. */
  readonly emits?: readonly string[];
  /** A list that answers everything on one page unless it is asked for pages: who wants no pages sends no query. */
  readonly wholeByDefault?: true;
  /** A list that has no end: its `next_cursor` is always there, to be asked with again later. */
  readonly endless?: true;
  /** Answered by the very bytes that are stored, because receivers compare them. */
  readonly asStored?: true;
  /** The answer says what was done and shows no record: whoever may do it reads all of it, and no tag names it. */
  readonly report?: true;
  /** It changes no record, so there is none that `If-Match` could name. */
  readonly unconditional?: true;
  /** The answer holds a secret, always or when one was asked for: sent with `Cache-Control: no-store` then. */
  readonly noStore?: boolean | 'with a secret';
}

/** An operation of the API, by which people do the same in the console. */
export const operation = <const Declaration extends Omit<OperationDeclaration, 'audience'>>(
  declaration: Declaration,
) => ({ ...declaration, audience: ['api', 'console'] }) as const;

/** What only programs do; people do it one by one. */
export const programOperation = <const Declaration extends Omit<OperationDeclaration, 'audience'>>(
  declaration: Declaration,
) => ({ ...declaration, audience: ['api'] }) as const;

type OfConsole = Omit<OperationDeclaration, 'audience' | 'scope' | 'statuses' | 'permissions'> & {
  readonly permissions: readonly Permission[];
};

/** What only people do, in the console; no program is offered it. */
export const consoleOperation = <const Declaration extends OfConsole>(declaration: Declaration) =>
  ({ ...declaration, audience: ['console'], scope: null, statuses: [200] }) as const;

type OfAssistants = Omit<OperationDeclaration, 'audience' | 'statuses'>;

/** What only AI assistants do, by a tool of its own; programs go through the pages. */
export const assistantOperation = <const Declaration extends OfAssistants>(declaration: Declaration) =>
  ({ ...declaration, audience: ['assistant'], statuses: [200] }) as const;

/** What people do in the console and AI assistants by another tool; no program is offered it. */
export const shownOperation = <const Declaration extends OfAssistants>(declaration: Declaration) =>
  ({ ...declaration, audience: ['console', 'assistant'], statuses: [200] }) as const;

type OfOwners = Omit<OperationDeclaration, 'audience' | 'scope' | 'statuses' | 'permissions' | 'ownersOnly'>;

/** What only owners do, in the console: they set the organization up. */
export const ownerOperation = <const Declaration extends OfOwners>(declaration: Declaration) =>
  ({ ...declaration, audience: ['console'], scope: null, ownersOnly: true, statuses: [200] }) as const;

type OfMembers = Omit<OperationDeclaration, 'audience' | 'scope' | 'statuses' | 'permissions' | 'ownersOnly'>;

/** What everybody of the organization does in the console with what is their own, whatever their role. */
export const memberOperation = <const Declaration extends OfMembers>(declaration: Declaration) =>
  ({ ...declaration, audience: ['console'], scope: null, everyMember: true, statuses: [200] }) as const;

type OfClock = Pick<OperationDeclaration, 'id' | 'resource' | 'title' | 'about'> & {
  readonly emits: readonly string[];
};

/** What time does by itself, in each organization; it has no address, and answers how many records it changed. */
export const systemOperation = <const Declaration extends OfClock>(declaration: Declaration) =>
  ({
    ...declaration,
    audience: ['system'],
    kind: 'action',
    method: 'POST',
    path: '',
    scope: null,
    answer: z.int(),
    shape: 'bare',
    statuses: [200],
    errors: [],
  }) as const;

/** What the `Content-Type` of a body can be. A change names what it changes, which is what RFC 7396 means. */
export const bodyTypesOf = (method: string): readonly string[] =>
  method === 'PATCH' ? ['application/json', 'application/merge-patch+json'] : ['application/json'];

/** Whether it changes one record, and can be made to depend on what the client last saw of that. */
export const takesIfMatch = ({ kind, path, shape, unconditional }: OperationDeclaration): boolean =>
  (kind === 'update' || kind === 'action') && path.includes('{') && shape === 'record' && !unconditional;

/** Whether it answers one record as it is, which a client can have already. */
export const takesIfNoneMatch = ({ method, shape }: OperationDeclaration): boolean =>
  method === 'GET' && shape === 'record';

/**
 * Whether an assistant asks a person first: nobody can take it back, it sends something out, or it binds the
 * business.
 */
export const asksFirst = ({ destructive, sendsTo, binding }: OperationDeclaration): boolean =>
  destructive === true || sendsTo !== undefined || binding === true;

/** Whether an answered record was there before. */
export function isExisting({ existingFlag }: OperationDeclaration, record: unknown): boolean {
  const told: unknown = existingFlag === undefined ? undefined : Reflect.get(Object(record), existingFlag);
  return told === true || (typeof told === 'string' && told !== 'created');
}

/** Codes that any operation can answer. */
export const commonErrors: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'WRONG_ENVIRONMENT',
  'PAYMENT_REQUIRED',
  'TOKEN_OWNER_INACTIVE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];

/** What the role of the user behind an OAuth connection must permit, for all records. */
export const permissionsOf = ({
  scope,
  alsoScope,
  permissions = [],
}: OperationDeclaration): readonly Permission[] => [
  ...((scope && scopePermissions[scope]) ?? []),
  ...((alsoScope && scopePermissions[alsoScope]) ?? []),
  ...permissions,
];

/** All codes that an operation can answer, sorted as in rule errors 3. */
export function errorsOf(declaration: OperationDeclaration): ErrorCode[] {
  const codes = new Set<ErrorCode>([...commonErrors, ...declaration.errors]);
  if (declaration.scope) codes.add('FORBIDDEN');
  if (permissionsOf(declaration).length > 0) {
    codes.add('ROLE_PERMISSION_MISSING');
    codes.add('ROLE_SCOPE_LIMITED');
  }
  if (declaration.refusesLegacyKeys) codes.add('LEGACY_KEY_NOT_ALLOWED');
  codes.add('UNSUPPORTED_FILTER');
  if (declaration.path.includes('{')) codes.add('NOT_FOUND');
  // What leaves an event takes storage.
  if (['create', 'upsert', 'batch'].includes(declaration.kind) || declaration.emits?.length)
    codes.add('LIMIT_EXCEEDED');
  if (takesIfMatch(declaration)) codes.add('PRECONDITION_FAILED');
  if (declaration.query) codes.add('INVALID_PARAMETER');
  if (declaration.kind === 'list' && declaration.query) codes.add('INVALID_CURSOR');
  // A POST that takes no body refuses one.
  if (declaration.body || declaration.method === 'POST') {
    codes.add('BAD_REQUEST');
    codes.add('VALIDATION_ERROR');
  }
  if (declaration.method === 'POST') {
    codes.add('INVALID_PARAMETER');
    codes.add('IDEMPOTENCY_KEY_REUSED');
    codes.add('IDEMPOTENCY_IN_PROGRESS');
  }
  return [...codes];
}
