import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { forgeryField } from '../auth/forgery.ts';
import { switchMenu } from '../auth/organization-switch.ts';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { languageSwitch } from '../language.ts';
import type { Markup } from '../markup.ts';
import { say } from '../texts.ts';
import { documentOf } from './document.ts';
import { holdBanner } from './hold-banner.ts';
import { navigation } from './navigation.ts';

export interface Page {
  readonly title: string;
  readonly content: Markup;
}

/** A page of somebody who is signed in, with the navigation around it. */
export async function page(
  c: ConsoleContext,
  { title, content }: Page,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const language = c.get('language');
  const text = say(language);
  const { user, organization } = sessionOf(c);
  const body = html`<body class="frame">
<header>
<a class="skip" href="#content">${text('skip')}</a>
<button type="button" class="menu secondary" popovertarget="navigation">${text('menu')}</button>
<a class="brand" href="/"><span>${organization.name}</span></a>
<form class="search" action="/search" role="search"><label class="visually-hidden" for="search">${text('search')}</label><input id="search" type="search" name="q" placeholder="${text('search')}" value="${c.req.path === '/search' ? (c.req.query('q') ?? '') : ''}"></form>
<div class="account">${switchMenu(c)}<a href="/settings/account">${user.name}</a>${languageSwitch(c)}
<form class="in-line" method="post" action="/sign-out">${forgeryField(c)}<button class="link">${text('signOut')}</button></form></div>
</header>
<nav id="navigation" popover aria-label="${text('mainNavigation')}">${navigation(c)}</nav>
<main id="content" tabindex="-1">
${await holdBanner(c)}
${content}
</main>
</body>`;
  return c.html(await documentOf(language, { title, body }), status);
}
