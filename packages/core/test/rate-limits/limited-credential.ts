import { randomUUID } from 'node:crypto';
import type { Credential } from '../../src/identity/credentials/credential.ts';

/** A key of which, and of whose organization, so many requests pass in a minute. */
export function credentialOf(limit: number): Credential {
  const id = randomUUID();
  const organization = { id: randomUUID(), name: 'Test', slug: 'test' } as const;
  return {
    kind: 'api_key',
    id,
    name: 'Test',
    scopes: new Set(),
    legacy: false,
    expiresAt: null,
    assistants: { access: 'all', toolSets: null },
    organization: {
      ...organization,
      currency: 'EUR',
      timeZone: 'Europe/Bratislava',
      countryCode: 'SK',
      subscription: 'active',
      requestsPerMinute: limit,
      organizationRequestsPerMinute: limit,
    },
    user: { id, name: 'Test', email: 'test@test.example', active: true, permissions: 'owner' },
  };
}
