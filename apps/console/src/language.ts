import { type Language, languageOf } from '@dealkeep/contract';
import type { MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { ConsoleContext, ConsoleEnvironment } from './context.ts';
import type { Markup } from './markup.ts';

const cookie = 'dealkeep_language';
const aYear = 365 * 86_400;

/** The language that a user chose on this browser, else the one that it asks for. `?language=sk` chooses. */
export const chooseLanguage: MiddlewareHandler<ConsoleEnvironment> = async (c, next) => {
  const asked = known(c.req.query('language'));
  if (asked) setCookie(c, cookie, asked, { path: '/', maxAge: aYear, sameSite: 'Lax', httpOnly: true });
  speak(c, chosenHere(c) ?? languageOf(c.req.header('accept-language')));
  await next();
};

/** Once it is known who is signed in: the language of their account, unless they chose one on this browser. */
export function speakLanguageOf(c: ConsoleContext, account: Language | null): void {
  if (account && !chosenHere(c)) speak(c, account);
}

/** Takes back what was chosen on this browser. */
export const forgetLanguage = (c: ConsoleContext): void => void deleteCookie(c, cookie, { path: '/' });

const known = (name: string | undefined): Language | undefined =>
  name === 'sk' || name === 'en' ? name : undefined;

const chosenHere = (c: ConsoleContext): Language | undefined =>
  known(c.req.query('language')) ?? known(getCookie(c, cookie));

function speak(c: ConsoleContext, language: Language): void {
  c.set('language', language);
  c.header('Content-Language', language);
}

/** A link to the same page in the other language. */
export function languageSwitch(c: ConsoleContext, before: Markup | string = ''): Markup {
  const other = c.get('language') === 'en' ? 'sk' : 'en';
  const query = new URLSearchParams(new URL(c.req.url).search);
  query.set('language', other);
  return html`<a class="language" lang="${other}" hreflang="${other}" href="?${query}">${before}${other === 'sk' ? 'Slovensky' : 'English'}</a>`;
}
