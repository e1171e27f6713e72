import { hash } from 'node:crypto';
import { text } from '@dealkeep/contract';
import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import type { Markup } from '../markup.ts';
import { say } from '../texts.ts';
import { icon } from './icons.ts';

/** Where the palette asks for what fits what is typed. */
export const suggestionsPath = '/search/suggestions';

const recentText = text('Recently opened', 'Naposledy otvorené');

/**
 * The search of every page: a form, which leads to the page of results; with JavaScript a palette below it, of which
 * what was opened last is kept by the browser for this visit alone.
 */
export function searchField(c: ConsoleContext): Markup {
  const language = c.get('language');
  const label = say(language)('search');
  const searched = c.req.path === '/search' ? (c.req.query('q') ?? '') : '';
  // Another one after signing in and in another organization, as the token of forms, which it does not tell.
  const visit = hash('sha256', sessionOf(c).csrfToken, 'base64url').slice(0, 12);
  return html`<form class="search" action="/search" role="search">${icon('search')}<label class="visually-hidden" for="search">${label}</label>
<input id="search" type="search" name="q" placeholder="${label}" value="${searched}" autocomplete="off"><kbd aria-hidden="true" hidden>/</kbd>
<div id="palette" class="palette" data-from="${suggestionsPath}" data-recent="${recentText[language]}" data-visit="${visit}" hidden></div>
<p class="visually-hidden" role="status"></p></form>`;
}
