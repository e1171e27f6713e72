import { timingSafeEqual } from 'node:crypto';
import { oauthScopes, type Scope } from '@dealkeep/contract';
import type { Clock } from '../clock.ts';
import { randomToken, tokenHash } from '../credentials/token.ts';
import type { Database, Statements } from '../database/connect.ts';
import { withoutNul } from '../database/without-nul.ts';
import { OperatorError } from '../operator-error.ts';
import { operatorName } from '../operator-name.ts';
import { redirectUriProblem } from './redirect-uri.ts';

/** An application that people can connect to their account. */
export interface OAuthApp {
  client_id: string;
  name: string;
  redirect_uris: string[];
  scopes: Scope[];
  created_at: string;
}

export interface NewOAuthApp {
  name: string;
  redirectUris: readonly string[];
  scopes: readonly string[];
}

const newSecret = (): string => randomToken('dk_ocs_');

/** Registers an application. The secret is shown here and never again. Raises OperatorError. */
export async function createOAuthApp(
  { sql, clock }: { sql: Database; clock: Clock },
  app: NewOAuthApp,
): Promise<{ client_id: string; client_secret: string }> {
  const name = operatorName('--name', app.name);
  const redirectUris = [...new Set(app.redirectUris)];
  if (redirectUris.length === 0) throw new OperatorError('--redirect-uri must name at least one address');
  for (const uri of redirectUris) {
    const problem = redirectUriProblem(uri);
    if (problem) throw new OperatorError(`--redirect-uri ${problem}, not "${uri}"`);
  }
  const scopes = [...new Set(app.scopes)].map((scope) => {
    const known = oauthScopes.find((each) => each === scope);
    if (known) return known;
    throw new OperatorError(`OAuth knows no scope "${scope}"; there are ${oauthScopes.join(', ')}`);
  });
  if (scopes.length === 0) throw new OperatorError('--scopes must name at least one scope');
  const clientId = randomToken('dkapp_');
  const secret = newSecret();
  await sql`
    insert into oauth_apps (client_id, name, secret_hash, redirect_uris, scopes, created_at)
    values (${clientId}, ${name}, ${tokenHash(secret)}, ${redirectUris}, ${scopes}, ${clock.now().toISOString()})`;
  return { client_id: clientId, client_secret: secret };
}

/** All applications, oldest first. */
export const listOAuthApps = (sql: Database): Promise<OAuthApp[]> =>
  sql<OAuthApp[]>`
    select client_id, name, redirect_uris, scopes, created_at from oauth_apps order by created_at, client_id`;

/** Gives an application a new secret; the old one ends at once. Raises OperatorError. */
export async function rotateOAuthAppSecret(
  sql: Database,
  clientId: string,
): Promise<{ client_id: string; client_secret: string }> {
  const secret = newSecret();
  const [app] = await sql`
    update oauth_apps set secret_hash = ${tokenHash(secret)} where client_id = ${clientId} returning 1`;
  if (!app) {
    throw new OperatorError(
      `There is no application with the id ${clientId}; \`dealkeep oauth-apps list\` shows all`,
    );
  }
  return { client_id: clientId, client_secret: secret };
}

export async function findOAuthApp(sql: Statements, clientId: string): Promise<OAuthApp | undefined> {
  const [app] = await sql<OAuthApp[]>`
    select client_id, name, redirect_uris, scopes, created_at from oauth_apps
    where client_id = ${withoutNul(clientId)}`;
  return app;
}

/** Whether a secret is the application's; takes as long for an application that does not exist. */
export async function isSecretOf(sql: Statements, clientId: string, secret: string): Promise<boolean> {
  const [app] = await sql<{ secret_hash: Uint8Array }[]>`
    select secret_hash from oauth_apps where client_id = ${withoutNul(clientId)}`;
  const given = tokenHash(secret);
  const same = timingSafeEqual(given, app?.secret_hash ?? tokenHash(''));
  return same && app !== undefined;
}
