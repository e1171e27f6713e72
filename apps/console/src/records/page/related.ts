import { type FieldFacts, mostCounted, relatedOperation, resources } from '@dealkeep/contract';
import { runAsUser } from '@dealkeep/core/operations';
import { html } from 'hono/html';
import { isPermitted } from '../../auth/permitted.ts';
import { type ConsoleContext, sessionOf } from '../../context.ts';
import { choices, type Markup, unseen } from '../../markup.ts';
import { type ShownRecord, textIn } from '../../values/shown-record.ts';
import { currencyOf, numberOf, shownValue } from '../../values/shown-value.ts';
import type { RecordKind } from '../record-kind.ts';
import { recordKinds } from '../record-kinds.ts';
import { hasWork } from './open-work.ts';
import { pageSay } from './texts.ts';

/** The newest of each kind; the rest is a list away. */
const mostShown = '3';

/** How many records of each kind belong to a record, of those that the user may see. */
export async function countRelated(
  c: ConsoleContext,
  kind: RecordKind,
  id: string,
): Promise<ReadonlyMap<string, number>> {
  const request = { path: { [kind.idField]: id } };
  const counted = await runAsUser(c.get('core'), sessionOf(c), relatedOperation(kind.resource), request);
  return new Map(counted.map(({ resource, records }) => [resource, records]));
}

/** What belongs to a record: of each kind how many there are and the newest few, and a way to add another. */
export async function relatedCards(
  c: ConsoleContext,
  kind: RecordKind,
  record: ShownRecord,
  counts: ReadonlyMap<string, number>,
): Promise<Markup[]> {
  const id = textIn(record, kind.idField);
  const cards = await Promise.all(
    recordKinds.map(async (other) => {
      const filter = other.filters.find(({ reference }) => reference === kind.resource);
      const count = counts.get(other.resource);
      if (!filter || count === undefined || isWork(kind, other)) return [];
      const query: [string, string] = [filter.name, id];
      const adds = addAddress(c, other, query);
      if (count === 0) return [{ missing: adds === undefined ? '' : addLink(c, other, adds, 'name') }];
      const { data } = await other.list(c, [query, ['limit', mostShown]]);
      return [{ card: relatedCard(c, other, { query, data, count, adds }) }];
    }),
  );
  const missing = cards
    .flat()
    .flatMap((each) => ('missing' in each && each.missing !== '' ? [each.missing] : []));
  const toAdd =
    missing.length > 0
      ? [
          html`<section class="card related"><h2>${pageSay(c.get('language'))('add')}</h2>${choices(...missing)}</section>`,
        ]
      : [];
  return [...cards.flat().flatMap((each) => ('card' in each ? [each.card] : [])), ...toAdd];
}

/** Tasks and activities of such records stand in their own place. */
const isWork = (kind: RecordKind, { resource }: RecordKind): boolean =>
  hasWork(kind) && (resource === 'task' || resource === 'activity');

function relatedCard(
  c: ConsoleContext,
  other: RecordKind,
  shown: {
    query: [string, string];
    data: readonly ShownRecord[];
    count: number;
    adds: string | undefined;
  },
): Markup {
  const text = pageSay(c.get('language'));
  const { query, data, count, adds } = shown;
  const name = resources[other.resource].plural[c.get('language')];
  const many = count > mostCounted ? text('moreThan', { count: mostCounted }) : numberOf(c, count);
  const heading = html`<a href="${other.path}?${new URLSearchParams([query])}">${name}</a> <span class="count">${many}</span>`;
  const rows = data.map((record) => html`<li>${relatedRow(c, other, record)}</li>`);
  return html`<section class="card related"><div class="bar"><h2>${heading}</h2>${adds === undefined ? '' : addLink(c, other, adds, 'add')}</div>
<ul>${rows}</ul></section>`;
}

function relatedRow(c: ConsoleContext, kind: RecordKind, record: ShownRecord): Markup {
  const text = pageSay(c.get('language'));
  const title = kind.titleOf(record) || text('unnamed');
  const said = (field: FieldFacts | undefined): Markup | string =>
    field ? shownValue(c, field, record[field.name], currencyOf(c, record)) : '';
  const status = said(kind.fields.find((field) => field.name === 'status'));
  const money = said(kind.fields.find(({ name }) => worth.includes(name)));
  return html`<a href="${kind.path}/${textIn(record, kind.idField)}">${title}</a> ${status}${
    money === '' ? '' : html` <span class="quiet">${money}</span>`
  }`;
}

/** The fields that say what a record is worth. */
const worth: readonly string[] = ['value', 'total', 'grand_total', 'price'];

/** The form for another one that belongs to the record; undefined where it is not offered. */
function addAddress(
  c: ConsoleContext,
  { create, resource, path }: RecordKind,
  query: readonly [string, string],
): string | undefined {
  const isOffered =
    create && isPermitted(c, resource, create) && create.fields.some(({ name }) => name === query[0]);
  return isOffered ? `${path}/new?${new URLSearchParams([[...query]])}` : undefined;
}

/** Says what is added by its name, or, where that stands beside it, that it is added. */
function addLink(c: ConsoleContext, { resource }: RecordKind, address: string, said: 'name' | 'add'): Markup {
  const text = pageSay(c.get('language'));
  const what = resources[resource].label[c.get('language')];
  const words =
    said === 'name' ? html`${unseen(`${text('add')}: `)}${what}` : html`${text('add')}${unseen(`: ${what}`)}`;
  return html`<a href="${address}">${words}</a>`;
}
