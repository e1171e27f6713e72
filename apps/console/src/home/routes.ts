import { listWebhooksWithHealth } from '@dealkeep/core';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import { page } from '../frame/page.ts';
import type { Markup } from '../markup.ts';
import { charts } from './charts.ts';
import { guideSection } from './guide.ts';
import { latestSection } from './latest.ts';
import { homeSay } from './texts.ts';
import { troubleSection } from './trouble.ts';

/** What happened, what fails, what to do next. */
export function homeRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get('/', async (c) => {
    const title = homeSay(c.get('language'))('home');
    const [latest, ofOwner] = await Promise.all([latestSection(c), ownersPart(c)]);
    return page(c, { title, content: html`<h1>${title}</h1>${ofOwner}${latest}` });
  });
}

/** Webhooks, keys and the numbers of the whole organization are for owners. */
async function ownersPart(c: ConsoleContext): Promise<Markup | string> {
  const { user, organization } = sessionOf(c);
  if (user.permissions !== 'owner') return '';
  const webhooks = await listWebhooksWithHealth(c.get('core'), organization);
  const [guide, drawn] = await Promise.all([guideSection(c, webhooks), charts(c)]);
  return html`${troubleSection(c, webhooks)}${guide}${drawn}`;
}
