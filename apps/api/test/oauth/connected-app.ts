import type { Scope } from '@dealkeep/contract';
import {
  type AuthorizationRequest,
  allowAuthorization,
  checkAuthorizationRequest,
  createOAuthApp,
} from '@dealkeep/core/accounts';
import type { TestDealkeep, TestOrganization } from '@dealkeep/testing';
import * as oauth from 'oauth4webapi';

/** Where the application's people are sent back to; nothing listens there. */
export const redirectUri = 'https://app.example/callback';

/** An application registered with Dealkeep, acting by oauth4webapi: a client that no one here wrote. */
export interface ConnectedApp {
  readonly client: oauth.Client;
  /** Empty where it has none. */
  readonly secret: string;
  readonly server: oauth.AuthorizationServer;
  readonly options: {
    [oauth.customFetch]: (url: string, options: RequestInit | object) => Promise<Response>;
    [oauth.allowInsecureRequests]: true;
  };
  /** The parameters of a good authorization request, and the verifier behind its challenge. */
  request(
    changes?: Readonly<Record<string, string>>,
  ): Promise<{ parameters: URLSearchParams; verifier: string; state: string }>;
  /** A person of the organization agrees; answers the address that they are sent to. */
  allow(parameters: URLSearchParams, person: { id: string; organization: string }): Promise<string>;
  /** The whole flow; answers the tokens. */
  connect(
    organization: TestOrganization,
    options?: { user?: string; scopes?: readonly Scope[] },
  ): Promise<oauth.TokenEndpointResponse & { refresh_token: string }>;
  /** A person of the organization agrees; answers the code, and the form that redeems it. */
  grant(
    organization: TestOrganization,
    changes?: Readonly<Record<string, string>>,
  ): Promise<{ code: string; form: Readonly<Record<string, string>> }>;
  /** A form posted to the token endpoint with the application's credentials. */
  post(
    form: Readonly<Record<string, string>>,
    path?: string,
  ): Promise<{ status: number; body: Body; headers: Headers }>;
}

type Body = { error?: string; error_description?: string; access_token?: string; refresh_token?: string };

export async function registerApp(
  dealkeep: TestDealkeep,
  {
    scopes = ['leads:read', 'leads:write', 'webhooks:manage'],
    redirectUris = [redirectUri],
  }: {
    scopes?: readonly Scope[];
    redirectUris?: readonly string[];
  } = {},
): Promise<ConnectedApp> {
  const app = await createOAuthApp(dealkeep.core, { name: 'Automation', redirectUris, scopes });
  return actAs(dealkeep, app);
}

/** An application that is registered already; without a secret it is a public client. */
export async function actAs(
  dealkeep: TestDealkeep,
  app: { readonly client_id: string; readonly client_secret?: string },
): Promise<ConnectedApp> {
  const { core } = dealkeep;
  const client: oauth.Client = { client_id: app.client_id };
  // The issuer is the origin that links are built from; the test's server listens elsewhere.
  const toServer = (url: string, init: RequestInit | object) =>
    fetch(url.replace(core.origin, dealkeep.origin), init);
  const options = { [oauth.customFetch]: toServer, [oauth.allowInsecureRequests]: true } as const;
  const issuer = new URL(core.origin);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options }),
  );

  const request: ConnectedApp['request'] = async (changes = {}) => {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const parameters = new URLSearchParams({
      response_type: 'code',
      client_id: app.client_id,
      redirect_uri: redirectUri,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      ...changes,
    });
    return { parameters, verifier, state };
  };
  const allow: ConnectedApp['allow'] = async (parameters, person) =>
    allowAuthorization(core, await checkedRequest(dealkeep, parameters), { ...person, name: 'Eva' });

  const secret = app.client_secret ?? '';
  const authentication = secret === '' ? oauth.None() : oauth.ClientSecretPost(secret);
  return {
    client,
    secret,
    server,
    options,
    request,
    allow,
    async grant(organization, changes) {
      const { parameters, verifier } = await request(changes);
      const sentTo = await allow(parameters, { id: organization.ownerId, organization: organization.id });
      const code = new URL(sentTo).searchParams.get('code') ?? '';
      const redirect = parameters.get('redirect_uri') ?? '';
      const form = {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: redirect,
      };
      return { code, form };
    },
    async connect(organization, { user = organization.ownerId, scopes: asked } = {}) {
      const { parameters, verifier, state } = await request(asked ? { scope: asked.join(' ') } : {});
      const sentTo = await allow(parameters, { id: user, organization: organization.id });
      const callback = oauth.validateAuthResponse(server, client, new URL(sentTo), state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        callback,
        redirectUri,
        verifier,
        options,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
      return { ...tokens, refresh_token: tokens.refresh_token ?? '' };
    },
    async post(form, path = '/oauth/token') {
      const response = await fetch(`${dealkeep.origin}${path}`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: app.client_id, client_secret: secret, ...form }),
      });
      const text = await response.text();
      return {
        status: response.status,
        body: text === '' ? {} : JSON.parse(text),
        headers: response.headers,
      };
    },
  };
}

async function checkedRequest(
  { core }: TestDealkeep,
  parameters: URLSearchParams,
): Promise<AuthorizationRequest> {
  const check = await checkAuthorizationRequest(core, parameters);
  if ('request' in check) return check.request;
  throw new Error(`The authorization request is not good: ${JSON.stringify(check)}`);
}
