import { everyOperation, type FieldFacts, limits } from '@dealkeep/contract';
import { html } from 'hono/html';
import { buttonForm, forgeryField } from '../../auth/forgery.ts';
import { isPermitted } from '../../auth/permitted.ts';
import type { ConsoleContext } from '../../context.ts';
import { type ChoiceGroup, choicesOf } from '../../forms/choices.ts';
import { countsOnce } from '../../forms/form-page.ts';
import { alert, button, hiddenField, type Markup, option, quiet, unseen } from '../../markup.ts';
import { nextHourOf } from '../../values/local-time.ts';
import { arrangedMoment, daysUntil, relativeDay } from '../../values/relative-time.ts';
import { type ShownRecord, textIn } from '../../values/shown-record.ts';
import type { RecordKind } from '../record-kind.ts';
import { kindOf } from '../record-kinds.ts';
import { pageSay } from './texts.ts';

/** What is open of one kind at most; the rest is a list away. */
const mostShown = '6';

export type WorkKind = 'task' | 'activity';

/** What was typed as a task or an activity and not saved, and why. */
export interface RefusedWork {
  readonly of: WorkKind;
  readonly typed: { readonly name: string; readonly start?: string };
  readonly problems: readonly string[];
}

/**
 * By which fields tasks and activities of a record are found and made, the narrowest first: of a client those of its
 * company. None where they are not related to such records.
 */
export function workFields(
  kind: RecordKind,
  record: ShownRecord,
  of: WorkKind,
): Readonly<Record<string, string>> {
  const fields = kindOf(of)?.create?.fields ?? [];
  const isRelated = (name: string): boolean => fields.some((field) => field.name === name);
  const own = `${kind.resource}_id`;
  if (kind.resource !== 'client' && !isRelated(own)) return {};
  const ids = [
    [own, textIn(record, kind.idField)],
    ['company_id', textIn(record, kind.resource === 'company' ? 'id' : 'company.id')],
  ] as const;
  return Object.fromEntries(ids.filter(([name, id]) => id !== '' && isRelated(name)));
}

/** Whether one plans work on records of a kind. */
export const hasWork = ({ resource }: RecordKind): boolean =>
  resource === 'company' || resource === 'contact' || resource === 'client' || resource === 'lead';

/** The open tasks and the planned activities of a record, each done by one press, and one line to add another. */
export async function openWork(
  c: ConsoleContext,
  kind: RecordKind,
  record: ShownRecord,
  refused?: RefusedWork,
): Promise<Markup | string> {
  if (!hasWork(kind)) return '';
  const [tasks, activities] = await Promise.all([
    tasksOf(c, kind, record, refused?.of === 'task' ? refused : undefined),
    activitiesOf(c, kind, record, refused?.of === 'activity' ? refused : undefined),
  ]);
  return tasks === '' && activities === '' ? '' : html`<div class="work">${tasks}${activities}</div>`;
}

/** What a list is filtered by: of a lead the lead, not its company. */
const filterOf = (fields: Readonly<Record<string, string>>): [string, string] | undefined =>
  Object.entries(fields)[0];

async function tasksOf(
  c: ConsoleContext,
  kind: RecordKind,
  record: ShownRecord,
  refused: RefusedWork | undefined,
): Promise<Markup | string> {
  const tasks = kindOf('task');
  const fields = workFields(kind, record, 'task');
  const filter = filterOf(fields);
  if (!tasks || !filter || !isPermitted(c, 'task', tasks)) return '';
  const text = pageSay(c.get('language'));
  const open: [string, string][] = [['completed', 'false'], ['archived', 'false'], filter];
  const { data } = await tasks.list(c, [...open, ['sort', 'due_date'], ['limit', mostShown]]);
  const completes = isPermitted(c, 'task', { permissions: everyOperation['tasks.complete'].permissions });
  const shown = data.map((task) => {
    const due = textIn(task, 'due_date');
    const when =
      due === ''
        ? ''
        : html` <span class="${daysUntil(c, due) < 0 ? 'late' : 'quiet'}">${relativeDay(c, due)}</span>`;
    return workRow(c, tasks, task, { completes, when, back: backTo(kind, record, 'tasks') });
  });
  const adds = tasks.create && isPermitted(c, 'task', tasks.create) && isOpen(record);
  const add = html`<form class="one-line" method="post" action="${addressOf(kind, record)}/tasks">${forgeryField(c)}${countsOnce()}
<label class="visually-hidden" for="new-task">${text('taskTitle')}</label>
<input id="new-task" name="title" required maxlength="${limitOf(tasks, 'title')}" autocomplete="off" placeholder="${text('addTask')}" value="${refused?.typed.name ?? ''}">${button(text('add'), { look: 'secondary' })}</form>`;
  const all = html`<a href="${tasks.path}?${new URLSearchParams([filter])}">${text('allTasks')}</a>`;
  return html`<section class="card" id="tasks"><div class="bar"><h2>${text('openTasks')}</h2>${all}</div>
${(refused?.problems ?? []).map(alert)}
${shown.length > 0 ? html`<ul class="open-work">${shown}</ul>` : html`<p class="quiet">${text('noTasks')}</p>`}${adds ? add : ''}</section>`;
}

async function activitiesOf(
  c: ConsoleContext,
  kind: RecordKind,
  record: ShownRecord,
  refused: RefusedWork | undefined,
): Promise<Markup | string> {
  const activities = kindOf('activity');
  const fields = workFields(kind, record, 'activity');
  const filter = filterOf(fields);
  if (!activities || !filter || !isPermitted(c, 'activity', activities)) return '';
  const text = pageSay(c.get('language'));
  const adds = activities.create && isPermitted(c, 'activity', activities.create) && isOpen(record);
  const open: [string, string][] = [['status', 'open'], filter];
  const [{ data }, types] = await Promise.all([
    activities.list(c, [...open, ['sort', 'start_at'], ['limit', mostShown]]),
    adds ? choicesOf(c, 'activity-type') : [],
  ]);
  const completes = isPermitted(c, 'activity', { permissions: ['activities.edit', 'activities.create'] });
  const shown = data.map((activity) => {
    const [start, type] = [textIn(activity, 'start_at'), textIn(activity, 'type.name')];
    const when = html`${type === '' ? '' : html` ${quiet(type)}`}${
      start === '' ? '' : html` <span class="quiet">${arrangedMoment(c, start)}</span>`
    }`;
    return workRow(c, activities, activity, { completes, when, back: backTo(kind, record, 'activities') });
  });
  const add = html`<form class="one-line" method="post" action="${addressOf(kind, record)}/activities">${forgeryField(c)}${countsOnce()}
<label class="visually-hidden" for="new-activity">${text('activityName')}</label>
<input id="new-activity" name="name" required maxlength="${limitOf(activities, 'name')}" autocomplete="off" placeholder="${text('planActivity')}" value="${refused?.typed.name ?? ''}">
<label class="visually-hidden" for="new-activity-start">${text('activityStart')}</label>
<input id="new-activity-start" type="datetime-local" name="start_at" required value="${refused?.typed.start ?? nextHourOf(c)}">
${typeSelect(c, types)}${button(text('plan'), { look: 'secondary' })}</form>`;
  const all = html`<a href="${activities.path}?${new URLSearchParams([filter])}">${text('allActivities')}</a>`;
  return html`<section class="card" id="activities"><div class="bar"><h2>${text('openActivities')}</h2>${all}</div>
${(refused?.problems ?? []).map(alert)}
${shown.length > 0 ? html`<ul class="open-work">${shown}</ul>` : html`<p class="quiet">${text('noActivities')}</p>`}${adds ? add : ''}</section>`;
}

function workRow(
  c: ConsoleContext,
  kind: RecordKind,
  record: ShownRecord,
  { completes, when, back }: { completes: boolean; when: Markup | string; back: string },
): Markup {
  const text = pageSay(c.get('language'));
  const address = `${kind.path}/${textIn(record, 'id')}`;
  const title = kind.titleOf(record) || text('unnamed');
  const said = text('completeTask', { title });
  const tick = html`${hiddenField('back', back)}<button class="complete" title="${said}">${unseen(said)}</button>`;
  const press = completes ? buttonForm(c, `${address}/complete`, html`${countsOnce()}${tick}`) : '';
  return html`<li>${press}<a href="${address}">${title}</a>${when}</li>`;
}

function typeSelect(c: ConsoleContext, groups: readonly ChoiceGroup[]): Markup | string {
  const types = groups.flatMap(({ choices }) => choices);
  if (types.length === 0) return '';
  const text = pageSay(c.get('language'));
  const options = [option('', text('noType')), ...types.map(({ id, name }) => option(id, name))];
  return html`<label class="visually-hidden" for="new-activity-type">${text('activityType')}</label>
<select id="new-activity-type" name="type_id">${options}</select>`;
}

const addressOf = (kind: RecordKind, record: ShownRecord): string =>
  `${kind.path}/${textIn(record, kind.idField)}`;

const backTo = (kind: RecordKind, record: ShownRecord, part: string): string =>
  `${addressOf(kind, record)}#${part}`;

const isOpen = (record: ShownRecord): boolean => typeof record['archived_at'] !== 'string';

const limitOf = ({ create }: RecordKind, name: string): number =>
  create?.fields.find((field: FieldFacts) => field.name === name)?.maxLength ?? limits.pageSizeMaximum;
