import { isDeepStrictEqual } from 'node:util';
import {
  anyUuid,
  type EveryOperationId,
  everyOperation,
  type FieldProblem,
  isRecordReference,
  type OperationDeclaration,
  type PermissionReach,
  type Scope,
  scopePermissions,
} from '@dealkeep/contract';
import type { Session } from '../accounts/sessions/sessions.ts';
import type { Services } from '../change/services.ts';
import { isAssignedTo } from '../change/verb/sight.ts';
import type { Changing, ResultOf, Writing } from '../change/verb/verb.ts';
import { defaultLimits } from '../foundations/environment.ts';
import { notFound, Problem } from '../foundations/problem.ts';
import type { Credential } from '../identity/credentials/credential.ts';
import { assignmentFilter, permissionsFor, reachOn, requireReach } from '../identity/credentials/reach.ts';
import { problemsIn } from './execute.ts';
import { lockedRecord } from './locked-record.ts';
import { type Given, run } from './run.ts';

export interface UserRequest extends Given {
  /** The `updated_at` that the record of the path must still have: what the user saw when they decided. */
  readonly unchangedSince?: string;
  /**
   * Raises where what it changes is no longer as it was shown; for what has no such moment. First in the
   * transaction.
   */
  unchanged?(changing: Changing): Promise<void>;
}

/**
 * Runs an operation for somebody who is signed in to the console: the same checks, verbs and events as through the
 * API, bound to what the user's role permits. Where it permits only assigned records, others do not exist for them.
 * With the key of a form, it runs once however often the form is sent. Answers the verb's result; raises what the
 * verb raises, ROLE_PERMISSION_MISSING or ROLE_SCOPE_LIMITED, and CONFLICT when somebody changed the record
 * meanwhile.
 */
export async function runAsUser<Id extends EveryOperationId>(
  core: Services,
  session: Session,
  id: Id,
  request: UserRequest = {},
  onceKey?: string,
): Promise<ResultOf<Id>> {
  const declaration: OperationDeclaration = everyOperation[id];
  const { resource } = declaration;
  const reach = requireReachFor(session, declaration);
  const filter = assignmentFilter(resource);
  let query = request.query ?? [];
  if (reach === 'assigned' && filter && declaration.kind === 'list') {
    query = [...query.filter(([name]) => name !== filter), [filter, session.user.id]];
  } else if (reach === 'assigned' && request.path) {
    await requireAssigned(core, session, resource, request.path);
  }
  const actor = credentialOf(core, session);
  const precondition = async (changing: Changing): Promise<void> => {
    if (request.unchangedSince !== undefined) await requireUnchanged({ ...changing, actor }, id, request);
    await request.unchanged?.(changing);
  };
  return run(core, actor, id, { ...request, query }, { once: onceKey, precondition, from: session.from });
}

/**
 * For work that goes on after its request was judged: whether the user is still active and may do what they could
 * then.
 */
export async function hasUnchangedRole(core: Services, { organization, user }: Session): Promise<boolean> {
  const [now] = await core.sql<{ permissions: Session['user']['permissions'] }[]>`
    select coalesce(r.permissions, '"owner"') as permissions
    from memberships m left join roles r on r.organization_id = m.organization_id and r.id = m.role_id
    where m.organization_id = ${organization.id} and m.id = ${user.id} and m.active`;
  return now !== undefined && isDeepStrictEqual(now.permissions, user.permissions);
}

/**
 * What is wrong with the body of a form, which is not sent: the contract's problems and what can be found besides
 * without running the operation. Raises what a role does not permit.
 */
export async function problemsForUser(
  core: Services,
  session: Session,
  id: EveryOperationId,
  { path = {}, body = {} }: Pick<UserRequest, 'path' | 'body'>,
): Promise<readonly FieldProblem[]> {
  requireReachFor(session, everyOperation[id]);
  return problemsIn(core, credentialOf(core, session), id, { path, body });
}

/**
 * How far a role lets a user use an operation. Raises what {@link requireReach} does, and FORBIDDEN for what only
 * owners do.
 */
export function requireReachFor(session: Session, declaration: OperationDeclaration): PermissionReach {
  const isOwner = session.user.permissions === 'owner';
  if (declaration.ownersOnly && !isOwner) throw new Problem('role.owners_only');
  return requireReach(session, declaration.resource, permissionsFor(declaration));
}

/** How far a role lets a user use an operation; undefined where it does not. */
export const reachFor = (session: Session, id: EveryOperationId): PermissionReach | undefined =>
  reachOn(session, everyOperation[id].resource, permissionsFor(everyOperation[id]));

/** Raises NOT_FOUND for a record that is assigned to somebody else, and where there is none. */
export async function requireAssigned(
  core: Services,
  session: Session,
  resource: string,
  path: Readonly<Record<string, string>>,
): Promise<void> {
  const id = anyUuid.safeParse(Object.values(path)[0]);
  const looking = { sql: core.sql, organization: session.organization.id };
  const isOwn =
    id.success &&
    isRecordReference(resource) &&
    (await isAssignedTo(looking, resource, id.data, session.user.id));
  if (!isOwn) throw notFound();
}

/**
 * Raises CONFLICT where the record is no longer as a form showed it; nobody changes it until the transaction ends.
 */
async function requireUnchanged(
  changing: Writing,
  id: EveryOperationId,
  { path = {}, unchangedSince }: UserRequest,
): Promise<void> {
  const record = Object(await lockedRecord(changing, id, path));
  if (record.updated_at !== unchangedSince) throw new Problem('record.changed');
}

const everyScope: ReadonlySet<Scope> = new Set(
  Object.keys(scopePermissions).concat('products:read') as Scope[],
);

/** What a user brings to a verb; what the role permits was looked at before. */
export function credentialOf(
  core: Pick<Services, 'environment'>,
  { user, organization, assistants }: Pick<Session, 'user' | 'organization' | 'assistants'>,
): Credential {
  const { requestsPerMinute, organizationRequestsPerMinute } = defaultLimits(core.environment);
  return {
    kind: 'session',
    id: user.id,
    name: user.name,
    scopes: everyScope,
    legacy: false,
    expiresAt: null,
    assistants,
    organization: { ...organization, requestsPerMinute, organizationRequestsPerMinute },
    user,
  };
}
