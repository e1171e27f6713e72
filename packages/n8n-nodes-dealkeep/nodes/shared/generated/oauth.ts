// Generated from @dealkeep/contract by `npm run generate`. Change the contract or scripts/, not this file.

/** OAuth endpoints, below the origin. */
export const consentPath = '/oauth/authorize';
export const tokenPath = '/oauth/token';

/** Scopes that a connection can have. */
export const oauthScopes: readonly string[] = ['companies:read', 'companies:write', 'clients:read', 'clients:write', 'leads:read', 'leads:write', 'activities:read', 'activities:write', 'tasks:read', 'tasks:write', 'invoices:read', 'invoices:write', 'bookings:read', 'bookings:write', 'orders:read', 'orders:write', 'users:read', 'webhooks:manage'];
