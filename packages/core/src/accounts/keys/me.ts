import { apiVersion, type Language } from '@dealkeep/contract';
import { reads } from '../../change/verb/verb.ts';
import type { Statements } from '../../foundations/database/connect.ts';
import type { Credential } from '../../identity/credentials/credential.ts';

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

/** The language of whoever is behind a credential, as their mails have it: English where they have chosen none. */
export async function callerLanguage(
  { sql }: { readonly sql: Statements },
  { organization, user }: Pick<Credential, 'organization' | 'user'>,
): Promise<Language> {
  const [row] = await sql<{ language: Language | null }[]>`
    select language from memberships where organization_id = ${organization.id} and id = ${user.id}`;
  return row?.language ?? 'en';
}
