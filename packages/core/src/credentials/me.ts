import { apiVersion } from '@dealkeep/contract';
import { reads } from '../verb/verb.ts';

/** What a program is told of the credential that it uses. */
export const getMe = reads('me.get', async ({ actor: credential }) => {
  const { organization, user } = credential;
  return {
    organization: {
      id: organization.id,
      name: organization.name,
      slug: organization.slug,
      currency: organization.currency,
      time_zone: organization.timeZone,
      country_code: organization.countryCode,
    },
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
