import { listWebhooksWithHealth } from '@dealkeep/core/delivering';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import { page } from '../frame/page.ts';
import type { Markup } from '../markup.ts';
import { storageNotice } from '../values/storage-notice.ts';
import { charts } from './charts.ts';
import { firstStepRoutes, firstSteps, hiddenNotice, showAgain } from './first-steps.ts';
import { latestSection } from './latest.ts';
import { numbersSection } from './numbers.ts';
import { homeSay } from './texts.ts';
import { completedNotice, todaySection } from './today.ts';
import { troubleSection } from './trouble.ts';

/** What needs somebody, how business does, what is to be done today, what happened. */
export function homeRoutes(app: Hono<ConsoleEnvironment>): void {
  firstStepRoutes(app);
  app.get('/', async (c) => {
    const title = homeSay(c.get('language'))('home');
    const [numbers, today, latest, ofOwner] = await Promise.all([
      numbersSection(c),
      todaySection(c),
      latestSection(c),
      ownersPart(c),
    ]);
    const content = html`<h1>${title}</h1>${hiddenNotice(c)}${completedNotice(c)}
${ofOwner.trouble}${numbers}${today}${ofOwner.steps}${latest}${ofOwner.charts}${showAgain(c)}`;
    return page(c, { title, content });
  });
}

type OfOwner = Readonly<Record<'trouble' | 'steps' | 'charts', Markup | string>>;

/** Webhooks, keys and the numbers of the whole organization are for owners. */
async function ownersPart(c: ConsoleContext): Promise<OfOwner> {
  const { user, organization } = sessionOf(c);
  if (user.permissions !== 'owner') return { trouble: '', steps: '', charts: '' };
  const [webhooks, drawn] = await Promise.all([
    listWebhooksWithHealth(c.get('core'), organization),
    charts(c),
  ]);
  return {
    trouble: html`${storageNotice(c)}${troubleSection(c, webhooks)}`,
    steps: await firstSteps(c, webhooks),
    charts: drawn,
  };
}
