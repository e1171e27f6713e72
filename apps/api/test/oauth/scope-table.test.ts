import {
  type OperationDeclaration,
  operations,
  type PermissionReach,
  type Scope,
  scopePermissions,
} from '@dealkeep/contract';
import { Problem } from '@dealkeep/core/foundations';
import { authorize } from '@dealkeep/core/identity';
import { connectedUser, sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();
const person = await connectedUser(
  dealkeep,
  organization,
  'users.create=all',
  Object.keys(scopePermissions) as Scope[],
);
const api = dealkeep.as(person.token, { writesOnly: true });

/** The table of rule scopes 5, as it stands there. */
const table: Record<string, readonly string[]> = {
  'companies:read': ['companies.view'],
  'clients:read': ['clients.view'],
  'leads:read': ['leads.view'],
  'activities:read': ['activities.view'],
  'tasks:read': ['tasks.view'],
  'companies:write': ['companies.edit', 'companies.create'],
  'clients:write': ['clients.edit', 'clients.create'],
  'leads:write': ['leads.edit', 'leads.create'],
  'activities:write': ['activities.edit', 'activities.create'],
  'tasks:write': ['tasks.edit', 'tasks.create'],
  'invoices:read': ['budget.view'],
  'invoices:write': ['budget.edit', 'budget.create'],
  'bookings:read': ['booking.view'],
  'bookings:write': ['booking.create', 'booking.edit'],
  'orders:read': ['orders.view'],
  'orders:write': ['orders.edit'],
  'users:read': ['users.view'],
  'webhooks:manage': [],
};

const declared: OperationDeclaration[] = Object.values(operations);
const needed = ({ scope, alsoScope, path }: OperationDeclaration): readonly string[] => [
  ...(table[scope ?? ''] ?? []),
  ...(table[alsoScope ?? ''] ?? []),
  ...(path.startsWith('/projects') ? ['projects.view'] : []),
];
const call = ({ method, path }: OperationDeclaration) =>
  api.send(method, path.replaceAll(/\{[^}]*\}/g, 'x'), method === 'GET' ? undefined : {});
type RolePermissions = Readonly<Record<string, PermissionReach>>;
const permissions = (names: readonly string[], reach: PermissionReach): RolePermissions =>
  Object.fromEntries(names.map((name) => [name, reach]));
const credential = await dealkeep.core.credentials.find(
  { authorization: `Bearer ${person.token}`, userAgent: undefined },
  'api',
);
/** What an operation is refused with where the role permits no more; nothing where it is allowed. */
function refusal(
  declaration: OperationDeclaration,
  permitted: RolePermissions,
): [code?: string, message?: string] {
  try {
    authorize({ ...credential, user: { ...credential.user, permissions: permitted } }, declaration);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [error.code, JSON.stringify(error.body('en'))];
  }
}

test('the table is the specified one, and holds every scope but products:read (rule scopes 5)', () => {
  expect(scopePermissions).toEqual(table);
  const used = new Set(declared.map(({ scope }) => scope));
  expect([...used].filter((scope) => scope !== null && !table[scope])).toEqual(['products:read']);
});

/** Events ask for what their records ask for (`event-feed/list-events.long.test.ts`). */
const isOfRecords = ({ resource }: OperationDeclaration): boolean => resource !== 'event';
const reachable = declared
  .filter(isOfRecords)
  .filter(({ scope }) => scope === null || table[scope] !== undefined);
const named = (list: readonly OperationDeclaration[]) => list.map((each) => [each.id, each] as const);

test.each(named(reachable))(
  '%s needs each permission of its scope, for all records, and says which one lacks (rules scopes 5 and 6)',
  (_id, declaration) => {
    const all = needed(declaration);
    for (const lacking of all) {
      const others = permissions(
        all.filter((each) => each !== lacking),
        'all',
      );
      const missing = refusal(declaration, others);
      expect([lacking, ...missing]).toEqual([
        lacking,
        'ROLE_PERMISSION_MISSING',
        expect.stringContaining(lacking),
      ]);
      const limited = refusal(declaration, { ...others, [lacking]: 'assigned' });
      expect([lacking, ...limited]).toEqual([
        lacking,
        'ROLE_SCOPE_LIMITED',
        expect.stringContaining(lacking),
      ]);
    }
    const [code] = refusal(declaration, permissions(all, 'all'));
    // No role does what owners alone do.
    expect(code).toBe(declaration.ownersOnly ? 'FORBIDDEN' : undefined);
  },
);

test('over HTTP each operation is refused to a role that permits nothing (rule scopes 5)', async () => {
  await person.permit({});
  for (const declaration of reachable) {
    const { outcome } = await call(declaration);
    const expected =
      needed(declaration).length > 0 ? '403 ROLE_PERMISSION_MISSING' : expect.not.stringMatching(/^403 ROLE/);
    expect([declaration.id, outcome]).toEqual([declaration.id, expected]);
  }
});

test.each(named(declared.filter(isOfRecords).filter((each) => !reachable.includes(each))))(
  '%s is reached by no OAuth token (rule scopes 9)',
  async (_id, declaration) => {
    await person.permit(permissions(Object.values(table).flat(), 'all'));
    expect((await call(declaration)).outcome).toBe('403 FORBIDDEN');
  },
);

test('an event is subscribed to with the scope and the permission of its records alone (rule scopes 3)', async () => {
  const target_url = 'http://127.0.0.1:4567/';
  await person.permit({ 'leads.view': 'all', 'tasks.view': 'assigned' });
  const subscribe = (event: string) => api.post('/webhooks', { target_url, event });
  expect((await subscribe('lead.created')).outcome).toBe('201');
  expect((await subscribe('task.created')).outcome).toBe('403 ROLE_SCOPE_LIMITED');
  expect((await subscribe('invoice.paid')).outcome).toBe('403 ROLE_PERMISSION_MISSING');
  expect((await subscribe('product.created')).outcome).toBe('403 FORBIDDEN');
  expect((await api.get('/webhooks')).page.data).toHaveLength(1);
});
