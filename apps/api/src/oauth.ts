import { oauthPaths } from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import {
  authorizationServerMetadata,
  type ClientRequest,
  exchangeTokens,
  OAuthError,
  revokeToken,
} from '@dealkeep/core/accounts';
import { openForm, receiveForm } from '@dealkeep/core/change';
import { Problem } from '@dealkeep/core/foundations';
import { protectedResourceMetadata, resourceMetadataPaths } from '@dealkeep/core/identity';
import type { Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import type { ApiEnvironment } from './api-environment.ts';
import { originOf, storyOf } from './request-story.ts';

type OAuthContext = Context<ApiEnvironment>;

/**
 * Token endpoint, revocation endpoint and metadata documents. The authorization endpoint is a page of the console.
 */
export function oauthRoutes(app: Hono<ApiEnvironment>, core: Core): void {
  app.post(oauthPaths.token, (c) =>
    answer(c, async () => c.json({ ...(await exchangeTokens(core, await clientRequest(core, c))) })),
  );
  app.post(oauthPaths.revoke, (c) =>
    answer(c, async () => {
      await revokeToken(core, await clientRequest(core, c));
      return c.body(null, 200);
    }),
  );
  for (const path of [oauthPaths.token, oauthPaths.revoke]) {
    app.all(path, (c) => {
      c.header('Allow', 'POST');
      return errorResponse(c, new OAuthError('invalid_request', 'This endpoint takes POST alone'), 405);
    });
  }
  const documents = [oauthPaths.authorizationServer, ...resourceMetadataPaths.keys()];
  for (const path of documents) app.use(path, cors({ origin: '*', allowMethods: ['GET'] }));
  app.get(oauthPaths.authorizationServer, (c) => c.json(authorizationServerMetadata(core.origin)));
  for (const [path, described] of resourceMetadataPaths) {
    app.get(path, (c) => c.json(protectedResourceMetadata(core.origin, described)));
  }
}

/** RFC 6749, 3.2: parameters stand in the body, form-encoded; those in the address are not read. */
async function clientRequest(core: Core, c: OAuthContext): Promise<ClientRequest> {
  const arrival = core.reception.begin({ address: originOf(core, c).address ?? undefined });
  try {
    const sent = { contentType: c.req.header('content-type'), body: c.req.raw.body, arrival };
    return { authorization: c.req.header('authorization'), parameters: await receiveForm(sent, openForm) };
  } finally {
    arrival.end();
  }
}

async function answer(c: OAuthContext, work: () => Promise<Response>): Promise<Response> {
  // Tokens must not be cached (RFC 6749, 5.1).
  c.header('Cache-Control', 'no-store');
  c.header('Pragma', 'no-cache');
  try {
    return await work();
  } catch (error) {
    if (error instanceof OAuthError) return errorResponse(c, error);
    if (error instanceof Problem && error.code === 'RATE_LIMITED') {
      c.header('Retry-After', String(error.values['seconds']));
      const { message } = error.body('en').error;
      return errorResponse(c, new OAuthError('temporarily_unavailable', message), 429);
    }
    // A form that is too large or malformed.
    if (error instanceof Problem && error.code === 'BAD_REQUEST') {
      return errorResponse(c, new OAuthError('invalid_request', error.body('en').error.message));
    }
    throw error;
  }
}

/** An error in the form of RFC 6749, 5.2. */
function errorResponse(c: OAuthContext, error: OAuthError, status?: 405 | 429): Response {
  storyOf(c).code = error.code;
  const body = { error: error.code, error_description: error.message };
  if (error.code !== 'invalid_client') return c.json(body, status ?? 400);
  c.header('WWW-Authenticate', 'Basic realm="Dealkeep", charset="UTF-8"');
  return c.json(body, 401);
}
