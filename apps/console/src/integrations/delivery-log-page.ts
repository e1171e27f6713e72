import { createHash } from 'node:crypto';
import { eventTypes, fieldsOf, limits, SearchDeliveries } from '@dealkeep/contract';
import {
  countDeliveries,
  type DeliveryCounts,
  type DeliverySearch,
  type LoggedDelivery,
  listWebhooksWithHealth,
  searchDeliveries,
} from '@dealkeep/core/delivering';
import { Problem } from '@dealkeep/core/foundations';
import { runAsUser } from '@dealkeep/core/operations';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import * as z from 'zod';
import { forgeryField } from '../auth/forgery.ts';
import { requireOwner } from '../auth/permitted.ts';
import { type ConsoleContext, type ConsoleEnvironment, receivedForm } from '../context.ts';
import { bodyOf } from '../forms/body.ts';
import { fieldsMarkup } from '../forms/field-markup.ts';
import { askedAddress, filterChoice, notAsked, partChip } from '../forms/log-filter.ts';
import { explain } from '../forms/received.ts';
import { firstOf, readingOf, type Typed } from '../forms/typed.ts';
import { page } from '../frame/page.ts';
import { bar, button, emptyState, field, hiddenField, linkButton, type Markup } from '../markup.ts';
import { numberOf } from '../values/shown-value.ts';
import { eventLabel, nameOf } from '../values/webhook.ts';
import { deliveriesPath, deliveryTable } from './delivery-table.ts';
import { deliverySay } from './delivery-texts.ts';

/** All deliveries of the organization, found, counted, kept up to date and sent again. */
export function deliveryLogRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(deliveriesPath, logPage);
  app.get(`${deliveriesPath}/live`, livePart);
  app.post(`${deliveriesPath}/resend`, resendSelected);
}

/** Typed in as they are, below the others. */
const typedFields = fieldsOf(SearchDeliveries).filter(({ name }) =>
  ['since', 'until', 'status'].includes(name),
);
/** Chosen by links, and kept when something else is chosen. */
const linkedNames = ['outcome', 'test', 'record_id', 'event_id'] as const;

const hour = 3_600_000;
const periods = { hour, day: 24 * hour, week: 7 * 24 * hour } as const;
const isPeriod = (name: string): name is keyof typeof periods => Object.hasOwn(periods, name);

/** What an address asks of the log. */
interface Asked {
  readonly typed: Typed;
  readonly search: DeliverySearch;
  /** The names of all webhooks, by their ids. */
  readonly webhooks: ReadonlyMap<string, string>;
}

async function askedOf(c: ConsoleContext): Promise<Asked> {
  const { organization } = requireOwner(c);
  const typed: Typed = new Map(Object.entries(c.req.queries()));
  const at = (name: string): string => firstOf(typed, name).trim();
  const given = (name: string): object => (at(name) === '' ? {} : { [name]: at(name) });
  const period = at('period');
  const since = isPeriod(period)
    ? { since: new Date(c.get('core').clock.now().getTime() - periods[period]).toISOString() }
    : {};
  const [webhooks, records] = await Promise.all([
    listWebhooksWithHealth(c.get('core'), organization),
    recordsNamed(c, at('record')),
  ]);
  return {
    typed,
    search: {
      ...since,
      ...bodyOf(typedFields, typed, readingOf(c)),
      ...given('webhook_id'),
      ...given('event_type'),
      ...given('event_id'),
      ...given('record_id'),
      ...given('outcome'),
      ...(at('test') === 'true' ? { test: true } : {}),
      ...(records === undefined ? {} : { record_ids: records }),
    } as DeliverySearch,
    webhooks: new Map(webhooks.map((webhook) => [webhook.id, nameOf(webhook)])),
  };
}

/** The records that are called so, as the search of the console finds them; undefined where nobody asks for any. */
async function recordsNamed(c: ConsoleContext, name: string): Promise<string[] | undefined> {
  if (name === '') return undefined;
  try {
    const found = await runAsUser(c.get('core'), requireOwner(c), 'search.all', { query: [['q', name]] });
    return found.map(({ id }) => id).sort();
  } catch (error) {
    // Too short or too long a name finds nothing.
    if (error instanceof Problem && error.code === 'INVALID_PARAMETER') return [];
    throw error;
  }
}

/** What the log holds of a search. */
interface Found {
  readonly deliveries: readonly LoggedDelivery[];
  readonly next: string | null;
  readonly counts: DeliveryCounts;
  /** Changes with anything that is shown, but the time that passes. */
  readonly mark: string;
}

async function find(c: ConsoleContext, { search }: Asked): Promise<Found> {
  const [core, { organization }] = [c.get('core'), requireOwner(c)];
  const cursor = c.req.query('cursor');
  const { outcome: _, test: __, ...counted } = search;
  const [{ data, next_cursor: next }, counts] = await Promise.all([
    searchDeliveries(core, organization, { ...search, ...(cursor ? { cursor } : {}) }),
    countDeliveries(core, organization, counted),
  ]);
  const shown = [c.get('language'), data.map(({ record: _, ...each }) => each), counts];
  const mark = createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22);
  return { deliveries: data, next, counts, mark };
}

async function logPage(c: ConsoleContext): Promise<Response> {
  const asked = await askedOf(c);
  try {
    const found = await find(c, asked);
    const part = await logPart(c, asked, found);
    return showLog(c, asked, { part, mark: found.mark });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'INVALID_CURSOR')
      return c.redirect(askedAddress(c, deliveriesPath, { cursor: null }), 303);
    if (error.code !== 'VALIDATION_ERROR') throw error;
    const fields = fieldsOf(SearchDeliveries);
    const { problems } = explain(c.get('language'), { fields, typed: asked.typed }, error);
    return showLog(c, asked, { part: '', problems });
  }
}

/** The part of the page that changes, for a page that is open; 304 while it has not. */
async function livePart(c: ConsoleContext): Promise<Response> {
  const asked = await askedOf(c);
  const found = await find(c, asked);
  c.header('ETag', `"${found.mark}"`);
  if (c.req.header('if-none-match') === `"${found.mark}"`) return c.body(null, 304);
  return c.html(await logPart(c, asked, found));
}

async function showLog(
  c: ConsoleContext,
  asked: Asked,
  {
    part,
    mark,
    problems = new Map(),
  }: {
    part: Markup | string;
    mark?: string;
    problems?: ReadonlyMap<string, string>;
  },
): Promise<Response> {
  const text = deliverySay(c.get('language'));
  const title = text('deliveries');
  const here = askedAddress(c, deliveriesPath);
  // A page further on stays as it is: what is new stands on the first one.
  const live =
    mark === undefined || c.req.query('cursor')
      ? ''
      : html` data-live="${askedAddress(c, `${deliveriesPath}/live`)}" data-mark="${mark}" data-news="${text('news', { count: '{count}' })}"`;
  const beside = html`<p class="live-state"><span class="badge good" title="${text('liveAbout')}" id="live" hidden>${text('live')}</span>
${linkButton(here, text('refresh'), 'secondary')}</p>`;
  const content = html`${bar(title, beside)}
${doneNotice(c)}
${await filterForm(c, asked, problems)}
<p class="visually-hidden" role="status" id="news"></p>
<div id="log" tabindex="-1"${live}>${part}</div>`;
  return page(c, { title, content, scripts: ['deliveries.js'] }, problems.size > 0 ? 422 : 200);
}

async function filterForm(
  c: ConsoleContext,
  { typed, webhooks }: Asked,
  problems: ReadonlyMap<string, string>,
): Promise<Markup> {
  const text = deliverySay(c.get('language'));
  const asked = (name: string): string => firstOf(typed, name);
  const every = text('every');
  const periodNames = Object.keys(periods).filter(isPeriod);
  const record = html`<input id="filter-record" type="search" name="record" value="${asked('record')}" maxlength="100">`;
  const used = typedFields.some(({ name }) => asked(name) !== '' || problems.has(name));
  const state = { fields: typedFields, typed, problems, found: new Map(), meanings: new Map() };
  const kept = linkedNames.filter((name) => asked(name) !== '').map((name) => hiddenField(name, asked(name)));
  const chosen = [...typed.keys()].some((name) => !notAsked.includes(name));
  const everyRecord = askedAddress(c, deliveriesPath, { record_id: null, event_id: null, cursor: null });
  const only = ['record_id', 'event_id'].some((name) => asked(name) !== '')
    ? partChip(everyRecord, text('oneRecord'))
    : '';
  return html`<form class="filter-form" action="${deliveriesPath}" role="search" aria-label="${text('filter')}">${kept}
<div class="filters">${filterChoice(typed, {
    name: 'webhook_id',
    label: text('webhook'),
    none: every,
    values: [...webhooks],
    removed: text('removedWebhook'),
  })}
${filterChoice(typed, {
  name: 'event_type',
  label: text('event'),
  none: every,
  values: eventTypes.map((type) => [type, eventLabel(c, type)] as const),
})}
${field(html`<label for="filter-record">${text('recordFind')}</label>`, record)}
${filterChoice(typed, {
  name: 'period',
  label: text('period'),
  none: text('anyTime'),
  values: periodNames.map((name) => [name, text(name)] as const),
})}
${button(text('filter'), { look: 'secondary' })}${only}${chosen ? html`<a href="${deliveriesPath}">${text('clearFilters')}</a>` : ''}</div>
<details${used ? html` open` : ''}><summary>${text('moreFilters')}</summary><div class="filters">${await fieldsMarkup(c, state)}</div></details>
</form>`;
}

const tabs = ['all', 'delivered', 'waiting', 'held', 'failed', 'tests'] as const;
type Tab = (typeof tabs)[number];
/** Of which count it says whether there are more. */
const countedWith = {
  all: 'all',
  delivered: 'all',
  waiting: 'planned',
  held: 'planned',
  failed: 'failed',
  tests: 'tests',
} as const satisfies Readonly<Record<Tab, keyof DeliveryCounts['more']>>;

/** The outcomes with their counts, and the deliveries of the one that is chosen. */
async function logPart(
  c: ConsoleContext,
  { search, webhooks, typed }: Asked,
  { deliveries, next, counts }: Found,
): Promise<Markup> {
  const text = deliverySay(c.get('language'));
  const chosen: Tab = search.test === true ? 'tests' : (search.outcome ?? 'all');
  const shown = tabs.filter((tab) => tab !== 'held' || counts.held > 0 || chosen === 'held');
  const links = shown.map((tab) => tabLink(c, tab, { counts, current: tab === chosen }));
  const nav = html`<nav class="tabs" aria-label="${text('outcome')}"><ul>${links}</ul></nav>`;
  if (deliveries.length === 0) {
    const isAll = [...typed.keys()].every((name) => name === 'language');
    const nothing = isAll
      ? emptyState(text('nothingYetTeach'), { title: text('nothingYet') })
      : emptyState(text('nothing'));
    return html`${nav}${nothing}`;
  }
  const [first, further] = [c.req.query('cursor'), next];
  const pages = html`<nav class="pages" aria-label="${text('deliveries')}">${
    first ? html`<a href="${askedAddress(c, deliveriesPath, { cursor: null })}">${text('firstPage')}</a>` : ''
  }${further ? html`<a rel="next" href="${askedAddress(c, deliveriesPath, { cursor: further })}">${text('nextPage')}</a>` : ''}</nav>`;
  // Ticked by a script alone, which shows it.
  const all = html`<label class="tick" hidden><input type="checkbox" id="select-all"> <span>${text('selectAll')}</span></label>`;
  const count = html`<output id="selected" data-selected="${text('selected', { count: '{count}' })}"></output>`;
  return html`${nav}<form class="deliveries" method="post" action="${deliveriesPath}/resend${new URL(askedAddress(c, deliveriesPath), 'http://here').search}">${forgeryField(c)}
<div class="with-selection">${all}${button(text('resendSelected'), { look: 'secondary' })}${count}</div>
${deliveryTable(c, deliveries, { webhooks, selectable: true })}</form>${pages}`;
}

function tabLink(
  c: ConsoleContext,
  tab: Tab,
  { counts, current }: { counts: DeliveryCounts; current: boolean },
): Markup {
  const text = deliverySay(c.get('language'));
  const isMore = counts.more[countedWith[tab]];
  const count = numberOf(c, counts[tab]);
  const said = isMore
    ? html`<span aria-hidden="true">${count}+</span><span class="visually-hidden">${text('atLeast', { count })}</span>`
    : count;
  const which = {
    outcome: tab === 'all' || tab === 'tests' ? null : tab,
    test: tab === 'tests' ? 'true' : null,
  };
  const address = askedAddress(c, deliveriesPath, { ...which, cursor: null });
  return html`<li><a href="${address}"${current ? html` aria-current="page"` : ''}>${text(tab)} <span class="count">${said}</span></a></li>`;
}

/** As a form names a delivery: `webhook/event`. */
const named = z.string().regex(/^[0-9a-f-]{36}\/[\w-]{1,100}$/);

/** Sends each of a selection again, as on its own page, and tells how many are sent and how many are not. */
async function resendSelected(c: ConsoleContext): Promise<Response> {
  const session = requireOwner(c);
  const form = await receivedForm(c);
  const selected = [...new Set(form.getAll('delivery'))]
    .filter((name) => named.safeParse(name).success)
    .slice(0, limits.pageSizeDefault);
  let count = 0;
  for (const name of selected) {
    const [id = '', delivery_id = ''] = name.split('/');
    try {
      await runAsUser(c.get('core'), session, 'webhook-deliveries.resend', { path: { id, delivery_id } });
      count += 1;
    } catch (error) {
      if (!(error instanceof Problem) || !['NOT_FOUND', 'CONFLICT'].includes(error.code)) throw error;
    }
  }
  // The filters stand in the address, which is never longer than an answer may be; a field of the form could be.
  const query = new URL(c.req.url).searchParams;
  query.delete('cursor');
  query.set('done', 'resent');
  query.set('count', String(count));
  query.set('refused', String(selected.length - count));
  return c.redirect(`${deliveriesPath}?${query}`, 303);
}

/** How many are sent again, where the address of the page says so. */
function doneNotice(c: ConsoleContext): Markup | string {
  if (c.req.query('done') !== 'resent') return '';
  const text = deliverySay(c.get('language'));
  const number = (name: string): number => Number.parseInt(c.req.query(name) ?? '0', 10) || 0;
  const [count, refused] = [number('count'), number('refused')];
  const said = [
    ...(count > 0 ? [text('resentCount', { count: numberOf(c, count) })] : []),
    ...(refused > 0 ? [text('refusedCount', { count: numberOf(c, refused) })] : []),
    ...(count + refused === 0 ? [text('noneSelected')] : []),
  ].join(' ');
  return html`<p class="${count > 0 ? 'notice' : 'held'}" role="status">${said}</p>`;
}
