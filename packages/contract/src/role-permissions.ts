import type { Scope } from './scopes.ts';

/** What a role can be given rights on (rule scopes 4). */
export const permissionEntities = [
  'companies',
  'clients',
  'leads',
  'activities',
  'tasks',
  'projects',
  'budget',
  'booking',
  'orders',
  'users',
] as const;

export const permissionRights = ['view', 'create', 'edit'] as const;

/** `leads.view` */
export type Permission = `${(typeof permissionEntities)[number]}.${(typeof permissionRights)[number]}`;

/** How far a permission reaches: all records, or only those assigned to the user. */
export type PermissionReach = 'all' | 'assigned';

/**
 * What the role of the user behind an OAuth connection must permit, for all records, so that a scope can be used
 * (rules scopes 5 and 9). A scope that does not stand here is never usable with an OAuth token.
 */
export const scopePermissions: Partial<Record<Scope, readonly Permission[]>> = {
  'companies:read': ['companies.view'],
  'companies:write': ['companies.edit', 'companies.create'],
  'clients:read': ['clients.view'],
  'clients:write': ['clients.edit', 'clients.create'],
  'leads:read': ['leads.view'],
  'leads:write': ['leads.edit', 'leads.create'],
  'activities:read': ['activities.view'],
  'activities:write': ['activities.edit', 'activities.create'],
  'tasks:read': ['tasks.view'],
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

/** The scopes that an application can ask for. */
export const oauthScopes = Object.keys(scopePermissions) as Scope[];
