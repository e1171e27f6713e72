import { switchOrganization } from '@dealkeep/core/accounts';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import * as z from 'zod';
import { type ConsoleContext, type ConsoleEnvironment, receivedForm, sessionOf } from '../context.ts';
import { icon, withIcon } from '../frame/icons.ts';
import { type Markup, unseen } from '../markup.ts';
import { say } from '../texts.ts';
import { writeSessionCookie } from './cookies.ts';
import { forgeryField } from './forgery.ts';
import { wayBack } from './sign-in-routes.ts';

export const switchPath = '/organization';

/** Goes on in another organization of whoever is signed in. */
export function organizationSwitchRoutes(app: Hono<ConsoleEnvironment>): void {
  app.post(switchPath, async (c) => {
    const form = await receivedForm(c);
    const id = z.uuid().safeParse(form.get('organization'));
    if (!id.success) return c.notFound();
    writeSessionCookie(c, await switchOrganization(c.get('core'), sessionOf(c), { id: id.data }));
    return c.redirect(wayBack(form.get('back') ?? undefined), 303);
  });
}

/** The organizations of the user except the current one. */
export const otherOrganizations = (c: ConsoleContext): { id: string; name: string }[] => {
  const { organization, organizations } = sessionOf(c);
  return organizations.filter(({ id }) => id !== organization.id);
};

/** A button for each other organization below a line about them; `back` is where it leads, the start when absent. */
export const switchForm = (c: ConsoleContext, about: Markup, back?: string): Markup =>
  html`<form method="post" action="${switchPath}" class="organizations">
${forgeryField(c)}
${about}
${back === undefined ? '' : html`<input type="hidden" name="back" value="${back}">`}
${otherOrganizations(c).map(({ id, name }) => html`<button name="organization" value="${id}" class="secondary">${name}</button>\n`)}</form>`;

/**
 * The organization that the page is about; beside it, for whoever belongs to several, what opens the list of them.
 */
export function organizationName(c: ConsoleContext): Markup {
  const { organization } = sessionOf(c);
  const others = otherOrganizations(c).length > 0;
  const label = say(c.get('language'))('switchOrganization');
  return html`<div class="organization"><a class="brand" href="/" title="${organization.name}"><span>${organization.name}</span></a>${
    others
      ? html`<button type="button" class="switch" popovertarget="organizations" title="${label}">${icon('chevrons-up-down')}${unseen(label)}</button>`
      : ''
  }</div>`;
}

/** The organizations of whoever belongs to several: a popover, which browsers open and close without a script. */
export function organizationMenu(c: ConsoleContext): Markup | string {
  if (otherOrganizations(c).length === 0) return '';
  const { organization } = sessionOf(c);
  const now = say(c.get('language'))('organizationNow', { organization: organization.name });
  return html`<div id="organizations" class="popup" popover>${switchForm(c, html`<p>${withIcon('check', now)}</p>`)}</div>`;
}
