import { hash, timingSafeEqual } from 'node:crypto';
import { isFormEncoded, isUpload } from '@dealkeep/core/change';
import type { MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import {
  type ConsoleContext,
  type ConsoleEnvironment,
  isUploadPath,
  receivedForm,
  receivedUpload,
} from '../context.ts';
import { messagePage } from '../frame/plain-page.ts';
import { hiddenField, type Markup } from '../markup.ts';
import { say } from '../texts.ts';

const field = 'csrf_token';
const unsafe = (method: string): boolean => method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';

/** The hidden field that every form carries. */
export const forgeryField = (c: ConsoleContext): Markup =>
  hiddenField(field, c.get('session')?.csrfToken ?? '');

/** A form that is one button, among others. */
export const buttonForm = (c: ConsoleContext, action: string, content: Markup): Markup =>
  html`<form class="in-line" method="post" action="${action}">${forgeryField(c)}${content}</form>`;

/**
 * Refuses what another site makes a browser send: by `Sec-Fetch-Site` and `Origin`, and, where somebody is signed
 * in, by the token of the session (OWASP, Cross-Site Request Forgery Prevention). Browsers send at least one of the
 * two with every form of another site, so signing in is safe without a token; what sends neither is no browser.
 */
export const refuseForgery: MiddlewareHandler<ConsoleEnvironment> = async (c, next) => {
  if (unsafe(c.req.method) && !(comesFromHere(c) && (await hasToken(c)))) {
    const text = say(c.get('language'));
    return messagePage(c, { title: text('forgeryTitle'), sentence: text('forgerySentence') }, 403);
  }
  return next();
};

function comesFromHere(c: ConsoleContext): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const origin = c.req.header('origin');
  // Compared with the public address, because behind a proxy the `Host` may be another; on a machine without one,
  // with the address that was typed.
  return (
    origin === undefined ||
    origin === c.get('core').origin ||
    (site === 'same-origin' && origin !== 'null') ||
    origin === new URL(c.req.url).origin
  );
}

async function hasToken(c: ConsoleContext): Promise<boolean> {
  const session = c.get('session');
  if (!session) return true;
  const given = (await fieldsOf(c))?.get(field) ?? '';
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', session.csrfToken, 'buffer'));
}

/** The fields of what was sent, which is a form, and with a file where a page asks for one. */
async function fieldsOf(c: ConsoleContext): Promise<URLSearchParams | undefined> {
  const contentType = c.req.header('content-type');
  if (isFormEncoded(contentType)) return receivedForm(c);
  return isUpload(contentType) && isUploadPath(c.req.path) ? (await receivedUpload(c)).fields : undefined;
}
