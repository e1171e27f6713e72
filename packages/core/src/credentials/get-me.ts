import { apiVersion } from '@dealkeep/contract';
import { reads } from '../verb/verb.ts';

export const getMe = reads('me.get', async ({ credential }) => {
  const { organization, user } = credential;
  return {
    organization: { id: organization.id, name: organization.name, slug: organization.slug },
    token: {
      id: credential.id,
      name: credential.name,
      scopes: [...credential.scopes],
      expires_at: credential.expiresAt,
    },
    api_version: apiVersion,
    limits: {
      requests_per_minute: organization.requestsPerMinute,
      org_requests_per_minute: organization.organizationRequestsPerMinute,
    },
    auth: credential.kind === 'oauth' ? ('oauth' as const) : ('api_key' as const),
    ...(credential.kind === 'oauth' ? { user: { id: user.id, name: user.name, email: user.email } } : {}),
  };
});
