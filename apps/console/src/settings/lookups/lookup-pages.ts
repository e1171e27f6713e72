import type { FieldFacts } from '@dealkeep/contract';
import { type LookupEntry, readLookups } from '@dealkeep/core';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { forgeryField } from '../../auth/forgery.ts';
import { requireOwner } from '../../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../../context.ts';
import { onceField } from '../../forms/form-page.ts';
import { page } from '../../frame/page.ts';
import { factList, type Markup } from '../../markup.ts';
import { currencyOf, numberClass, shownValue } from '../../values/shown-value.ts';
import { entryIn, fieldsIn, lookupsPath, type Place, scopeOf } from './place.ts';
import { type SettingsLookup, settingsLookups } from './settings-lookups.ts';
import { doneNotice, lookupSay } from './texts.ts';

/** The overview of all lists, a page for each, and one for each entry that others stand in. */
export function lookupPages(app: Hono<ConsoleEnvironment>): void {
  app.get(lookupsPath, overview);
  for (const list of settingsLookups) {
    const place: Place = {
      list,
      parent: undefined,
      base: `${lookupsPath}/${list.path}`,
      page: `${lookupsPath}/${list.path}`,
    };
    app.get(place.base, (c) => listPage(c, place));
    const { inner } = list;
    if (inner) app.get(`${place.base}/:id`, (c) => entryPage(c, place, inner));
  }
}

function overview(c: ConsoleContext): Promise<Response> {
  requireOwner(c);
  const [language, text] = [c.get('language'), lookupSay(c.get('language'))];
  const content = html`<h1>${text('lists')}</h1>
<p>${text('listsAbout')}</p>
<div class="cards">${settingsLookups.map(
    ({ path, plural, about }) =>
      html`<section class="card"><h2><a href="${lookupsPath}/${path}">${plural[language]}</a></h2><p>${about[language]}</p></section>`,
  )}</div>`;
  return page(c, { title: text('lists'), content });
}

const addButton = (c: ConsoleContext, { list, base }: Place): Markup =>
  html`<a class="button" href="${base}/new">${lookupSay(c.get('language'))('add', { what: list.label[c.get('language')] })}</a>`;

async function listPage(c: ConsoleContext, place: Place): Promise<Response> {
  const { list } = place;
  const entries = await readLookups(scopeOf(c), list.name);
  const offered = entries.filter((entry) => entry.archived_at === null);
  const [language, text] = [c.get('language'), lookupSay(c.get('language'))];
  const title = list.plural[language];
  const content = html`<p class="trail"><a href="${lookupsPath}">${text('lists')}</a></p>
<div class="bar"><h1>${title}</h1><div class="choices">${addButton(c, place)}</div></div>
${doneNotice(c)}
${
  offered.length === 0
    ? html`<div class="card empty"><h2>${lookupSay(language)('nothingYet')}</h2><p>${list.about[language]}</p><p class="choices centered">${addButton(c, place)}</p></div>`
    : html`<p>${list.about[language]}</p>${await table(c, place, offered)}`
}
${archive(
  c,
  place,
  entries.filter((entry) => entry.archived_at !== null),
)}`;
  return page(c, { title, content });
}

/** An entry with what stands in it. */
async function entryPage(c: ConsoleContext, outer: Place, inner: SettingsLookup): Promise<Response> {
  const entry = await entryIn(c, outer);
  const [language, text] = [c.get('language'), lookupSay(c.get('language'))];
  const address = `${outer.base}/${entry.id}`;
  const place = { list: inner, base: `${address}/${inner.path}`, page: address, parent: entry };
  const entries = await readLookups(scopeOf(c), inner.name, entry.id);
  const facts = outer.list.fields
    .filter(({ name }) => name !== 'name')
    .map(
      (field) => [labelOf(c, field), shownValue(c, field, entry[field.name], currencyOf(c, entry))] as const,
    );
  const content = html`<p class="trail"><a href="${outer.page}">${outer.list.plural[language]}</a></p>
<div class="bar"><h1>${entry.name} <span class="kind">${outer.list.label[language]}</span></h1><div class="choices"><a class="button" href="${address}/edit">${lookupSay(language)('edit')}</a><a class="button secondary" href="${address}/remove">${text('remove')}</a></div></div>
${doneNotice(c)}
<section class="card" aria-label="${lookupSay(language)('details')}">${factList(facts)}</section>
<div class="bar"><h2>${inner.plural[language]}</h2><div class="choices">${addButton(c, place)}</div></div>
<p>${inner.about[language]}</p>
${await table(c, place, entries)}`;
  return page(c, { title: entry.name, content });
}

const labelOf = (c: ConsoleContext, { description, name }: FieldFacts): string =>
  description?.label[c.get('language')] ?? name;

async function table(c: ConsoleContext, place: Place, entries: readonly LookupEntry[]): Promise<Markup> {
  const text = lookupSay(c.get('language'));
  const fields = await fieldsIn(c, place.list);
  return html`<div class="scroll"><table><thead><tr>${fields.map((field) => html`<th scope="col"${numberClass(field)}>${labelOf(c, field)}</th>`)}<th scope="col"><span class="visually-hidden">${text('actions')}</span></th></tr></thead>
<tbody>${entries.map((entry, index) => {
    const ends = { first: index === 0, last: index === entries.length - 1 };
    return html`<tr>${fields.map((field) => cell(c, place, entry, field))}<td class="actions">${place.parent ? orderButtons(c, place, entry, ends) : ''}${links(c, place, entry)}</td></tr>`;
  })}</tbody></table></div>`;
}

function cell(c: ConsoleContext, { list, base }: Place, entry: LookupEntry, field: FieldFacts): Markup {
  if (field.name === 'name') {
    const shown = list.inner ? html`<a href="${base}/${entry.id}">${entry.name}</a>` : entry.name;
    return html`<th scope="row">${shown}</th>`;
  }
  const value = shownValue(c, field, entry[field.name], currencyOf(c, entry));
  const colored = field.name === 'color' && value !== '';
  return html`<td${numberClass(field)} data-label="${labelOf(c, field)}">${colored ? html`<span>${swatch(value)} ${value}</span>` : value}</td>`;
}

/** The color itself; an attribute of a picture, because pages may have no styles of their own. */
const swatch = (color: Markup | string): Markup =>
  html`<svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" fill="${color}"/></svg>`;

function links(c: ConsoleContext, { base }: Place, { id, name }: LookupEntry): Markup {
  const text = lookupSay(c.get('language'));
  const link = (step: string, label: string): Markup =>
    html`<a href="${base}/${id}/${step}">${label}<span class="visually-hidden"> (${name})</span></a>`;
  return html`${link('edit', text('edit'))} ${link('remove', text('remove'))}`;
}

/** A button that does a step at once. */
function stepButton(
  c: ConsoleContext,
  { base }: Place,
  { id, name }: LookupEntry,
  { step, label, sign }: { step: string; label: string; sign?: string },
): Markup {
  const shown = sign
    ? html`<span aria-hidden="true">${sign}</span><span class="visually-hidden">${label} (${name})</span>`
    : html`${label}<span class="visually-hidden"> (${name})</span>`;
  return html`<form class="in-line" method="post" action="${base}/${id}/${step}">${forgeryField(c)}<input type="hidden" name="${onceField}" value="${crypto.randomUUID()}"><button class="${sign ? 'secondary' : 'link'}"${sign ? html` title="${label}"` : ''}>${shown}</button></form>`;
}

function orderButtons(
  c: ConsoleContext,
  place: Place,
  entry: LookupEntry,
  { first, last }: { first: boolean; last: boolean },
): Markup {
  const text = lookupSay(c.get('language'));
  const up = first ? '' : stepButton(c, place, entry, { step: 'up', label: text('up'), sign: '↑' });
  const down = last ? '' : stepButton(c, place, entry, { step: 'down', label: text('down'), sign: '↓' });
  return html`${up} ${down} `;
}

function archive(c: ConsoleContext, place: Place, entries: readonly LookupEntry[]): Markup | string {
  if (entries.length === 0) return '';
  const text = lookupSay(c.get('language'));
  const restore = { step: 'restore', label: text('restore') };
  return html`<h2>${text('archived')}</h2>
<p>${text('archivedAbout')}</p>
<div class="scroll"><table><thead><tr><th scope="col">${text('name')}</th><th scope="col"><span class="visually-hidden">${text('actions')}</span></th></tr></thead>
<tbody>${entries.map((entry) => html`<tr><th scope="row">${entry.name}</th><td class="actions">${stepButton(c, place, entry, restore)}</td></tr>`)}</tbody></table></div>`;
}
