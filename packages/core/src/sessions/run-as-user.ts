import {
  type FieldProblem,
  type OperationDeclaration,
  operations,
  type Permission,
  type PermissionReach,
  resourceNames,
  resources,
  type Scope,
  scopePermissions,
} from '@dealkeep/contract';
import type { Core } from '../core.ts';
import { checkStanding } from '../credentials/authorize.ts';
import type { Credential } from '../credentials/credential.ts';
import type { Transaction } from '../database/connect.ts';
import { lockAll, lockNumber } from '../database/in-transaction.ts';
import { notFound, Problem } from '../problem.ts';
import { defaultLimits } from '../rate-limits/take-tokens.ts';
import { execute, problemsIn } from '../verb/execute.ts';
import type { Reading } from '../verb/verb.ts';
import { runVerb, type VerbId } from '../verbs.ts';
import { assignmentFilter, permissionsFor } from './role-permissions.ts';
import type { Session } from './sessions.ts';

export interface UserRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly body?: Readonly<Record<string, unknown>>;
  /** The `updated_at` that the record of the path must still have: what the person saw when they decided. */
  readonly unchangedSince?: string;
}

/**
 * Runs an operation for somebody who is signed in to the console: the same checks, verbs and events as through the
 * API, bound to what the person's role permits. Where it permits only assigned records, others do not exist for them.
 * With the key of a form, it runs once however often the form is sent. Answers the verb's result; raises what the verb
 * raises, ROLE_PERMISSION_MISSING or ROLE_SCOPE_LIMITED, and CONFLICT when somebody changed the record meanwhile.
 */
export async function runAsUser(
  core: Core,
  session: Session,
  id: VerbId,
  request: UserRequest = {},
  onceKey?: string,
): Promise<unknown> {
  const declaration: OperationDeclaration = operations[id];
  const { resource } = declaration;
  const reach = requireReach(session, resource, permissionsFor(declaration));
  const filter = assignmentFilter(resource);
  let query = request.query ?? [];
  if (reach === 'assigned' && filter && declaration.kind === 'list') {
    query = [...query.filter(([name]) => name !== filter), [filter, session.user.id]];
  } else if (reach === 'assigned' && request.path) {
    await requireAssigned(core, session, resource, request.path);
  }
  return run(core, session, id, { ...request, query }, onceKey);
}

/**
 * What is wrong with the body of a form, which is not sent: the contract's problems and what can be found besides
 * without running the operation. Raises what a role does not permit.
 */
export async function problemsForUser(
  core: Core,
  session: Session,
  id: VerbId,
  { path = {}, body = {} }: Pick<UserRequest, 'path' | 'body'>,
): Promise<readonly FieldProblem[]> {
  requireReach(session, operations[id].resource, permissionsFor(operations[id]));
  return problemsIn(core, credentialOf(core, session), id, { path, body });
}

/** Which records a change without an API operation is about, and what a role must permit for it. */
export interface UserAction {
  readonly resource: string;
  readonly permissions: readonly Permission[];
  /** Absent where there is no record yet, or where many are read. */
  readonly path?: Readonly<Record<string, string>>;
}

/**
 * Does for a person what no API operation does, bound to the role as `runAsUser` is. Raises PAYMENT_REQUIRED,
 * ROLE_PERMISSION_MISSING, ROLE_SCOPE_LIMITED, NOT_FOUND for a record that is not assigned to the person, and what the
 * work raises.
 */
export async function actAsUser<Result>(
  core: Core,
  session: Session,
  { resource, permissions, path }: UserAction,
  work: (organization: Session['organization']) => Promise<Result>,
): Promise<Result> {
  checkStanding(credentialOf(core, session));
  const reach = requireReach(session, resource, permissions);
  if (reach === 'assigned' && path) await requireAssigned(core, session, resource, path);
  return work(session.organization);
}

/** How far a role lets a person use an operation; undefined where it does not. */
export const reachFor = (session: Session, id: VerbId): PermissionReach | undefined =>
  reachOn(session, operations[id].resource, permissionsFor(operations[id]));

/** How far a role lets a person do with a resource what needs these permissions; undefined where it does not. */
export function reachOn(
  session: Session,
  resource: string,
  permissions: readonly Permission[],
): PermissionReach | undefined {
  try {
    return requireReach(session, resource, permissions);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/**
 * What `reachOn` answers. Raises ROLE_PERMISSION_MISSING where the role does not permit it, and ROLE_SCOPE_LIMITED
 * where it permits assigned records alone and nobody is assigned to such records.
 */
export function requireReach(
  session: Session,
  resource: string,
  permissions: readonly Permission[],
): PermissionReach {
  const reach = reachOf(session, permissions);
  if (reach === 'assigned' && isChosenFrom(resource)) return 'all';
  if (reach === 'assigned' && !assignmentFilter(resource)) {
    throw new Problem('role.limited', { permission: permissions[0] ?? '' });
  }
  return reach;
}

/** How far all of the permissions reach. Raises ROLE_PERMISSION_MISSING. */
export function reachOf({ user }: Session, needed: readonly Permission[]): PermissionReach {
  const { permissions } = user;
  if (permissions === 'owner') return 'all';
  const missing = needed.find((permission) => permissions[permission] === undefined);
  if (missing) throw new Problem('role.missing', { permission: missing });
  return needed.some((permission) => permissions[permission] === 'assigned') ? 'assigned' : 'all';
}

/**
 * Stages, tags and the like are assigned to nobody: whoever may see some of the records may read them. The list of
 * people is another matter.
 */
const isChosenFrom = (resource: string): boolean =>
  resourceNames.some((name) => name === resource && name !== 'user' && resources[name].kind === 'lookup');

async function requireAssigned(
  core: Core,
  session: Session,
  resource: string,
  path: Readonly<Record<string, string>>,
): Promise<void> {
  const record = Object(await run(core, session, getOf(resource), { path }));
  const people = [record.owner, record.assignee, ...(record.assignees ?? [])];
  if (!people.some((person) => person?.id === session.user.id)) throw notFound();
}

/** The operation that reads one record. Raises NOT_FOUND where there is none. */
function getOf(resource: string): VerbId {
  const get = Object.values<OperationDeclaration>(operations).find(
    (each) => each.resource === resource && each.kind === 'get',
  );
  if (!get) throw notFound();
  return get.id as VerbId;
}

/**
 * Whether a record still is as a form showed it. Changes by forms come here one after the other, so that of two at the
 * same instant the second finds what the first did. Raises CONFLICT.
 */
async function requireUnchanged(
  reading: Reading & { sql: Transaction },
  id: VerbId,
  { path = {}, unchangedSince }: UserRequest,
): Promise<void> {
  const { resource } = operations[id];
  await lockAll(reading.sql, [lockNumber('form', reading.organization, resource, ...Object.values(path))]);
  const record = Object(await runVerb(getOf(resource), reading, { path, query: {}, body: {} }));
  if (record.updated_at !== unchangedSince) throw new Problem('record.changed');
}

const everyScope: ReadonlySet<Scope> = new Set(
  Object.keys(scopePermissions).concat('products:read') as Scope[],
);

/** What a person brings to a verb; what the role permits was looked at before. */
function credentialOf(core: Core, { user, organization }: Session): Credential {
  const { requestsPerMinute, organizationRequestsPerMinute } = defaultLimits(core.environment);
  return {
    kind: 'session',
    id: user.id,
    name: user.name,
    scopes: everyScope,
    legacy: false,
    expiresAt: null,
    organization: { ...organization, requestsPerMinute, organizationRequestsPerMinute },
    user,
  };
}

async function run(
  core: Core,
  session: Session,
  id: VerbId,
  request: UserRequest,
  onceKey?: string,
): Promise<unknown> {
  const { path = {}, query = [], body = {}, unchangedSince } = request;
  const credential = credentialOf(core, session);
  const bytes = Buffer.from(JSON.stringify(body));
  const raw = { path, query, receive: async () => ({ bytes, parse: () => body }) };
  const { body: answer } = await execute(core, credential, id, raw, {
    // What was refused is not stored: the form can be sent again.
    encode: (outcome) => {
      if ('problem' in outcome) throw outcome.problem;
      return { status: 200, body: JSON.stringify(outcome.result ?? null), noStore: false };
    },
    ...(unchangedSince === undefined
      ? {}
      : {
          precondition: (changing) => requireUnchanged({ ...changing, credential }, id, request),
        }),
    ...(onceKey === undefined
      ? {}
      : { idempotency: { key: onceKey, method: 'console', path: `${id} ${Object.values(path).join()}` } }),
  });
  return JSON.parse(answer);
}
