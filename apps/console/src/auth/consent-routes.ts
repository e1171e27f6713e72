import { oauthPaths } from '@dealkeep/contract';
import {
  type AuthorizationRequest,
  allowAuthorization,
  checkAuthorizationRequest,
  denyAuthorization,
  type Session,
} from '@dealkeep/core';
import type { Hono } from 'hono';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { messagePage } from '../frame/message-page.ts';
import { receivedForm } from '../received-form.ts';
import { consentPage } from './consent-page.ts';
import { pathOf, signInAddress } from './guard.ts';
import { type AuthTextName, authSay } from './texts.ts';

/**
 * The authorization endpoint (RFC 6749, 3.1; rules oauth 6 and 7). The whole request is judged before anybody is
 * asked to sign in; consent is asked every time.
 */
export function consentRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(oauthPaths.authorize, (c) =>
    withRequest(c, new URL(c.req.url).searchParams, (request) => {
      const session = c.get('session');
      if (!session) return c.redirect(signInAddress(pathOf(c)), 303);
      return hasLapsed(session) ? lapsed(c, session) : consentPage(c, request);
    }),
  );
  app.post(oauthPaths.authorize, async (c) => {
    const session = c.get('session');
    const form = await receivedForm(c);
    // The request travels in the form as it came, and is judged again.
    const parameters = new URLSearchParams(form.get('request') ?? '');
    return withRequest(c, parameters, async (request) => {
      // The session ended while the page was open: the question is asked again after signing in.
      if (!session) return c.redirect(signInAddress(`${oauthPaths.authorize}?${parameters}`), 303);
      const { core } = c.var;
      if (form.get('decision') !== 'allow') return c.redirect(denyAuthorization(core, request), 303);
      if (hasLapsed(session)) return lapsed(c, session);
      const person = { id: session.user.id, organization: session.organization.id };
      return c.redirect(await allowAuthorization(core, request, person), 303);
    });
  });
}

const hasLapsed = ({ organization }: Session): boolean => organization.subscription !== 'active';

const lapsed = (c: ConsoleContext, { organization }: Session): Promise<Response> =>
  refused(c, 'consentLapsed', { organization: organization.name });

const refusals = {
  client_id: 'consentUnknownApp',
  redirect_uri: 'consentUnknownAddress',
  repeated: 'consentRepeated',
} as const;

async function withRequest(
  c: ConsoleContext,
  parameters: URLSearchParams,
  work: (request: AuthorizationRequest) => Response | Promise<Response>,
): Promise<Response> {
  // Our own parameter for the language is none of the application's.
  parameters.delete('language');
  const check = await checkAuthorizationRequest(c.get('core'), parameters);
  if ('refused' in check) return refused(c, refusals[check.refused]);
  if ('redirect' in check) return c.redirect(check.redirect, 303);
  return work(check.request);
}

function refused(c: ConsoleContext, name: AuthTextName, values = {}): Promise<Response> {
  const text = authSay(c.get('language'));
  return messagePage(c, { title: text('consentRefusedTitle'), sentence: text(name, values) }, 400);
}
