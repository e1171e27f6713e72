import type { FieldFacts } from '@dealkeep/contract';
import { type LookupEntry, readLookups } from '@dealkeep/core/records';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { buttonForm } from '../../auth/forgery.ts';
import { requireOwner } from '../../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../../context.ts';
import { countsOnce } from '../../forms/form-page.ts';
import { page } from '../../frame/page.ts';
import {
  bar,
  button,
  type Column,
  card,
  choices,
  emptyState,
  factList,
  linkButton,
  type Markup,
  table,
  trail,
  unseen,
} from '../../markup.ts';
import { isNumberField } from '../../values/field-words.ts';
import { currencyOf, shownValue } from '../../values/shown-value.ts';
import { entryIn, fieldsIn, lookupsPath, type Place, scopeOf } from './place.ts';
import { type SettingsLookup, settingsLookups } from './settings-lookups.ts';
import { doneNotice, lookupSay } from './texts.ts';

/** The overview of all lists, a page for each, and one for each entry that others stand in. */
export function lookupPages(app: Hono<ConsoleEnvironment>): void {
  app.get(lookupsPath, overview);
  for (const lookup of settingsLookups) {
    const place: Place = {
      lookup,
      parent: undefined,
      base: `${lookupsPath}/${lookup.path}`,
      page: `${lookupsPath}/${lookup.path}`,
    };
    app.get(place.base, (c) => listPage(c, place));
    const { inner } = lookup;
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

const addButton = (c: ConsoleContext, { lookup, base }: Place): Markup =>
  linkButton(`${base}/new`, lookupSay(c.get('language'))('add', { what: lookup.label[c.get('language')] }));

async function listPage(c: ConsoleContext, place: Place): Promise<Response> {
  const { lookup } = place;
  const entries = await readLookups(scopeOf(c), lookup.name);
  const offered = entries.filter((entry) => entry.archived_at === null);
  const [language, text] = [c.get('language'), lookupSay(c.get('language'))];
  const title = lookup.plural[language];
  const content = html`${trail(lookupsPath, text('lists'))}
${bar(title, choices(addButton(c, place)))}
${doneNotice(c)}
${
  offered.length === 0
    ? emptyState(lookup.about[language], { title: text('nothingYet'), steps: addButton(c, place) })
    : html`<p>${lookup.about[language]}</p>${await entryTable(c, place, offered)}`
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
  const place = { lookup: inner, base: `${address}/${inner.path}`, page: address, parent: entry };
  const entries = await readLookups(scopeOf(c), inner.name, entry.id);
  const facts = outer.lookup.fields
    .filter(({ name }) => name !== 'name')
    .map(
      (field) => [labelOf(c, field), shownValue(c, field, entry[field.name], currencyOf(c, entry))] as const,
    );
  const content = html`${trail(outer.page, outer.lookup.plural[language])}
${bar(
  html`${entry.name} <span class="kind">${outer.lookup.label[language]}</span>`,
  choices(
    linkButton(`${address}/edit`, text('edit')),
    linkButton(`${address}/remove`, text('remove'), 'secondary'),
  ),
)}
${doneNotice(c)}
${card(text('details'), factList(facts))}
<div class="bar"><h2>${inner.plural[language]}</h2>${choices(addButton(c, place))}</div>
<p>${inner.about[language]}</p>
${await entryTable(c, place, entries)}`;
  return page(c, { title: entry.name, content });
}

const labelOf = (c: ConsoleContext, { description, name }: FieldFacts): string =>
  description?.label[c.get('language')] ?? name;

async function entryTable(c: ConsoleContext, place: Place, entries: readonly LookupEntry[]): Promise<Markup> {
  const fields = await fieldsIn(c, place.lookup);
  const columns = fields.map(
    (field): Column<LookupEntry> => ({
      label: labelOf(c, field),
      holds: isNumberField(field) ? 'number' : undefined,
      cell: (entry) => cell(c, place, entry, field),
    }),
  );
  const actions: Column<LookupEntry> = {
    label: lookupSay(c.get('language'))('actions'),
    holds: 'actions',
    cell: (entry, index) => {
      const ends = { first: index === 0, last: index === entries.length - 1 };
      return html`${place.parent ? orderButtons(c, place, entry, ends) : ''}${links(c, place, entry)}`;
    },
  };
  return table([...columns, actions], entries);
}

function cell(
  c: ConsoleContext,
  { lookup, base }: Place,
  entry: LookupEntry,
  field: FieldFacts,
): Markup | string {
  if (field.name === 'name') {
    return lookup.inner ? html`<a href="${base}/${entry.id}">${entry.name}</a>` : entry.name;
  }
  const value = shownValue(c, field, entry[field.name], currencyOf(c, entry));
  return field.name === 'color' && value !== '' ? html`<span>${swatch(value)} ${value}</span>` : value;
}

/** The color itself; an attribute of a picture, because pages may have no styles of their own. */
const swatch = (color: Markup | string): Markup =>
  html`<svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" fill="${color}"/></svg>`;

function links(c: ConsoleContext, { base }: Place, { id, name }: LookupEntry): Markup {
  const text = lookupSay(c.get('language'));
  const link = (step: string, label: string): Markup =>
    html`<a href="${base}/${id}/${step}">${label}${unseen(` (${name})`)}</a>`;
  return html`${link('edit', text('edit'))} ${link('remove', text('remove'))}`;
}

/** A button that does a step at once. */
function stepButton(
  c: ConsoleContext,
  { base }: Place,
  { id, name }: LookupEntry,
  { step, label, sign }: { step: string; label: string; sign?: string },
): Markup {
  const pressed = sign
    ? button(html`<span aria-hidden="true">${sign}</span>${unseen(`${label} (${name})`)}`, {
        look: 'secondary',
        title: label,
      })
    : button(html`${label}${unseen(` (${name})`)}`, { look: 'link' });
  return buttonForm(c, `${base}/${id}/${step}`, html`${countsOnce()}${pressed}`);
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
  const columns: Column<LookupEntry>[] = [
    { label: text('name'), cell: ({ name }) => name },
    { label: text('actions'), holds: 'actions', cell: (entry) => stepButton(c, place, entry, restore) },
  ];
  return html`<h2>${text('archived')}</h2>
<p>${text('archivedAbout')}</p>
${table(columns, entries)}`;
}
