import { createHash, randomBytes } from 'node:crypto';
import type { Scope } from '@dealkeep/contract';
import {
  allowAuthorization,
  checkAuthorizationRequest,
  createOAuthApp,
  createRole,
  createUser,
  exchangeTokens,
} from '@dealkeep/core';
import { ownerPasswordHash, type TestDealkeep, type TestOrganization } from './start-dealkeep.ts';

const redirectUri = 'https://app.example/callback';

/** A user of a role, who signs in with `correct horse battery`, and the application that they connected to their account. */
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
  const user = await createUser(core, { organization: slug, name: 'Eva', email, role: name });
  await sql`update users set password_hash = ${ownerPasswordHash} where email = ${email}`;
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
  const sentTo = await allowAuthorization(core, check.request, { id: user.id, name: 'Eva', organization });
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
    select id from oauth_connections where organization_id = ${organization} and user_id = ${user.id}`;
  return {
    id: user.id,
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
