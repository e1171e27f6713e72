import { type OperationDeclaration, operations, type Scope, scopePermissions } from '@dealkeep/contract';
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
const permissions = (names: readonly string[], reach: string) =>
  Object.fromEntries(names.map((name) => [name, reach]));

test('the table is the specified one, and holds every scope but products:read', () => {
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
  '%s needs each permission of its scope, for all records, and says which one lacks',
  async (_id, declaration) => {
    const all = needed(declaration);
    for (const lacking of all) {
      await person.permit(
        permissions(
          all.filter((each) => each !== lacking),
          'all',
        ),
      );
      const missing = await call(declaration);
      expect([lacking, missing.outcome]).toEqual([lacking, '403 ROLE_PERMISSION_MISSING']);
      expect(missing.error.message).toContain(lacking);
      await person.permit({ ...permissions(all, 'all'), [lacking]: 'assigned' });
      const limited = await call(declaration);
      expect([lacking, limited.outcome]).toEqual([lacking, '403 ROLE_SCOPE_LIMITED']);
      expect(limited.error.message).toContain(lacking);
    }
    await person.permit(permissions(all, 'all'));
    const { outcome } = await call(declaration);
    // No role does what owners alone do.
    if (declaration.ownersOnly) expect(outcome).toBe('403 FORBIDDEN');
    else expect(outcome).not.toMatch(/^403/);
  },
);

test.each(named(declared.filter(isOfRecords).filter((each) => !reachable.includes(each))))(
  '%s is reached by no OAuth token',
  async (_id, declaration) => {
    await person.permit(permissions(Object.values(table).flat(), 'all'));
    expect((await call(declaration)).outcome).toBe('403 FORBIDDEN');
  },
);

test('an event is subscribed to with the scope and the permission of its records alone', async () => {
  const target_url = 'http://127.0.0.1:4567/';
  await person.permit({ 'leads.view': 'all', 'tasks.view': 'assigned' });
  const subscribe = (event: string) => api.post('/webhooks', { target_url, event });
  expect((await subscribe('lead.created')).outcome).toBe('201');
  expect((await subscribe('task.created')).outcome).toBe('403 ROLE_SCOPE_LIMITED');
  expect((await subscribe('invoice.paid')).outcome).toBe('403 ROLE_PERMISSION_MISSING');
  expect((await subscribe('product.created')).outcome).toBe('403 FORBIDDEN');
  expect((await api.get('/webhooks')).page.data).toHaveLength(1);
});
