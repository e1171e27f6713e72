import { randomUUID } from 'node:crypto';
import { errorStatus, oauthPaths } from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import { isOfMovingOrganization, isTemporaryFailure, Problem } from '@dealkeep/core/foundations';
import { Hono, type MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { assetRoutes } from './assets.ts';
import { consentRoutes } from './auth/consent-routes.ts';
import { refuseForgery } from './auth/forgery.ts';
import { findWhoIsSignedIn, requireSession } from './auth/guard.ts';
import { invitationRoutes } from './auth/invitation-routes.ts';
import { organizationSwitchRoutes } from './auth/organization-switch.ts';
import { signInRoutes } from './auth/sign-in-routes.ts';
import type { ConsoleContext, ConsoleEnvironment } from './context.ts';
import { page } from './frame/page.ts';
import { messagePage } from './frame/plain-page.ts';
import { shortcutRoutes } from './frame/shortcuts.ts';
import { homeRoutes } from './home/routes.ts';
import { importRoutes } from './imports/routes.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { chooseLanguage } from './language.ts';
import { bar } from './markup.ts';
import { problemWords } from './problem-words.ts';
import { presentations } from './records/presentation-of.ts';
import { recordRoutes } from './records/routes.ts';
import { securityHeaders } from './security-headers.ts';
import { settingsRoutes } from './settings/routes.ts';
import { say } from './texts.ts';

export interface ConsoleOptions {
  core: Core;
}

/** The web face of core: rendered on the server, complete without JavaScript. */
export function createConsole({ core }: ConsoleOptions): Hono<ConsoleEnvironment> {
  const app = new Hono<ConsoleEnvironment>();
  app.use(securityHeaders);
  assetRoutes(app);
  app.use(async (c, next) => {
    c.set('core', core);
    c.set('kinds', presentations);
    c.set('session', null);
    c.set('form', undefined);
    c.set('upload', undefined);
    c.set('arrival', undefined);
    try {
      await next();
    } finally {
      c.get('arrival')?.end();
    }
  });
  app.use(chooseLanguage);
  app.use(refuseWhatIsNoPage);
  app.use(findWhoIsSignedIn);
  app.use(refuseForgery);
  signInRoutes(app);
  invitationRoutes(app);
  consentRoutes(app);
  app.use(requireSession);
  organizationSwitchRoutes(app);
  shortcutRoutes(app);
  homeRoutes(app);
  integrationRoutes(app);
  importRoutes(app);
  recordRoutes(app);
  settingsRoutes(app);
  app.notFound((c) => notFoundPage(c));
  // What fails while a refusal is told is a fault, too.
  app.onError((error, c) => errorPage(c, error).catch((fault: Error) => faultPage(c, fault)));
  return app;
}

/**
 * Answers 404, whoever is signed in, for addresses that are no page: files, and OAuth endpoints that do not exist.
 */
const refuseWhatIsNoPage: MiddlewareHandler<ConsoleEnvironment> = async (c, next) => {
  const { path } = c.req;
  const ofOAuth = path === '/oauth' || (path.startsWith('/oauth/') && path !== oauthPaths.authorize);
  const file = path.startsWith('/assets/') || /^\/[^/]+\.[a-z0-9]+$/i.test(path);
  return ofOAuth || file ? notFoundPage(c) : next();
};

function notFoundPage(c: ConsoleContext): Promise<Response> {
  const text = say(c.get('language'));
  return refusalPage(c, { title: text('notFoundTitle'), sentence: text('notFoundSentence') }, 404);
}

/** What is refused or not there: whoever is signed in goes on by the navigation. */
function refusalPage(
  c: ConsoleContext,
  { title, sentence }: { title: string; sentence: string },
  status: ContentfulStatusCode,
): Promise<Response> {
  if (!c.get('session')) return messagePage(c, { title, sentence }, status);
  return page(c, { title, content: html`${bar(title)}<p>${sentence}</p>` }, status);
}

/** The page of what a request was refused for, or of a fault. */
async function errorPage(c: ConsoleContext, error: Error): Promise<Response> {
  const story = c.env?.story;
  if (story && error instanceof Problem) story.code = error.code;
  if (error instanceof Problem && error.code === 'NOT_FOUND') return notFoundPage(c);
  if (error instanceof Problem && errorStatus[error.code] < 500) {
    const title = say(c.get('language'))('refusedTitle');
    const sentence = problemWords(c.get('language'), error);
    if (error.code !== 'RATE_LIMITED' || error.values['seconds'] === undefined)
      return refusalPage(c, { title, sentence }, errorStatus[error.code]);
    // Whoever asks too often is answered without another look at the database.
    c.header('Retry-After', String(error.values['seconds']));
    return messagePage(c, { title, sentence }, errorStatus[error.code]);
  }
  return (await movedPage(c, error)) ?? faultPage(c, error);
}

/** Of an organization that is on its way to another installation, or has arrived there. */
async function movedPage(c: ConsoleContext, error: Error): Promise<Response | undefined> {
  const problem = isOfMovingOrganization(error) ? new Problem('organization.moving') : error;
  if (!(problem instanceof Problem) || !problem.key.startsWith('organization.mov')) return undefined;
  c.header('Retry-After', '5');
  const title = say(c.get('language'))('unavailableTitle');
  return messagePage(c, { title, sentence: problemWords(c.get('language'), problem) }, 503);
}

/** The page of a fault: it says nothing of the cause, which stands in the log under the request's id. */
function faultPage(c: ConsoleContext, error: Error): Promise<Response> {
  const text = say(c.get('language'));
  const request = c.env?.story?.id ?? randomUUID();
  const temporary =
    isTemporaryFailure(error) || (error instanceof Problem && error.code === 'SERVICE_UNAVAILABLE');
  const fields = { error, request_id: request, method: c.req.method, path: c.req.path };
  c.get('core').log.error(fields, 'A page of the console failed');
  if (temporary) {
    c.header('Retry-After', '5');
    return messagePage(c, { title: text('unavailableTitle'), sentence: text('unavailableSentence') }, 503);
  }
  return messagePage(c, { title: text('faultTitle'), sentence: text('faultSentence', { request }) }, 500);
}
