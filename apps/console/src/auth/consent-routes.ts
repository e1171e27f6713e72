import { oauthPaths, type Scope, scopePermissions, scopes } from '@dealkeep/contract';
import {
  type AuthorizationRequest,
  allowAuthorization,
  checkAuthorizationRequest,
  denyAuthorization,
  isOpenTo,
  leadsToOwnMachine,
  type OAuthError,
  type Session,
} from '@dealkeep/core/accounts';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { type ConsoleContext, type ConsoleEnvironment, receivedForm, sessionOf } from '../context.ts';
import { messagePage, plainPage } from '../frame/plain-page.ts';
import type { Markup } from '../markup.ts';
import { permissionWords } from '../problem-words.ts';
import { allowFormTarget } from '../security-headers.ts';
import { forgeryField } from './forgery.ts';
import { pathOf, signInAddress } from './guard.ts';
import { otherOrganizations, switchForm } from './organization-switch.ts';
import { type AuthTextName, authSay } from './texts.ts';
import { unregisteredPage } from './unregistered-page.ts';

/**
 * The authorization endpoint (RFC 6749, 3.1; rules oauth 6 and 7). The whole request is judged before anybody is
 * asked to sign in; consent is asked every time.
 */
export function consentRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(oauthPaths.authorize, (c) => {
    const parameters = new URL(c.req.url).searchParams;
    return withRequest(c, { parameters, back: pathOf(c) }, (request, { organization }) =>
      organization.subscription === 'active' ? consentPage(c, request) : lapsed(c, organization),
    );
  });
  app.post(oauthPaths.authorize, async (c) => {
    const form = await receivedForm(c);
    // The request travels in the form as it came, and is judged again.
    const parameters = new URLSearchParams(form.get('request') ?? '');
    // When the session ended while the page was open, the question is asked again after signing in.
    const back = `${oauthPaths.authorize}?${parameters}`;
    return withRequest(c, { parameters, back }, async (request, { user, organization, from }) => {
      const { core } = c.var;
      if (form.get('decision') !== 'allow') return c.redirect(denyAuthorization(core, request), 303);
      if (organization.subscription !== 'active') return lapsed(c, organization);
      const consenting = { ...user, organization: organization.id, from };
      return c.redirect(await allowAuthorization(core, request, consenting), 303);
    });
  });
}

const lapsed = (c: ConsoleContext, { name }: Session['organization']): Promise<Response> =>
  refused(c, 'consentLapsed', { organization: name });

const refusals = {
  redirect_uri: 'consentUnknownAddress',
  repeated: 'consentRepeated',
} as const;

/**
 * Works on a request of somebody who is signed in and whose organization may connect the application. Nobody else is
 * sent to the application's address, not with an error either: any organization can register one (RFC 9700, 4.11.2).
 */
async function withRequest(
  c: ConsoleContext,
  {
    parameters,
    back,
  }: {
    parameters: URLSearchParams;
    /** The path that asks again. */
    back: string;
  },
  work: (request: AuthorizationRequest, session: Session) => Response | Promise<Response>,
): Promise<Response> {
  // Our own parameter for the language is none of the application's.
  parameters.delete('language');
  const check = await checkAuthorizationRequest(c.get('core'), parameters);
  if ('clientId' in check) {
    const { refused: why, clientId } = check;
    if (why === 'client_id') return unregisteredPage(c, { clientId });
    return refused(c, 'consentUnreadable', { host: new URL(clientId).host, address: clientId });
  }
  if ('refused' in check) return refused(c, refusals[check.refused]);
  const session = c.get('session');
  if (!session) {
    return 'redirect' in check ? wrongRequest(c, check.error, back) : c.redirect(signInAddress(back), 303);
  }
  const { app } = 'redirect' in check ? check : check.request;
  if (!(await isOpenTo(c.get('core').sql, app, session.organization.id))) {
    return unregisteredPage(c, { clientId: app.client_id, elsewhere: true });
  }
  return 'redirect' in check ? c.redirect(check.redirect, 303) : work(check.request, session);
}

/** What is wrong with the request, for somebody who is not signed in. The application is told once they are. */
function wrongRequest(c: ConsoleContext, { code, message }: OAuthError, back: string): Promise<Response> {
  const text = authSay(c.get('language'));
  const content = html`
<p>${text('consentWrong')}</p>
<pre>${code}: ${message}</pre>
<p>${text('consentWrongSignIn')}</p>
<p><a href="${signInAddress(back)}">${text('signInButton')}</a></p>`;
  return plainPage(c, { title: text('consentRefusedTitle'), content }, 400);
}

function refused(c: ConsoleContext, name: AuthTextName, values = {}): Promise<Response> {
  const text = authSay(c.get('language'));
  return messagePage(c, { title: text('consentRefusedTitle'), sentence: text(name, values) }, 400);
}

/** Who asks, for what, and what the user's role cannot back. */
function consentPage(c: ConsoleContext, request: AuthorizationRequest): Promise<Response> {
  const text = authSay(c.get('language'));
  const { user, organization } = sessionOf(c);
  const names = {
    app: request.app.name,
    from: placeOf(c, request),
    organization: organization.name,
    user: `${user.name} (${user.email})`,
  };
  allowFormTarget(c.req.raw, request.redirectUri);
  const parameters = new URL(c.req.url).searchParams;
  parameters.delete('language');
  const content = html`
<p>${text('consentAsks', names)}</p>
${request.app.kind !== 'confidential' && leadsToOwnMachine(request.redirectUri) ? html`<p><strong class="warning">${text('consentOwnMachine', names)}</strong></p>` : ''}
<h2>${text('consentMay')}</h2>
<ul class="scopes">${request.scopes.map((scope) => scopeItem(c, scope, user))}</ul>
<form method="post" action="${oauthPaths.authorize}">
${forgeryField(c)}
<input type="hidden" name="request" value="${String(parameters)}">
<div class="choices">
<button name="decision" value="allow">${text('allow')}</button>
<button name="decision" value="deny" class="secondary">${text('deny')}</button>
</div>
</form>
${
  otherOrganizations(c).length === 0
    ? ''
    : switchForm(c, html`<p>${text('consentOther')}</p>`, `${oauthPaths.authorize}?${parameters}`)
}
<form method="post" action="/sign-out">
${forgeryField(c)}
<input type="hidden" name="back" value="${oauthPaths.authorize}?${parameters}">
<button class="link">${text('otherAccount')}</button>
</form>
<p class="quiet">${leadsToOwnMachine(request.redirectUri) ? text('consentLeadsHere') : text('consentLeads', { host: new URL(request.redirectUri).host })} ${text('consentEnd')}</p>`;
  return plainPage(c, { title: text('consentTitle', names), content });
}

/** Whose an application says it is: of the document that describes it, or of where it takes people back to. */
function placeOf(c: ConsoleContext, { app, redirectUri }: AuthorizationRequest): string {
  if (app.kind === 'metadata_document') return new URL(app.client_id).host;
  return leadsToOwnMachine(redirectUri)
    ? authSay(c.get('language'))('consentThisComputer')
    : new URL(redirectUri).host;
}

function scopeItem(c: ConsoleContext, scope: Scope, user: Session['user']): Markup {
  const language = c.get('language');
  const note = unbacked(c, scope, user);
  return html`<li>${scopes[scope][language]} <code>${scope}</code>${note ? html`<br><strong class="warning">${note}</strong>` : ''}</li>\n`;
}

/** What the role lacks for a scope, in words; undefined when it backs it. */
function unbacked(c: ConsoleContext, scope: Scope, { permissions }: Session['user']): string | undefined {
  if (permissions === 'owner') return undefined;
  const [language, text] = [c.get('language'), authSay(c.get('language'))];
  const words = (permission: string) => permissionWords(language, permission);
  const needed = scopePermissions[scope] ?? [];
  const missing = needed.filter((permission) => permissions[permission] === undefined);
  if (missing.length > 0) return text('consentUnbacked', { permissions: missing.map(words).join(', ') });
  const limited = needed.filter((permission) => permissions[permission] === 'assigned');
  return limited.length > 0
    ? text('consentLimited', { permissions: limited.map(words).join(', ') })
    : undefined;
}
