import { type FieldFacts, resources } from '@dealkeep/contract';
import { Problem } from '@dealkeep/core';
import { html } from 'hono/html';
import { isPermitted, requirePermitted } from '../auth/permitted.ts';
import type { ConsoleContext } from '../context.ts';
import { page } from '../frame/page.ts';
import {
  bar,
  bulletList,
  choices,
  type Fact,
  factList,
  linkButton,
  type Markup,
  trail,
  unseen,
} from '../markup.ts';
import { fieldLabel } from '../values/field-words.ts';
import { type ShownRecord, textIn } from '../values/shown-record.ts';
import { currencyOf, shownValue } from '../values/shown-value.ts';
import { isPrinted } from './print/print-page.ts';
import type { RecordKind } from './record-kind.ts';
import { recordKinds } from './record-kinds.ts';
import { doneNotice, stepButtons } from './step-routes.ts';
import { recordSay } from './texts.ts';

/** One record with all that the contract says of it, and what can be done with it. */
export async function detailPage(c: ConsoleContext, kind: RecordKind, id: string): Promise<Response> {
  requirePermitted(c, kind.resource, kind);
  const record = await withNames(c, await kind.get(c, id));
  const language = c.get('language');
  const text = recordSay(language);
  const { label, plural } = resources[kind.resource];
  const title = kind.titleOf(record) || recordSay(language)('unnamed');
  const own = new Map((await kind.ownFields?.(c))?.map((field) => [field.name, field]));
  const steps = stepButtons(c, kind, record);
  const archived = typeof record['archived_at'] === 'string';
  const edits = kind.update && !archived && isPermitted(c, kind.resource, kind.update);
  const possible =
    steps.length > 0
      ? html`<div class="choices steps" role="group" aria-label="${text('whatNow')}">${steps}</div>`
      : '';
  const edit = edits ? linkButton(`${kind.path}/${id}/edit`, text('edit')) : '';
  const print = isPrinted(kind) ? linkButton(`${kind.path}/${id}/print`, text('print'), 'secondary') : '';
  const content = html`${trail(kind.path, plural[language])}
${bar(html`${title} <span class="kind">${label[language]}</span>`, choices(possible, print, edit))}
${doneNotice(c, kind.steps)}
<div class="record"><div>${kind.sections.map(({ heading, fields }) =>
    sectionOf(c, record, {
      heading: heading?.[language] ?? text('details'),
      fields: fields.map((field) => own.get(field.name) ?? field),
    }),
  )}</div>
${related(c, kind, record)}</div>`;
  return page(c, { title, content });
}

/** A record that says other records by their ids alone (`client_uuid`), with the names of these. */
async function withNames(c: ConsoleContext, record: ShownRecord): Promise<ShownRecord> {
  const named = recordKinds.flatMap(({ resource }) => {
    const id = record[`${resource}_uuid`];
    return typeof id === 'string' ? [{ resource, id }] : [];
  });
  const entries = await Promise.all(
    named.map(async ({ resource, id }) => [`${resource}_uuid`, { id, name: await nameOf(c, resource, id) }]),
  );
  return { ...record, ...Object.fromEntries(entries) };
}

/** How a record is called; where the role does not show it, that there is one. */
async function nameOf(c: ConsoleContext, resource: string, id: string): Promise<string> {
  const kind = recordKinds.find((each) => each.resource === resource);
  try {
    return kind && isPermitted(c, resource, kind) ? kind.titleOf(await kind.get(c, id)) : '';
  } catch (error) {
    if (error instanceof Problem) return '';
    throw error;
  }
}

const labelOf = (c: ConsoleContext, field: FieldFacts): string => fieldLabel(c.get('language'), field);

/** What is known of a record in a section of its page: facts first, then what has many rows. */
function sectionOf(
  c: ConsoleContext,
  record: ShownRecord,
  { heading, fields }: { heading: string; fields: readonly FieldFacts[] },
): Markup | string {
  const shown = fields
    .map((field) => ({ field, value: shownValue(c, field, record[field.name], currencyOf(c, record)) }))
    .filter(({ value }) => value !== '');
  if (shown.length === 0) return '';
  const facts = shown
    .filter(({ field }) => !isTable(field))
    .map(({ field, value }): Fact => {
      return [labelOf(c, field), value, field.description?.multiline ? 'wide' : undefined];
    });
  const tables = shown.filter(({ field }) => isTable(field));
  const many = tables.map(({ field, value }) =>
    labelOf(c, field) === heading ? value : html`<h3>${labelOf(c, field)}</h3>${value}`,
  );
  const known = facts.length > 0 ? html`<div class="card">${factList(facts)}</div>` : '';
  return html`<section><h2>${heading}</h2>${known}${many}</section>`;
}

const isTable = ({ isArray, type, resource }: FieldFacts): boolean =>
  isArray && type === 'object' && resource === undefined;

/** The lists of other records that belong to this one: every list that can be filtered by it. */
function related(c: ConsoleContext, { resource, idField }: RecordKind, record: ShownRecord): Markup | string {
  const language = c.get('language');
  const text = recordSay(language);
  const id = textIn(record, idField);
  const links = recordKinds.flatMap((kind) => {
    const filter = kind.filters.find(({ reference }) => reference === resource);
    if (!filter || !isPermitted(c, kind.resource, kind)) return [];
    const { plural, label } = resources[kind.resource];
    const creates =
      kind.create &&
      isPermitted(c, kind.resource, kind.create) &&
      kind.create.fields.some(({ name }) => name === filter.name);
    const add = creates
      ? html`<a class="quiet" href="${kind.path}/new?${filter.name}=${id}">${text('add')}${unseen(`: ${label[language]}`)}</a>`
      : '';
    return [html`<a href="${kind.path}?${filter.name}=${id}">${plural[language]}</a>${add}`];
  });
  return links.length > 0
    ? html`<aside class="card" aria-labelledby="related"><h2 id="related">${text('related')}</h2>${bulletList(links)}</aside>`
    : '';
}
