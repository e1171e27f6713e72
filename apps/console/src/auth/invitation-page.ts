import { invitationPath, type OpenInvitation } from '@dealkeep/core/accounts';
import type { Problem } from '@dealkeep/core/foundations';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ConsoleContext } from '../context.ts';
import { plainPage } from '../frame/plain-page.ts';
import type { Markup } from '../markup.ts';
import { momentFormat } from '../values/formats.ts';
import { forgeryField } from './forgery.ts';
import { roleLabel } from './permitted.ts';
import { authSay } from './texts.ts';

/** How an invitation is accepted: which button of its page was pressed. */
export type WayIn = 'begin' | 'sign_in';

/** What was sent, and why it was refused. */
export interface RefusedWayIn {
  readonly way: WayIn;
  readonly name: string;
  readonly problem: Problem;
}

/**
 * Who invites, and how to accept. Where nobody is signed in both ways stand there, whoever is invited, so that the
 * page says nothing of the address.
 */
export function invitationPage(
  c: ConsoleContext,
  { token, invitation, refused }: { token: string; invitation: OpenInvitation; refused?: RefusedWayIn },
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const text = authSay(c.get('language'));
  const { organization, email, role, invited_by: inviter, expires_at: until } = invitation;
  const values = { organization: organization.name, email, inviter, role: roleLabel(c, role) };
  const moment = momentFormat(c.get('language'), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: organization.time_zone,
  });
  const content = html`
<p>${text('invitationAsks', values)}</p>
<p class="quiet">${text('invitationUntil')} <time datetime="${until}">${moment.format(new Date(until))}</time></p>
${waysIn(c, { token, invitation, refused })}`;
  return plainPage(c, { title: text('invitationTitle', values), content }, status);
}

type Shown = { token: string; invitation: OpenInvitation; refused: RefusedWayIn | undefined };

function waysIn(c: ConsoleContext, shown: Shown): Markup {
  const text = authSay(c.get('language'));
  const { organization, email, is_own: isOwn } = shown.invitation;
  const session = c.get('session');
  if (!session) return html`${begin(c, shown)}${signIn(c, shown)}`;
  const signedIn = text('invitationSignedIn', {
    user: `${session.user.name} (${session.user.email})`,
    email,
  });
  if (isOwn) {
    return form(c, shown, {
      fields: html`<p>${signedIn}</p>`,
      way: 'join',
      button: text('join', { organization: organization.name }),
    });
  }
  return form(c, shown, {
    fields: html`<p>${signedIn} ${text('invitationOther', { email })}</p>`,
    way: 'leave',
    button: text('signOut'),
  });
}

function begin(c: ConsoleContext, shown: Shown): Markup {
  const text = authSay(c.get('language'));
  const own = shown.refused?.way === 'begin' ? shown.refused : undefined;
  const problems = own ? problemsOf(c, own.problem) : new Map<string, string>();
  const name = html`<label for="name">${text('yourName')}</label>
<input id="name" name="name" autocomplete="name" required maxlength="255" value="${own?.name ?? ''}"${wrong(problems, 'name')}>
${below(problems, 'name')}`;
  const password = html`<label for="new-password">${text('newPassword')}</label>
<input id="new-password" name="password" type="password" autocomplete="new-password" required minlength="10"${wrong(problems, 'password')}>
${below(problems, 'password')}<p class="help">${text('newPasswordHelp')}</p>`;
  return html`<section aria-labelledby="begin"><h2 id="begin">${text('beginTitle')}</h2>
${form(c, shown, {
  fields: html`${address(c, shown, 'begin')}${name}${password}`,
  way: 'begin',
  button: text('beginButton'),
})}</section>`;
}

function signIn(c: ConsoleContext, shown: Shown): Markup {
  const text = authSay(c.get('language'));
  const own = shown.refused?.way === 'sign_in' ? shown.refused : undefined;
  const said = own?.problem.body(c.get('language')).error.message;
  return html`<section aria-labelledby="known"><h2 id="known">${text('knownTitle')}</h2>
<p class="quiet">${text('knownAbout')}</p>
${said === undefined ? '' : html`<p class="problem" role="alert">${said}</p>`}
${form(c, shown, {
  fields: html`${address(c, shown, 'known')}<label for="password">${text('password')}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${own ? html` autofocus` : ''}>`,
  way: 'sign_in',
  button: text('knownButton'),
})}</section>`;
}

/**
 * The address of the invitation, read-only: it stands in the form so that password managers keep it with the
 * password.
 */
const address = (c: ConsoleContext, { invitation }: Shown, way: string): Markup =>
  html`<label for="${way}-email">${authSay(c.get('language'))('email')}</label>
<input id="${way}-email" type="email" autocomplete="username" readonly value="${invitation.email}">
`;

function form(
  c: ConsoleContext,
  { token }: Shown,
  { fields, way, button }: { fields: Markup; way: string; button: string },
): Markup {
  return html`<form method="post" action="${invitationPath}">
${forgeryField(c)}
<input type="hidden" name="token" value="${token}">
${fields}
<button name="do" value="${way}">${button}</button>
</form>`;
}

/** Why fields were refused, by their names; what belongs to none stands at the password. */
function problemsOf(c: ConsoleContext, problem: Problem): Map<string, string> {
  const { message, detail } = problem.body(c.get('language')).error;
  const fields: { path: string; message: string }[] = problem.fields ? Object(detail).fields : [];
  if (fields.length === 0) return new Map([['password', message]]);
  return new Map(fields.map((each) => [each.path, each.message]));
}

function wrong(problems: ReadonlyMap<string, string>, name: string): Markup | string {
  if (!problems.has(name)) return '';
  const first = [...problems.keys()][0] === name;
  return html` aria-invalid="true" aria-describedby="problem-${name}"${first ? html` autofocus` : ''}`;
}

function below(problems: ReadonlyMap<string, string>, name: string): Markup | string {
  const problem = problems.get(name);
  return problem === undefined ? '' : html`<p class="field-problem" id="problem-${name}">${problem}</p>`;
}
