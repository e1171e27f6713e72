import { endSession, signIn } from '@dealkeep/core/accounts';
import { Problem } from '@dealkeep/core/foundations';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { type ConsoleContext, type ConsoleEnvironment, receivedForm } from '../context.ts';
import { plainPage } from '../frame/plain-page.ts';
import {
  clearSessionCookie,
  readKnownBrowser,
  readSessionCookie,
  writeKnownBrowser,
  writeSessionCookie,
} from './cookies.ts';
import { forgeryField } from './forgery.ts';
import { clientOf, originOf, signInAddress } from './guard.ts';
import { authSay } from './texts.ts';

export function signInRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get('/sign-in', (c): Response | Promise<Response> =>
    c.get('session') ? c.redirect(wayBack(c.req.query('back')), 303) : form(c, {}),
  );
  app.post('/sign-in', async (c) => {
    const given = await receivedForm(c);
    const [email, password, back] = ['email', 'password', 'back'].map((name) => given.get(name) ?? '');
    try {
      const core = c.get('core');
      const { token, knownBrowser } = await signIn(core, {
        email: email ?? '',
        password: password ?? '',
        userAgent: c.req.header('user-agent'),
        knownBrowser: readKnownBrowser(c),
        client: clientOf(c),
        from: originOf(c),
      });
      // The browser forgets the session that it had, so nobody else shall go on with it.
      const former = readSessionCookie(c);
      if (former !== undefined) await endSession(core, former, originOf(c));
      writeSessionCookie(c, token);
      writeKnownBrowser(c, knownBrowser);
      return c.redirect(wayBack(back), 303);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return form(c, { problem: error, email: email ?? '', back: back ?? '' });
    }
  });
  app.post('/sign-out', async (c) => {
    const token = readSessionCookie(c);
    if (token !== undefined) await endSession(c.get('core'), token, originOf(c));
    clearSessionCookie(c);
    return c.redirect(signInAddress(wayBack((await receivedForm(c)).get('back') ?? '/')), 303);
  });
}

/** A wrong address or password, or too many attempts. */
const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && (error.code === 'UNAUTHORIZED' || error.code === 'RATE_LIMITED');

/** No address of ours is longer; one that were could not be read by every browser. */
const longestWayBack = 8000;

/**
 * Where to go after signing in: always a path of our own. It is judged as it was parsed, not as it was asked for,
 * because `/.//host` becomes `//host`.
 */
export function wayBack(asked: string | undefined): string {
  const own = 'http://own.invalid';
  if (!asked?.startsWith('/') || asked.length > longestWayBack || !URL.canParse(asked, own)) return '/';
  const url = new URL(asked, own);
  const path = `${url.pathname}${url.search}`;
  return url.origin === own && URL.parse(path, own)?.origin === own ? path : '/';
}

function form(
  c: ConsoleContext,
  {
    problem,
    email = '',
    back = c.req.query('back') ?? '',
  }: { problem?: Problem; email?: string; back?: string },
): Promise<Response> {
  const language = c.get('language');
  const text = authSay(language);
  const slow = problem?.code === 'RATE_LIMITED';
  if (slow) c.header('Retry-After', String(problem.values['seconds']));
  const content = html`
${problem ? html`<p class="problem" role="alert">${problem.body(language).error.message}</p>` : ''}
<form method="post" action="/sign-in">
${forgeryField(c)}
<input type="hidden" name="back" value="${back}">
<label for="email">${text('email')}</label>
<input id="email" name="email" type="email" autocomplete="username" required autofocus value="${email}">
<label for="password">${text('password')}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>${text('signInButton')}</button>
</form>
<p class="quiet">${text('forgotten')}</p>`;
  return plainPage(c, { title: text('signInTitle'), content }, problem ? (slow ? 429 : 401) : 200);
}
