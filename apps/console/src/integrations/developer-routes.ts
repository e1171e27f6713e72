import {
  basePath,
  type EventType,
  events,
  eventTypes,
  isEventType,
  resources,
  sampleEnvelope,
} from '@dealkeep/contract';
import { notFound } from '@dealkeep/core/foundations';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { requireOwner } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { page } from '../frame/page.ts';
import { type Column, factList, table, trail } from '../markup.ts';
import { integrationSay } from './texts.ts';

const path = '/integrations/developers';

/** What who connects a program needs: the reference, and every event with a sample. */
export function developerRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(path, developersPage);
  app.get(`${path}/events/:type`, samplePage);
}

function developersPage(c: ConsoleContext): Promise<Response> {
  requireOwner(c);
  const [language, text] = [c.get('language'), integrationSay(c.get('language'))];
  const columns: Column<EventType>[] = [
    {
      label: text('event'),
      cell: (type) => html`<a href="${path}/events/${type}">${events[type].label[language]}</a>`,
    },
    { label: text('type'), cell: (type) => html`<code>${type}</code>` },
    { label: text('record'), cell: (type) => resources[events[type].entity].label[language] },
    { label: text('when'), cell: (type) => events[type].description[language] },
  ];
  const content = html`<h1>${text('developers')}</h1>
<section class="card">${factList([
    [text('reference'), html`<a href="/docs">${text('openReference')}</a>`],
    [text('baseAddress'), html`<code>${c.get('core').origin}${basePath}</code>`],
    [text('forModels'), html`<a href="/llms.txt">llms.txt</a>`],
  ])}</section>
<h2>${text('catalog')}</h2><p class="quiet">${text('catalogAbout')}</p>
${table(columns, eventTypes)}`;
  return page(c, { title: text('developers'), content });
}

function samplePage(c: ConsoleContext): Promise<Response> {
  const { organization } = requireOwner(c);
  const type = c.req.param('type') ?? '';
  if (!isEventType(type)) throw notFound();
  const [language, text] = [c.get('language'), integrationSay(c.get('language'))];
  const { label, description } = events[type];
  const { id, slug } = organization;
  const sample = sampleEnvelope(type, { id, slug }, c.get('core').clock.now().toISOString());
  const content = html`${trail(path, text('developers'))}
<h1>${label[language]} <code>${type}</code></h1><p>${description[language]}</p>
<h2>${text('sample')}</h2><p class="quiet">${text('sampleAbout')}</p>
<pre id="sample" tabindex="0">${JSON.stringify(sample, null, 2)}</pre>
<p><button type="button" class="secondary" data-copy="sample" data-copied="${text('copied')}" hidden>${text('copy')}</button></p>`;
  return page(c, { title: label[language], content });
}
