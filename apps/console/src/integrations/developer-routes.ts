import { basePath, events, eventTypes, isEventType, resources, sampleEnvelope } from '@dealkeep/contract';
import { notFound } from '@dealkeep/core';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { requireOwner } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { page } from '../frame/page.ts';
import { factList } from '../markup.ts';
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
  const content = html`<h1>${text('developers')}</h1>
<section class="card">${factList([
    [text('reference'), html`<a href="/docs">${text('openReference')}</a>`],
    [text('baseAddress'), html`<code>${c.get('core').origin}${basePath}</code>`],
    [text('forModels'), html`<a href="/llms.txt">llms.txt</a>`],
  ])}</section>
<h2>${text('catalog')}</h2><p class="quiet">${text('catalogAbout')}</p>
<div class="scroll"><table><thead><tr><th scope="col">${text('event')}</th><th scope="col">${text('type')}</th><th scope="col">${text('record')}</th><th scope="col">${text('when')}</th></tr></thead>
<tbody>${eventTypes.map((type) => {
    const { label, description, entity } = events[type];
    return html`<tr><th scope="row"><a href="${path}/events/${type}">${label[language]}</a></th><td data-label="${text('type')}"><code>${type}</code></td><td data-label="${text('record')}">${resources[entity].label[language]}</td><td data-label="${text('when')}">${description[language]}</td></tr>`;
  })}</tbody></table></div>`;
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
  const content = html`<p class="trail"><a href="${path}">${text('developers')}</a></p>
<h1>${label[language]} <code>${type}</code></h1><p>${description[language]}</p>
<h2>${text('sample')}</h2><p class="quiet">${text('sampleAbout')}</p>
<pre id="sample" tabindex="0">${JSON.stringify(sample, null, 2)}</pre>
<p><button type="button" class="secondary" data-copy="sample" data-copied="${text('copied')}" hidden>${text('copy')}</button></p>`;
  return page(c, { title: label[language], content });
}
