import { switchOrganization } from '@dealkeep/core';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import * as z from 'zod';
import { type ConsoleContext, type ConsoleEnvironment, receivedForm, sessionOf } from '../context.ts';
import type { Markup } from '../markup.ts';
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

/** In the account menu of whoever belongs to several organizations. */
export const switchMenu = (c: ConsoleContext): Markup | string =>
  otherOrganizations(c).length === 0
    ? ''
    : html`<details class="switch"><summary>${say(c.get('language'))('switchOrganization')}</summary>
${switchForm(c, html`<p class="quiet">${say(c.get('language'))('organizationNow', { organization: sessionOf(c).organization.name })}</p>`)}</details>`;
