import type { ApiClient } from '@dealkeep/testing';

const lists = [
  ...[
    '/companies',
    '/contacts',
    '/clients',
    '/leads',
    '/activities',
    '/tasks',
    '/invoices',
    '/bookings',
    '/orders',
  ],
  ...[
    '/products',
    '/pipelines',
    '/lead-origins',
    '/lost-reasons',
    '/activity-types',
    '/tags',
    '/custom-fields',
  ],
  ...['/projects', '/booking-services', '/booking-staff', '/users'],
] as const;

/** Everything that the API shows, as it stands. */
export async function everythingShown(api: ApiClient): Promise<Record<string, unknown>> {
  const pages = await Promise.all(
    lists.map(
      async (path) => [path, (await api.get(path, { limit: 100, sort: 'created_at' })).json] as const,
    ),
  );
  return Object.fromEntries(pages);
}
