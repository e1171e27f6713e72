import { addDays, momentOfLocal } from '@dealkeep/core/foundations';
import { reachFor } from '@dealkeep/core/operations';
import { html } from 'hono/html';
import * as z from 'zod';
import { forgeryField } from '../auth/forgery.ts';
import { isPermitted } from '../auth/permitted.ts';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { countsOnce } from '../forms/form-page.ts';
import { badge, button, hiddenField, type Markup, quiet, unseen } from '../markup.ts';
import type { RecordKind } from '../records/record-kind.ts';
import { kindOf } from '../records/record-kinds.ts';
import { momentFormat } from '../values/formats.ts';
import { todayOf } from '../values/local-time.ts';
import { type QueryPairs, type ShownRecord, textIn } from '../values/shown-record.ts';
import { numberOf } from '../values/shown-value.ts';
import { homeSay } from './texts.ts';

const shownItems = 6;
/** Read at once, so that a count up to here is exact. */
const countedItems = 50;

/** What the user has to do, and who comes today; what the role does not show is not there. */
export async function todaySection(c: ConsoleContext): Promise<Markup | string> {
  const parts = await Promise.all([tasksCard(c), bookingsCard(c), activitiesCard(c)]);
  const shown = parts.filter((part) => part !== '');
  return shown.length === 0 ? '' : html`<div class="cards today">${shown}</div>`;
}

const addressOf = ({ path }: RecordKind, pairs: QueryPairs): string =>
  `${path}?${new URLSearchParams(Object.fromEntries(pairs))}`;

interface Listed {
  readonly name: string;
  readonly title: string;
  readonly address: string;
  /** Beside the heading. */
  readonly counts?: Markup | string;
  readonly none: string;
  readonly items: readonly Markup[];
}

function listCard(c: ConsoleContext, { name, title, address, counts = '', none, items }: Listed): Markup {
  const text = homeSay(c.get('language'));
  const all = html`<p class="all"><a href="${address}">${text('showAll')}${unseen(` (${title})`)}</a></p>`;
  const list =
    items.length > 0 ? html`<ul class="to-do">${items}</ul>${all}` : html`<p class="quiet">${none}</p>`;
  return html`<section class="card" aria-labelledby="${name}"><div class="bar"><h2 id="${name}">${title}</h2>${counts}</div>
${list}</section>`;
}

const countText = (c: ConsoleContext, count: number, isMore: boolean): string =>
  isMore ? homeSay(c.get('language'))('more', { count: numberOf(c, count) }) : numberOf(c, count);

async function tasksCard(c: ConsoleContext): Promise<Markup | string> {
  const kind = kindOf('task');
  if (!kind || !isPermitted(c, kind.resource, kind)) return '';
  const text = homeSay(c.get('language'));
  const today = todayOf(c);
  const tomorrow = addDays(today, 1);
  const mine: QueryPairs = [
    ['assignee_id', sessionOf(c).user.id],
    ['completed', 'false'],
    ['archived', 'false'],
    ['sort', 'due_date'],
  ];
  const due: QueryPairs = [...mine, ['due_before', tomorrow]];
  const { data, has_more: isMore } = await kind.list(c, [...due, ['limit', String(countedItems)]]);
  const isLate = (task: ShownRecord): boolean => textIn(task, 'due_date') < today;
  const late = data.filter(isLate).length;
  const counts = [
    ...(late > 0
      ? [
          countLink(
            'tasksOverdue',
            addressOf(kind, [...mine, ['due_before', today]]),
            late,
            isMore && late === data.length,
            'bad',
          ),
        ]
      : []),
    ...(data.length > late
      ? [
          countLink(
            'tasksToday',
            addressOf(kind, [...due, ['due_after', addDays(today, -1)]]),
            data.length - late,
            isMore,
          ),
        ]
      : []),
  ];
  function countLink(
    name: 'tasksOverdue' | 'tasksToday',
    address: string,
    count: number,
    more: boolean,
    tone?: 'bad',
  ): Markup {
    return html`<a class="counted" href="${address}">${badge(text(name, { count: countText(c, count, more) }), tone)}</a>`;
  }
  return listCard(c, {
    name: 'my-tasks',
    title: text('tasks'),
    address: addressOf(kind, due),
    counts: html`<span class="counts">${counts}</span>`,
    none: text('tasksNone'),
    items: data.slice(0, shownItems).map((task) => taskItem(c, kind, task, isLate(task))),
  });
}

/** A task with the button that completes it; the page comes back without it. */
function taskItem(c: ConsoleContext, kind: RecordKind, task: ShownRecord, late: boolean): Markup {
  const text = homeSay(c.get('language'));
  const id = textIn(task, kind.idField);
  const title = kind.titleOf(task);
  const day = momentFormat(c.get('language'), { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const due = late
    ? html` <span class="bad">${day.format(new Date(`${textIn(task, 'due_date')}T00:00:00Z`))}</span>`
    : html` ${quiet(textIn(task, 'due_time'))}`;
  const press = button(html`${text('complete')}${unseen(` (${title})`)}`, { look: 'secondary' });
  const complete =
    reachFor(sessionOf(c), 'tasks.complete') === undefined
      ? ''
      : stepForm(c, `${kind.path}/${id}/complete`, `/?completed=${id}`, press);
  return html`<li><span><a href="${kind.path}/${id}">${title}</a>${due}</span>${complete}</li>`;
}

/** A step of a record that leads back to this page. */
const stepForm = (c: ConsoleContext, action: string, back: string, press: Markup): Markup =>
  html`<form class="in-line" method="post" action="${action}">${forgeryField(c)}${countsOnce()}${hiddenField('back', back)}${press}</form>`;

/** Says that a task was completed here just now, and takes it back. */
export function completedNotice(c: ConsoleContext): Markup | string {
  const id = z.uuid().safeParse(c.req.query('completed'));
  if (!id.success) return '';
  const text = homeSay(c.get('language'));
  const undo = stepForm(c, `/tasks/${id.data}/reopen`, '/', button(text('undo'), { look: 'link' }));
  return html`<div class="notice" role="status"><p>${text('completed')} ${undo}</p></div>`;
}

const timeOf = (c: ConsoleContext, moment: string): Markup => {
  const { timeZone } = sessionOf(c).organization;
  const shown = momentFormat(c.get('language'), { timeStyle: 'short', timeZone });
  return html`<time datetime="${moment}">${shown.format(new Date(moment))}</time>`;
};

async function bookingsCard(c: ConsoleContext): Promise<Markup | string> {
  return todayCard(c, 'booking', {
    name: 'bookings',
    starts: 'starts_at',
    filters: (from, to) => [
      ['starts_after', from],
      ['starts_before', to],
      ['sort', 'starts_at'],
    ],
    isShown: (booking) => textIn(booking, 'status') !== 'cancelled',
    beside: (booking) =>
      [textIn(booking, 'service.name'), textIn(booking, 'staff.name')]
        .filter((each) => each !== '')
        .join(', '),
  });
}

async function activitiesCard(c: ConsoleContext): Promise<Markup | string> {
  return todayCard(c, 'activity', {
    name: 'activities',
    starts: 'start_at',
    filters: (from, to) => [
      ['status', 'open'],
      ['start_after', from],
      ['start_before', to],
      ['sort', 'start_at'],
    ],
    isShown: () => true,
    beside: (activity) => textIn(activity, 'company.name'),
  });
}

interface TodayList {
  readonly name: 'bookings' | 'activities';
  readonly starts: string;
  /** @param from the last minute before the day, and `to` the first after it, as the clock shows them */
  filters(from: string, to: string): QueryPairs;
  isShown(record: ShownRecord): boolean;
  beside(record: ShownRecord): string;
}

async function todayCard(
  c: ConsoleContext,
  resource: 'booking' | 'activity',
  { name, starts, filters, isShown, beside }: TodayList,
): Promise<Markup | string> {
  const kind = kindOf(resource);
  if (!kind || !isPermitted(c, kind.resource, kind)) return '';
  const text = homeSay(c.get('language'));
  const today = todayOf(c);
  const tomorrow = addDays(today, 1);
  const [from, to] = [`${addDays(today, -1)}T23:59`, `${tomorrow}T00:00`];
  const { timeZone } = sessionOf(c).organization;
  const [after, before] = [from, to].map((local) => momentOfLocal(local, timeZone) ?? local);
  const { data, has_more: isMore } = await kind.list(c, [
    ...filters(after ?? from, before ?? to),
    ['limit', String(countedItems)],
  ]);
  const shown = data.filter(isShown);
  return listCard(c, {
    name: `${name}-today`,
    title: text(name),
    address: addressOf(kind, filters(from, to)),
    counts: shown.length > 0 ? badge(countText(c, shown.length, isMore)) : '',
    none: text(`${name}None`),
    items: shown
      .slice(0, shownItems)
      .map(
        (record) =>
          html`<li><span>${timeOf(c, textIn(record, starts))} <a href="${kind.path}/${textIn(record, kind.idField)}">${kind.titleOf(record)}</a></span>${quiet(beside(record))}</li>`,
      ),
  });
}
