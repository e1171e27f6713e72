import { timingSafeEqual } from 'node:crypto';
import { oauthScopes, type Scope } from '@dealkeep/contract';
import type { Clock } from '../../foundations/clock.ts';
import type { Database, Statements, Transaction } from '../../foundations/database/connect.ts';
import { withoutNul } from '../../foundations/database/values.ts';
import { OperatorError, operatorName } from '../../foundations/operator.ts';
import { randomToken, tokenHash } from '../../identity/credentials/credential.ts';
import { redirectUriProblem } from './redirect-uris.ts';

/**
 * How an application proves who it is: by a secret; not at all, but by PKCE that it is the one that asked; or the
 * same, while a document at its client_id says what it is.
 */
export type OAuthAppKind = 'confidential' | 'public' | 'metadata_document';

/** An application that people can connect to their account. */
export interface OAuthApp {
  client_id: string;
  kind: OAuthAppKind;
  name: string;
  redirect_uris: string[];
  scopes: Scope[];
  created_at: string;
  /** Slugs of the organizations that registered it for themselves; null when everybody may connect it. */
  organizations: string[] | null;
}

export interface NewOAuthApp {
  name: string;
  redirectUris: readonly string[];
  scopes: readonly string[];
  /** It runs where it cannot keep a secret, and gets none. */
  isPublic?: boolean;
}

const newSecret = (): string => randomToken('dk_ocs_');

/** Registers an application. Its secret is shown here and never again. Raises OperatorError. */
export async function createOAuthApp(
  operator: { sql: Database; clock: Clock },
  app: NewOAuthApp & { isPublic?: false },
): Promise<{ client_id: string; client_secret: string }>;
export async function createOAuthApp(
  operator: { sql: Database; clock: Clock },
  app: NewOAuthApp,
): Promise<{ client_id: string; client_secret?: string }>;
export async function createOAuthApp(
  { sql, clock }: { sql: Database; clock: Clock },
  app: NewOAuthApp,
): Promise<{ client_id: string; client_secret?: string }> {
  const name = operatorName(app.name);
  const redirectUris = [...new Set(app.redirectUris)];
  const field = 'redirect_uri';
  if (redirectUris.length === 0) throw new OperatorError('must name at least one address', { field });
  for (const uri of redirectUris) {
    const problem = redirectUriProblem(uri);
    if (problem) throw new OperatorError(`${problem}, not "${uri}"`, { field });
  }
  const scopes = knownScopes(app.scopes);
  const secret = app.isPublic ? undefined : newSecret();
  const created = clock.now().toISOString();
  const clientId = await insertOAuthApp(sql, {
    name,
    redirectUris,
    scopes,
    secret,
    everywhere: true,
    created,
  });
  return { client_id: clientId, ...(secret === undefined ? {} : { client_secret: secret }) };
}

/** Raises OperatorError. */
export function knownScopes(given: readonly string[]): Scope[] {
  const scopes = [...new Set(given)].map((scope) => {
    const known = oauthScopes.find((each) => each === scope);
    if (known) return known;
    throw new OperatorError(`OAuth knows no scope "${scope}"; there are ${oauthScopes.join(', ')}`);
  });
  if (scopes.length === 0) throw new OperatorError('must name at least one scope', { field: 'scopes' });
  return scopes;
}

/** Writes an application with a client_id of ours, and answers that. */
export async function insertOAuthApp(
  sql: Statements,
  {
    name,
    redirectUris,
    scopes,
    secret,
    everywhere,
    created,
  }: {
    name: string;
    redirectUris: readonly string[];
    scopes: readonly Scope[];
    secret?: string | undefined;
    everywhere: boolean;
    created: string;
  },
): Promise<string> {
  const clientId = randomToken('dkapp_');
  await sql`
    insert into oauth_apps (client_id, name, secret_hash, redirect_uris, scopes, everywhere, created_at)
    values (${clientId}, ${name}, ${secret === undefined ? null : tokenHash(secret)}, ${[...redirectUris]},
            ${[...scopes]}, ${everywhere}, ${created})`;
  return clientId;
}

/** The columns of an application; `a` is its table. */
const appColumns = (sql: Statements) => sql`
  a.client_id, a.name, a.redirect_uris, a.scopes, a.created_at,
  case when a.secret_hash is not null then 'confidential'
       when a.client_id like 'https://%' then 'metadata_document' else 'public' end as kind,
  case when a.everywhere then null else array(
    select o.slug from oauth_app_organizations r join organizations o on o.id = r.organization_id
    where r.client_id = a.client_id order by o.slug) end as organizations`;

/** All applications, oldest first. */
export const listOAuthApps = (sql: Database): Promise<OAuthApp[]> =>
  sql<OAuthApp[]>`select ${appColumns(sql)} from oauth_apps a order by a.created_at, a.client_id`;

/** Gives an application a new secret; the old one ends at once. Raises OperatorError. */
export async function rotateOAuthAppSecret(
  sql: Database,
  clientId: string,
): Promise<{ client_id: string; client_secret: string }> {
  const secret = newSecret();
  const [app] = await sql`
    update oauth_apps set secret_hash = ${tokenHash(secret)}
    where client_id = ${clientId} and secret_hash is not null returning 1`;
  if (app) return { client_id: clientId, client_secret: secret };
  if (await findOAuthApp(sql, clientId)) {
    throw new OperatorError(`${clientId} is a public application, which has no secret`);
  }
  throw new OperatorError(`There is no application with the id ${clientId}`, {
    help: { shown: 'oauth-apps' },
  });
}

export async function findOAuthApp(sql: Statements, clientId: string): Promise<OAuthApp | undefined> {
  const [app] = await sql<OAuthApp[]>`
    select ${appColumns(sql)} from oauth_apps a where a.client_id = ${withoutNul(clientId)}`;
  return app;
}

/**
 * Whether what a client sent is what the application proves itself by: its secret, or none where it has none. Takes
 * as long for an application that does not exist.
 */
export async function isProvedBy(
  sql: Statements,
  clientId: string,
  secret: string | undefined,
): Promise<boolean> {
  const [app] = await sql<{ secret_hash: Uint8Array | null }[]>`
    select secret_hash from oauth_apps where client_id = ${withoutNul(clientId)}`;
  const given = tokenHash(secret ?? '');
  const same = timingSafeEqual(given, app?.secret_hash ?? tokenHash(''));
  if (!app) return false;
  return app.secret_hash === null ? secret === undefined : secret !== undefined && same;
}

/** Whether people of an organization may connect an application. */
export async function isOpenTo(
  sql: Statements,
  { client_id: clientId }: Pick<OAuthApp, 'client_id'>,
  organization: string,
): Promise<boolean> {
  const [open] = await sql`
    select 1 from oauth_apps a
    where a.client_id = ${clientId} and (a.everywhere or exists (
      select 1 from oauth_app_organizations r
      where r.client_id = a.client_id and r.organization_id = ${organization}))`;
  return open !== undefined;
}

/**
 * The same, for what is about to be connected: nobody takes the registration back until the transaction ends, so
 * that whoever does finds the connection and ends it.
 */
export async function isOpenUntilCommit(
  tx: Transaction,
  { client_id: clientId }: Pick<OAuthApp, 'client_id'>,
  organization: string,
): Promise<boolean> {
  const [app] = await tx<{ open: boolean }[]>`
    with registered as materialized (
      select 1 from oauth_app_organizations
      where client_id = ${clientId} and organization_id = ${organization} for share)
    select a.everywhere or exists (select from registered) as open
    from oauth_apps a where a.client_id = ${clientId}`;
  return app?.open === true;
}

/** Opens an application to the people of an organization. Answers whether it was not before. */
export async function openTo(
  tx: Transaction,
  clientId: string,
  { organization, user, now }: { organization: string; user: string; now: string },
): Promise<boolean> {
  const [opened] = await tx`
    insert into oauth_app_organizations (organization_id, client_id, user_id, created_at)
    values (${organization}, ${clientId}, ${user}, ${now}) on conflict do nothing returning 1`;
  return opened !== undefined;
}
