import {
  type OperationDeclaration,
  operations,
  type Permission,
  type PermissionReach,
  type Scope,
  scopePermissions,
} from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Credential } from '../credentials/credential.ts';
import { notFound, Problem } from '../problem.ts';
import { defaultLimits } from '../rate-limits/default-limits.ts';
import { execute } from '../verb/execute.ts';
import type { VerbId } from '../verbs.ts';
import type { Session } from './sessions.ts';

export interface PersonRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly body?: Readonly<Record<string, unknown>>;
}

/**
 * Runs an operation for somebody who is signed in to the console: the same checks, verbs and events as through the
 * API, bound to what the person's role permits. Where it permits only assigned records, others do not exist for them.
 * Answers the verb's result; raises what the verb raises, and ROLE_PERMISSION_MISSING or ROLE_SCOPE_LIMITED.
 */
export async function runAsPerson(
  core: Core,
  session: Session,
  id: VerbId,
  request: PersonRequest = {},
): Promise<unknown> {
  const declaration: OperationDeclaration = operations[id];
  const reach = reachOf(session, permissionsFor(declaration));
  const query = [...(request.query ?? [])];
  if (reach === 'assigned') {
    const filter = assignmentFilter(declaration);
    if (!filter) throw new Problem('role.limited', { permission: permissionsFor(declaration)[0] ?? '' });
    if (declaration.kind === 'list') query.push([filter, session.user.id]);
    else if (request.path) await requireAssigned(core, session, declaration, request.path);
  }
  return run(core, session, id, { ...request, query });
}

/** What a role must permit for an operation. Products have no permission of their own: they belong to orders. */
function permissionsFor({ scope, permissions = [] }: OperationDeclaration): readonly Permission[] {
  const ofScope: readonly Permission[] =
    scope === 'products:read' ? ['orders.view'] : ((scope && scopePermissions[scope]) ?? []);
  return [...ofScope, ...permissions];
}

/** How far all of the permissions reach. Raises ROLE_PERMISSION_MISSING. */
export function reachOf({ user }: Session, needed: readonly Permission[]): PermissionReach {
  const { permissions } = user;
  if (permissions === 'owner') return 'all';
  const missing = needed.find((permission) => permissions[permission] === undefined);
  if (missing) throw new Problem('role.missing', { permission: missing });
  return needed.some((permission) => permissions[permission] === 'assigned') ? 'assigned' : 'all';
}

/** The filter of a resource's list that says whose a record is. */
function assignmentFilter({ resource }: OperationDeclaration): 'assignee_id' | 'owner_id' | undefined {
  const list = Object.values<OperationDeclaration>(operations).find(
    (each) => each.resource === resource && each.kind === 'list',
  );
  return (['assignee_id', 'owner_id'] as const).find((name) => list?.query && Object.hasOwn(list.query.shape, name));
}

async function requireAssigned(
  core: Core,
  session: Session,
  { resource }: OperationDeclaration,
  path: Readonly<Record<string, string>>,
): Promise<void> {
  const get = Object.values<OperationDeclaration>(operations).find(
    (each) => each.resource === resource && each.kind === 'get',
  );
  if (!get) throw notFound();
  const record = Object(await run(core, session, get.id as VerbId, { path }));
  const people = [record.owner, record.assignee, ...(record.assignees ?? [])];
  if (!people.some((person) => person?.id === session.user.id)) throw notFound();
}

const everyScope: ReadonlySet<Scope> = new Set(Object.keys(scopePermissions).concat('products:read') as Scope[]);

/** Runs the verb; what the role permits was looked at before. */
async function run(core: Core, session: Session, id: VerbId, request: PersonRequest): Promise<unknown> {
  const { requestsPerMinute, organizationRequestsPerMinute } = defaultLimits(core.environment);
  const credential: Credential = {
    kind: 'session',
    id: session.user.id,
    name: session.user.name,
    scopes: everyScope,
    legacy: false,
    expiresAt: null,
    organization: { ...session.organization, requestsPerMinute, organizationRequestsPerMinute },
    user: session.user,
  };
  let result: unknown;
  const bytes = Buffer.from(JSON.stringify(request.body ?? {}));
  await execute(
    core,
    credential,
    id,
    {
      path: request.path ?? {},
      query: request.query ?? [],
      receive: async () => ({ bytes, parse: () => request.body ?? {} }),
    },
    {
      encode: (outcome) => {
        if ('problem' in outcome) throw outcome.problem;
        result = outcome.result;
        return { status: 200, body: '', noStore: false };
      },
    },
  );
  return result;
}
