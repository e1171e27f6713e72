import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import { page } from '../frame/page.ts';
import { formSay } from './texts.ts';

/** Shows a secret this once, with a button that copies it. */
export function secretPage(
  c: ConsoleContext,
  { title, about, secret, back }: { title: string; about: string; secret: string; back: string },
): Promise<Response> {
  const text = formSay(c.get('language'));
  const content = html`<h1>${title}</h1>
<div class="notice" role="status"><p>${text('shownOnce')}</p></div>
<section class="card"><label for="secret">${about}</label>
<input id="secret" class="mono" readonly autocomplete="off" spellcheck="false" value="${secret}">
<div class="choices"><button type="button" data-copy="secret" data-copied="${text('copied')}" hidden>${text('copy')}</button><a class="button secondary" href="${back}">${text('kept')}</a></div></section>`;
  return page(c, { title, content });
}
