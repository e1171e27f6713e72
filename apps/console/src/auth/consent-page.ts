import { oauthPaths, type Scope, scopePermissions, scopes } from '@dealkeep/contract';
import type { AuthorizationRequest, Session } from '@dealkeep/core';
import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { plainPage } from '../frame/plain-page.ts';
import type { Markup } from '../markup.ts';
import { permissionWords } from '../problem-words.ts';
import { allowFormTarget } from '../security-headers.ts';
import { forgeryField } from './forgery.ts';
import { otherOrganizations, switchForm } from './organization-switch.ts';
import { authSay } from './texts.ts';

/** Who asks, for what, and what the person's role cannot back. */
export function consentPage(c: ConsoleContext, request: AuthorizationRequest): Promise<Response> {
  const text = authSay(c.get('language'));
  const { user, organization } = sessionOf(c);
  const names = {
    app: request.app.name,
    organization: organization.name,
    user: `${user.name} (${user.email})`,
  };
  allowFormTarget(c.req.raw, request.redirectUri);
  const parameters = new URL(c.req.url).searchParams;
  parameters.delete('language');
  const content = html`
<p>${text('consentAsks', names)}</p>
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
<p class="quiet">${text('consentLeads', { host: new URL(request.redirectUri).host })} ${text('consentEnd')}</p>`;
  return plainPage(c, { title: text('consentTitle', names), content });
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
