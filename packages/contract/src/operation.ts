import type * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import { type Permission, scopePermissions } from './role-permissions.ts';
import type { Scope } from './scopes.ts';
import type { Text } from './text.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** `record` is wrapped in `data`, `list` is a page, `bare` stands alone, `nothing` is a 204. */
export type AnswerShape = 'record' | 'list' | 'bare' | 'nothing';

/** What an operation is for, so that connectors can group it without knowing it. */
export type OperationKind = 'list' | 'get' | 'create' | 'update' | 'action' | 'delete';

export interface OperationDeclaration {
  /** `leads.move` */
  readonly id: string;
  /** Key of `resources`. */
  readonly resource: string;
  readonly kind: OperationKind;
  readonly method: Method;
  /** Below the API root, parameters in braces. */
  readonly path: string;
  readonly scope: Scope | null;
  /** What a role must permit besides what the scope asks for, under OAuth. */
  readonly permissions?: readonly Permission[];
  /** Refused for legacy keys (rule keys 7). */
  readonly refusesLegacyKeys?: boolean;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** The item of a list, the record, or the bare answer. */
  readonly answer?: z.ZodType;
  readonly shape: AnswerShape;
  /** Success statuses, the usual one first; the second answers a record that carries `existingFlag`. */
  readonly statuses: readonly [200 | 201 | 204, ...(200 | 201 | 204)[]];
  /** Field of the answer that is true when an existing record was answered instead of a new one. */
  readonly existingFlag?: string;
  /** Codes besides those that every operation can answer. */
  readonly errors: readonly ErrorCode[];
  readonly title: Text;
  readonly about: Text;
  /**
   * What it does, as an order to a language model, where that does not follow from its kind. English, as models are
   * told; {@link instructionOf} also says when to use it.
   */
  readonly instruction?: string;
  /** It puts away, ends or removes what nobody can bring back through the API; a person is asked before. */
  readonly destructive?: true;
  /** Events that it can cause, in their order. */
  readonly emits?: readonly string[];
  /** The answer holds a secret: sent with `Cache-Control: no-store`. */
  readonly noStore?: boolean;
}

export const operation = <const Declaration extends OperationDeclaration>(declaration: Declaration) =>
  declaration;

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

/** What the role of the person behind an OAuth connection must permit, for all records. */
export const permissionsOf = ({ scope, permissions = [] }: OperationDeclaration): readonly Permission[] => [
  ...((scope && scopePermissions[scope]) ?? []),
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
