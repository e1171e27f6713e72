import { type EventType, events, eventTypes, fieldsOf, resources } from '@dealkeep/contract';
import { reachOn } from '@dealkeep/core/identity';
import { type LatestEvent, latestEvents, type VisibleEvents } from '@dealkeep/core/operations';
import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { type Markup, quiet } from '../markup.ts';
import type { RecordKind } from '../records/record-kind.ts';
import { kindOf, recordKinds } from '../records/record-kinds.ts';
import { textIn } from '../values/shown-record.ts';
import { momentOf } from '../values/shown-value.ts';
import { homeSay } from './texts.ts';

const shownEvents = 12;
/** Records that are looked at, at most, of each kind that the role shows only to whom they are assigned. */
const ownRecords = 20;

/** The latest events of all that the user may see. */
export async function latestSection(c: ConsoleContext): Promise<Markup> {
  const text = homeSay(c.get('language'));
  const visible = await visibleEvents(c);
  const found = await latestEvents(c.get('core'), sessionOf(c), { visible, limit: shownEvents });
  const content =
    found.length > 0
      ? html`<ol class="happened">${found.map((event) => eventItem(c, event))}</ol>`
      : html`<div class="empty"><h3>${text('nothingHappened')}</h3><p class="quiet">${text('nothingHappenedTeach')}</p></div>`;
  return html`<section class="card" aria-labelledby="happened"><h2 id="happened">${text('happened')}</h2>${content}</section>`;
}

/**
 * Every event of the kinds that the role shows; of those that it shows in part, the events of the user's own
 * records.
 */
async function visibleEvents(c: ConsoleContext): Promise<VisibleEvents> {
  const reach = (kind: RecordKind) => reachOn(sessionOf(c), kind.resource, kind.permissions);
  const whole = new Set(recordKinds.filter((kind) => reach(kind) === 'all').map(({ resource }) => resource));
  const own = await Promise.all(
    recordKinds.filter((kind) => reach(kind) === 'assigned').map((kind) => newestOf(c, kind)),
  );
  const shown = (type: EventType): boolean => [...whole].some((resource) => resource === events[type].entity);
  return { types: eventTypes.filter(shown), records: own.flat() };
}

async function newestOf(c: ConsoleContext, kind: RecordKind): Promise<string[]> {
  const { data } = await kind.list(c, [
    ['sort', '-updated_at'],
    ['limit', String(ownRecords)],
  ]);
  return data.map((record) => textIn(record, kind.idField));
}

/** `Lead created: Website for a bakery`, with what changed. */
function eventItem(c: ConsoleContext, event: LatestEvent): Markup {
  const language = c.get('language');
  const { label, entity } = events[event.type];
  const kind = kindOf(entity);
  if (!kind) throw new Error(`${entity} has no pages of its own`);
  const name = kind.titleOf(event.record) || homeSay(language)('unnamed');
  const link = html`<a href="${kind.path}/${event.record_id}">${name}</a>`;
  const what = html`${quiet(label[language])} ${link}${changes(c, event)}`;
  return html`<li><div>${what}</div>${quiet(momentOf(c, event.occurred_at))}</li>`;
}

function changes(c: ConsoleContext, { type, changed_fields: changed }: LatestEvent): Markup | string {
  if (changed.length === 0) return '';
  const language = c.get('language');
  const labels = new Map(
    fieldsOf(resources[events[type].entity].schema).map(({ name, description }) => [
      name,
      description?.label,
    ]),
  );
  const fields = changed.map((name) => labels.get(name)?.[language] ?? name).join(', ');
  return html`<br>${quiet(homeSay(language)('changed', { fields }))}`;
}
