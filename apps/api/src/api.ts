import { oauthPaths } from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import { Problem } from '@dealkeep/core/foundations';
import { Hono } from 'hono';
import { answerListen } from './answer-listen.ts';
import type { ApiEnvironment } from './api-environment.ts';
import { docsRoutes } from './docs/routes.ts';
import { type Assistants, mcpRoutes } from './mcp.ts';
import { oauthRoutes } from './oauth.ts';
import { openapiRoutes } from './openapi.ts';
import { healthRoutes, metricsRoutes } from './probes.ts';
import { problemResponse } from './problem-response.ts';
import { storyOf, told } from './request-story.ts';
import { operationRoutes } from './routes.ts';
import { securityTextRoutes } from './security-text.ts';
import { serviceHeaders, uncounted } from './service-headers.ts';

interface Elsewhere {
  fetch(request: Request, environment: ApiEnvironment['Bindings']): Response | Promise<Response>;
}

export interface ApiOptions {
  core: Core;
  /** Answers every address that is none of the API's: the console. */
  elsewhere?: Elsewhere | undefined;
  /** Answers AI assistants at `/mcp`; a process without the API has none. */
  assistants?: Assistants | undefined;
  /** `METRICS_TOKEN`; there is no `/metrics` without. */
  metricsToken?: string | undefined;
  /** `SECURITY_CONTACT`, as URIs; there is no `security.txt` without. */
  securityContacts?: readonly string[] | undefined;
}

/**
 * The HTTP face of core: REST v1, the OpenAPI description, health. The API itself stands outside of all middleware:
 * a response that is complete when it is made is sent several times faster than one whose headers are set later.
 */
export function createApi(options: ApiOptions): Hono<ApiEnvironment> {
  const { core, elsewhere, assistants } = options;
  const pages = createPages(options);
  openapiRoutes(pages, core);
  docsRoutes(pages, core);
  oauthRoutes(pages, core);
  // A slash at the end of an address is forgiven.
  const app = new Hono<ApiEnvironment>({ strict: false });
  operationRoutes(app, core);
  if (assistants) mcpRoutes(app, core, assistants);
  app.get('/listen', (c) => told(core, c, () => answerListen(core, c)));
  return leaveTheRest(core, app, pages, elsewhere);
}

/** What a process without the API answers: health, metrics and what is elsewhere. */
export const createOperations = (options: ApiOptions): Hono<ApiEnvironment> =>
  leaveTheRest(options.core, new Hono<ApiEnvironment>(), createPages(options), options.elsewhere);

/**
 * Requests that an app does not answer itself go to the pages, and where the address is none of the API's own, to
 * `elsewhere`.
 */
function leaveTheRest(
  core: Core,
  app: Hono<ApiEnvironment>,
  pages: Hono<ApiEnvironment>,
  elsewhere: ApiOptions['elsewhere'],
): Hono<ApiEnvironment> {
  app.notFound((c) =>
    told(core, c, async () => {
      const story = storyOf(c);
      if (!elsewhere || c.env.malformed || isOurs(c.req.path)) {
        story.operation = 'page';
        return pages.fetch(c.req.raw, c.env);
      }
      story.operation = 'console';
      const response = await elsewhere.fetch(c.req.raw, c.env);
      const headers = isOfOauth(c.req.path)
        ? serviceHeaders(uncounted(core), story.id)
        : { 'X-Request-Id': story.id };
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      return response;
    }),
  );
  return app;
}

const ourPaths = ['/api', '/docs', '/llms.txt', '/.well-known', '/listen', '/healthz', '/readyz', '/metrics'];
const oauthEndpoints: readonly string[] = [oauthPaths.token, oauthPaths.revoke];

/**
 * Programs lead people there: its answers have the headers of every response (rule http 13), though the console
 * makes them.
 */
const isOfOauth = (path: string): boolean =>
  path === oauthPaths.authorize || path.startsWith(`${oauthPaths.authorize}/`);

/** Whether an address is the API's own, so that what is wrong with it is answered in its form. */
const isOurs = (path: string): boolean =>
  ourPaths.some((each) => path === each || path.startsWith(`${each}/`)) || oauthEndpoints.includes(path);

/** What every process answers, with or without the API: health, metrics, and that there is nothing else. */
function createPages({
  core,
  metricsToken,
  securityContacts,
}: Omit<ApiOptions, 'elsewhere'>): Hono<ApiEnvironment> {
  const pages = new Hono<ApiEnvironment>();
  pages.use(async (c, next) => {
    const started = performance.now();
    await next();
    for (const [name, value] of Object.entries(serviceHeaders(uncounted(core), storyOf(c).id))) {
      c.header(name, value);
    }
    core.metrics.countRequest('page', c.res.status, (performance.now() - started) / 1000);
  });
  pages.use(async (c, next) => {
    if (c.env.malformed) throw new Problem(c.env.malformed);
    await next();
  });
  healthRoutes(pages, core);
  metricsRoutes(pages, core, metricsToken);
  securityTextRoutes(pages, core, securityContacts);
  pages.notFound((c) =>
    problemResponse(core, new Problem('path.not_found'), { request: c.req, story: storyOf(c) }),
  );
  pages.onError((error, c) => problemResponse(core, error, { request: c.req, story: storyOf(c) }));
  return pages;
}
