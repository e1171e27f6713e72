import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';
import type { Scope } from '@dealkeep/contract';
import {
  allowAuthorization,
  checkAuthorizationRequest,
  createOAuthApp,
  createRole,
  exchangeTokens,
} from '@dealkeep/core/accounts';
import { ownerPasswordHash, type TestDealkeep, type TestOrganization } from './start-dealkeep.ts';

const redirectUri = 'https://app.example/callback';

/**
 * A user of a role, who signs in with `correct horse battery`, and the application that they connected to their
 * account.
 */
export interface ConnectedUser {
  id: string;
  email: string;
  connectionId: string;
  /** The access token. */
  token: string;
  /** `{"leads.view": "all"}` */
  permit(permissions: Readonly<Record<string, string>>): Promise<void>;
}

/** Adds a user with this role to an organization, and connects an application to their account. */
export async function connectedUser(
  { core, sql }: TestDealkeep,
  { id: organization, slug }: TestOrganization,
  permissions: string,
  scopes: readonly Scope[] = ['leads:read', 'companies:read', 'webhooks:manage'],
): Promise<ConnectedUser> {
  const name = randomBytes(6).toString('hex');
  await createRole(core, { organization: slug, name, permissions });
  const email = `${name}@${slug}.example`;
  const userId = randomUUIDv7();
  const now = core.clock.now().toISOString();
  // By one statement: a password is hashed slowly, and here nobody's is asked for.
  await sql`
    with account as (
      insert into users (id, email, email_verified, password_hash, created_at, updated_at)
      values (${userId}, ${email}, true, ${ownerPasswordHash}, ${now}, ${now}) returning id)
    insert into memberships (organization_id, id, person_id, name, role_id, created_at, updated_at)
    select organization_id, account.id, account.id, 'Eva', roles.id, ${now}, ${now} from account, roles
    where organization_id = ${organization} and roles.name = ${name}`;
  const app = await createOAuthApp(core, { name: `App ${name}`, redirectUris: [redirectUri], scopes });
  const verifier = randomBytes(32).toString('base64url');
  const check = await checkAuthorizationRequest(
    core,
    new URLSearchParams({
      response_type: 'code',
      client_id: app.client_id,
      redirect_uri: redirectUri,
      state: 'x',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }),
  );
  if (!('request' in check)) throw new Error(JSON.stringify(check));
  const sentTo = await allowAuthorization(core, check.request, { id: userId, name: 'Eva', organization });
  const { access_token: token } = await exchangeTokens(core, {
    authorization: undefined,
    parameters: new URLSearchParams({
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      client_id: app.client_id,
      client_secret: app.client_secret,
      code: new URL(sentTo).searchParams.get('code') ?? '',
    }),
  });
  const [connection] = await sql<{ id: string }[]>`
    select id from oauth_connections where organization_id = ${organization} and user_id = ${userId}`;
  return {
    id: userId,
    email,
    connectionId: connection?.id ?? '',
    token,
    permit: async (permitted) => {
      await sql`
        update roles set permissions = ${sql.json(permitted)}
        where organization_id = ${organization} and name = ${name}`;
    },
  };
}
