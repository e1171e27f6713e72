import { type Language, languageOf } from '@dealkeep/contract';
import type { MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { ConsoleContext, ConsoleEnvironment } from './context.ts';
import type { Markup } from './markup.ts';

const cookie = 'dealkeep_language';
const aYear = 365 * 86_400;

/** The language that a person chose, else the one that the browser asks for. `?language=sk` chooses. */
export const chooseLanguage: MiddlewareHandler<ConsoleEnvironment> = async (c, next) => {
  const asked = c.req.query('language');
  const chosen: Language | undefined = asked === 'sk' || asked === 'en' ? asked : undefined;
  if (chosen) setCookie(c, cookie, chosen, { path: '/', maxAge: aYear, sameSite: 'Lax', httpOnly: true });
  const kept = chosen ?? getCookie(c, cookie);
  c.set('language', kept === 'sk' || kept === 'en' ? kept : languageOf(c.req.header('accept-language')));
  c.header('Content-Language', c.get('language'));
  await next();
};

/** A link to the same page in the other language. */
export function languageSwitch(c: ConsoleContext): Markup {
  const other = c.get('language') === 'en' ? 'sk' : 'en';
  const query = new URLSearchParams(new URL(c.req.url).search);
  query.set('language', other);
  return html`<a class="language" lang="${other}" hreflang="${other}" href="?${query}">${other === 'sk' ? 'Slovensky' : 'English'}</a>`;
}
