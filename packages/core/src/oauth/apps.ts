import { timingSafeEqual } from 'node:crypto';
import { oauthScopes, type Scope } from '@dealkeep/contract';
import type { Clock } from '../clock.ts';
import { randomToken, tokenHash } from '../credentials/credential.ts';
import type { Database, Statements } from '../database/connect.ts';
import { withoutNul } from '../database/values.ts';
import { OperatorError, operatorName } from '../operator.ts';

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

const loopbackHosts = new Set(['127.0.0.1', '[::1]']);

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

const isLoopback = (url: URL): boolean => url.protocol === 'http:' && loopbackHosts.has(url.hostname);

/** Why an address cannot be registered for redirects, undefined when it can (RFC 6749, 3.1.2; RFC 8252, 7.3). */
function redirectUriProblem(text: string): string | undefined {
  const url = parse(text);
  if (!url || /\s/.test(text)) return 'takes a whole address such as https://app.example/callback';
  if (text.includes('#')) return 'takes an address without a fragment';
  if (url.username || url.password) return 'takes an address without user information';
  // Plain http is for an application on the person's own machine and for developing one.
  if (
    url.protocol === 'https:' ||
    isLoopback(url) ||
    (url.protocol === 'http:' && url.hostname === 'localhost')
  )
    return undefined;
  return 'takes an https address, or http on 127.0.0.1, [::1] or localhost';
}

/**
 * Whether an address of a request is one that was registered: equal to the letter, but for the port of a loopback
 * address, which a native application is free to choose (RFC 9700, 2.1; RFC 8252, 7.3).
 */
export function isRegisteredRedirectUri(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true;
  const url = parse(asked);
  if (!url || !isLoopback(url)) return false;
  const port = url.port === '' ? '' : `:${url.port}`;
  // Only the port may differ, so that what is compared stays what was sent.
  const without = asked.replace(`//${url.hostname}${port}`, `//${url.hostname}`);
  return registered.some((each) => {
    const own = parse(each);
    if (!own || !isLoopback(own) || own.hostname !== url.hostname) return false;
    return each.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d+/, '$1') === without;
  });
}
