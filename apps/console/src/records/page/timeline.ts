import {
  type AnswerOf,
  type EveryOperation,
  events,
  type FieldFacts,
  isEventType,
  type TimelineOperation,
  timelineOperation,
} from '@dealkeep/contract';
import { runAsUser } from '@dealkeep/core/operations';
import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../../context.ts';
import type { Markup } from '../../markup.ts';
import { fieldLabel } from '../../values/field-words.ts';
import { relativeMoment } from '../../values/relative-time.ts';
import { type ShownRecord, textIn } from '../../values/shown-record.ts';
import { currencyOf, momentText, shownValue } from '../../values/shown-value.ts';
import type { RecordKind } from '../record-kind.ts';
import { kindOf } from '../record-kinds.ts';
import { hasWork } from './open-work.ts';
import { pageSay } from './texts.ts';

export type Timeline = AnswerOf<EveryOperation[TimelineOperation]>;
type Entry = Timeline['entries'][number];
type Told = Entry['event'];

const filters = { all: 'everything', changes: 'changes', activities: 'activities' } as const;
type Filter = keyof typeof filters;
const filterNames = ['all', 'changes', 'activities'] as const satisfies readonly Filter[];
const filterParameter = 'timeline';
const cursorParameter = 'before';

const askedFilter = (c: ConsoleContext): Filter =>
  filterNames.find((name) => name === c.req.query(filterParameter)) ?? 'all';

/** A page of what happened to a record, as its address asks for it. */
export function readTimeline(c: ConsoleContext, kind: RecordKind, id: string): Promise<Timeline> {
  const cursor = c.req.query(cursorParameter);
  const query: [string, string][] = [['about', askedFilter(c)]];
  if (cursor !== undefined) query.push(['cursor', cursor]);
  const request = { path: { [kind.idField]: id }, query };
  return runAsUser(c.get('core'), sessionOf(c), timelineOperation(kind.resource), request);
}

/** What happened to a record and to what belongs to it, the newest first. */
export function timelineSection(
  c: ConsoleContext,
  kind: RecordKind,
  record: ShownRecord,
  { entries, next_cursor }: Timeline,
): Markup {
  const text = pageSay(c.get('language'));
  const address = `${kind.path}/${textIn(record, kind.idField)}`;
  const filter = askedFilter(c);
  const to = (parameters: Readonly<Record<string, string>>): string =>
    `${address}?${new URLSearchParams(parameters)}#timeline`;
  const chosen = html` aria-current="true"`;
  const choices = hasWork(kind)
    ? html`<nav class="segments" aria-label="${text('timelineFilter')}">${filterNames.map(
        (name) =>
          html`<a href="${to({ [filterParameter]: name })}"${name === filter ? chosen : ''}>${text(filters[name])}</a>`,
      )}</nav>`
    : '';
  const happened = together(entries);
  const ends = next_cursor === null ? beginning(c, record, entries) : '';
  const shown =
    happened.length === 0
      ? ends !== ''
        ? ''
        : html`<p class="quiet">${text('nothingHappened')}</p>`
      : html`<ol class="timeline">${happened.map((each) => happening(c, record, each))}</ol>`;
  const isFirst = c.req.query(cursorParameter) === undefined;
  const newest = isFirst ? '' : html`<a href="${to({ [filterParameter]: filter })}">${text('newest')}</a>`;
  const older =
    next_cursor === null
      ? ''
      : html`<a href="${to({ [filterParameter]: filter, [cursorParameter]: next_cursor })}">${text('older')}</a>`;
  const pages = newest === '' && older === '' ? '' : html`<div class="pages">${newest}${older}</div>`;
  return html`<section class="card" id="timeline"><div class="bar"><h2>${text('timeline')}</h2>${choices}</div>
${shown}${ends}${pages}</section>`;
}

/** Where the timeline ends before the record began, when that was. */
function beginning(c: ConsoleContext, record: ShownRecord, entries: readonly Entry[]): Markup | string {
  const made = textIn(record, 'created_at');
  const id = textIn(record, 'id') || textIn(record, 'uuid');
  const isTold = entries.some(({ event }) => event.type.endsWith('.created') && idOf(event) === id);
  if (made === '' || isTold || askedFilter(c) === 'activities') return '';
  const text = pageSay(c.get('language'));
  return html`<p class="quiet began">${text('made', { moment: momentText(c, made) })} ${text('keptDays', { days: c.get('core').retention.eventDays })}</p>`;
}

const idOf = ({ data }: Told): string => textIn(data, 'id') || textIn(data, 'uuid');

/** What happened to one record at one moment is one entry: a lead that is moved to a won stage is won. */
function together(entries: readonly Entry[]): [Entry, ...Entry[]][] {
  const all: [Entry, ...Entry[]][] = [];
  for (const entry of entries) {
    const last = all.at(-1);
    const isSame =
      last && idOf(last[0].event) === idOf(entry.event) && last[0].event.timestamp === entry.event.timestamp;
    if (isSame) last.push(entry);
    else all.push([entry]);
  }
  return all;
}

const weights = ['updated', 'moved', 'overdue', 'payment', 'status', 'created'] as const;
const weightOf = ({ type }: Told): number =>
  isEventType(type) ? weights.indexOf(events[type].category) : -1;

/** One entry: what it was, of which record, what changed from what to what, who did it and when. */
function happening(c: ConsoleContext, page: ShownRecord, told: readonly [Entry, ...Entry[]]): Markup {
  const [{ event: last, by }] = told;
  const chief = told.map(({ event }) => event).reduce((a, b) => (weightOf(b) > weightOf(a) ? b : a));
  const { type } = chief;
  const declared = isEventType(type) ? events[type] : undefined;
  const kind = declared && kindOf(declared.entity);
  const label = declared?.label[c.get('language')] ?? type;
  const id = idOf(last);
  const isOfPage = id === (textIn(page, 'id') || textIn(page, 'uuid'));
  const named =
    isOfPage || !kind
      ? ''
      : html`: <a href="${kind.path}/${id}">${kind.titleOf(chief.data) || pageSay(c.get('language'))('unnamed')}</a>`;
  const changes = kind ? told.flatMap(({ event }) => changesIn(c, kind, event)) : [];
  return html`<li class="${declared?.category ?? 'updated'}"><p><strong>${label}</strong>${named} <span class="quiet">${
    by ? html`${whoText(c, by)} · ` : ''
  }${relativeMoment(c, last.timestamp)}</span></p>${
    changes.length > 0 ? html`<ul>${changes.map((change) => html`<li>${change}</li>`)}</ul>` : ''
  }</li>`;
}

function whoText(c: ConsoleContext, { kind, name, via }: NonNullable<Entry['by']>): string {
  const text = pageSay(c.get('language'));
  if (name === null) return text(kind === 'system' ? 'bySystem' : 'byOperator');
  return via === null ? name : text('byVia', { name, via });
}

/** What changed, field by field, as people call them; moments that follow from a step are left out. */
function changesIn(c: ConsoleContext, kind: RecordKind, { type, data, previous = {} }: Told): Markup[] {
  const isUpdate = type.endsWith('.updated');
  return Object.keys(previous).flatMap((name) => {
    const field = kind.fields.find((each) => each.name === name);
    if (!field || (field.format === 'date-time' && !isUpdate)) return [];
    return changeOf(c, field, { was: previous[name], is: data[name] }, data);
  });
}

function changeOf(
  c: ConsoleContext,
  field: FieldFacts,
  { was, is }: { was: unknown; is: unknown },
  record: ShownRecord,
): Markup[] {
  const text = pageSay(c.get('language'));
  const label = fieldLabel(c.get('language'), field);
  // Of an address and the like, only the parts that changed.
  if (field.type === 'object' && !field.isArray && !field.fields.some(({ name }) => name === 'id')) {
    const parts = (value: unknown): ShownRecord => Object(value ?? {});
    return field.fields
      .filter(({ name }) => JSON.stringify(parts(was)[name]) !== JSON.stringify(parts(is)[name]))
      .flatMap((inner) =>
        changeOf(c, inner, { was: parts(was)[inner.name], is: parts(is)[inner.name] }, record),
      );
  }
  if (field.type === 'object' && field.isArray && !isNamed(was) && !isNamed(is)) {
    return [html`${label} ${text('changed')}`];
  }
  const shown = (value: unknown): Markup | string =>
    field.description?.multiline && typeof value === 'string'
      ? shortened(value)
      : shownValue(c, named(field, value), value, currencyOf(c, record));
  const [before, after] = [shown(was), shown(is)];
  const old = before === '' ? '' : html`<del>${before}</del>`;
  const now = after === '' ? html`<em>${text('emptied')}</em>` : html`<ins>${after}</ins>`;
  return [html`${label}: ${old === '' ? now : html`${old} → ${now}`}`];
}

const isNamed = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => typeof Object(each).name === 'string' && 'id' in Object(each));

/** A stage and the like are shown by their names. */
const named = (field: FieldFacts, value: unknown): FieldFacts =>
  isNamed(value) ? { ...field, resource: undefined } : field;

const longest = 160;
const shortened = (value: string): string =>
  [...value].length > longest ? `${[...value].slice(0, longest).join('')}…` : value;
