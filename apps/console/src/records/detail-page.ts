import { type FieldFacts, fieldsOf, resources } from '@dealkeep/contract';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import type { Markup } from '../markup.ts';
import { page } from '../page.ts';
import { say } from '../texts.ts';
import { isPermitted, requirePermitted } from './permitted.ts';
import { type RecordKind, type ShownRecord, type Step, textIn } from './record-kind.ts';
import { recordKinds } from './record-kinds.ts';
import { everyStep } from './record-steps.ts';
import { doneNotice, stepButtons } from './step-routes.ts';
import { recordSay } from './texts.ts';
import { shownValue } from './value.ts';

/** One record with all that the contract says of it, and what can be done with it. */
export async function detailPage(c: ConsoleContext, kind: RecordKind, id: string): Promise<Response> {
  requirePermitted(c, kind.resource, kind);
  const record = await kind.get(c, id);
  const language = c.get('language');
  const text = recordSay(language);
  const { label, plural, schema } = resources[kind.resource];
  const title = kind.titleOf(record) || say(language)('unnamed');
  const fields = fieldsOf(schema).filter(({ name }) => name !== kind.idField && name !== 'app_url');
  const tables = fields.filter(({ isArray, type }) => isArray && type === 'object');
  const steps = stepButtons(c, kind, record);
  const archived = typeof record['archived_at'] === 'string';
  const edits = kind.update && !archived && isPermitted(c, kind.resource, kind.update);
  const content = html`<p class="quiet"><a href="${kind.path}">${plural[language]}</a></p>
<div class="bar"><h1>${title} <span class="quiet">${label[language]}</span></h1>${edits ? html`<a class="button" href="${kind.path}/${id}/edit">${text('edit')}</a>` : ''}</div>
${doneNotice(c, stepsNamed(kind))}
${steps.length > 0 ? html`<section class="card" aria-label="${text('whatNow')}"><div class="choices steps">${steps}</div></section>` : ''}
<section class="card" aria-label="${text('details')}"><dl>${fields.filter((field) => !tables.includes(field)).map((field) => entry(c, field, record))}</dl></section>
${tables.map((field) => tableOf(c, field, record))}
${related(c, kind, record)}`;
  return page(c, { title, content });
}

const stepsNamed = ({ resource }: RecordKind): readonly Step[] => everyStep[resource] ?? [];

const labelOf = (c: ConsoleContext, { description, name }: FieldFacts): string =>
  description?.label[c.get('language')] ?? name;

function entry(c: ConsoleContext, field: FieldFacts, record: ShownRecord): Markup {
  const shown = shownValue(c, field, record[field.name]);
  return html`<dt>${labelOf(c, field)}</dt><dd>${shown === '' ? html`<span class="quiet">—</span>` : shown}</dd>`;
}

function tableOf(c: ConsoleContext, field: FieldFacts, record: ShownRecord): Markup | string {
  const shown = shownValue(c, field, record[field.name]);
  return shown === '' ? '' : html`<section><h2>${labelOf(c, field)}</h2>${shown}</section>`;
}

/** The lists of other records that belong to this one: every list that can be filtered by it. */
function related(c: ConsoleContext, { resource, idField }: RecordKind, record: ShownRecord): Markup | string {
  const language = c.get('language');
  const text = recordSay(language);
  const id = textIn(record, idField);
  const links = recordKinds.flatMap((kind) => {
    const filter = fieldsOf(kind.query).find(({ reference }) => reference === resource);
    if (!filter || !isPermitted(c, kind.resource, kind)) return [];
    const { plural, label } = resources[kind.resource];
    const creates =
      kind.create &&
      isPermitted(c, kind.resource, kind.create) &&
      kind.create.fields.some(({ name }) => name === filter.name);
    const add = creates
      ? html` <a class="quiet" href="${kind.path}/new?${filter.name}=${id}">${text('create', { what: label[language] })}</a>`
      : '';
    return [html`<li><a href="${kind.path}?${filter.name}=${id}">${plural[language]}</a>${add}</li>`];
  });
  return links.length > 0
    ? html`<section class="card"><h2>${text('related')}</h2><ul>${links}</ul></section>`
    : '';
}
