import { type Booking, fieldsOf, resources, type Text, text } from '@dealkeep/contract';
import { addDays, type Day, momentOfLocal } from '@dealkeep/core/foundations';
import { mostInCalendar } from '@dealkeep/core/records';
import { html } from 'hono/html';
import { isPermitted, requirePermitted } from '../../auth/permitted.ts';
import { type ConsoleContext, sessionOf } from '../../context.ts';
import { page } from '../../frame/page.ts';
import { bar, button, choices, hiddenField, linkButton, type Markup, option } from '../../markup.ts';
import { sayFrom, sharedTexts } from '../../texts.ts';
import { choiceLabel } from '../../values/field-words.ts';
import { momentFormat } from '../../values/formats.ts';
import type { RecordKind } from '../record-kind.ts';
import {
  type AskedCalendar,
  askedCalendar,
  bookingsOf,
  calendarAddress,
  type OnDay,
  type Person,
} from './asked-calendar.ts';
import { clockAt, hasChange, mondayOf, weekOf } from './days.ts';
import { type Further, inLanes, type Placed, quartersOfDay, type Span } from './lanes.ts';

const calendarTexts = {
  title: text('Bookings: calendar', 'Rezervácie: kalendár'),
  list: text('List', 'Zoznam'),
  createOn: text('Create a booking: {what}', 'Vytvoriť rezerváciu: {what}'),
  view: text('View', 'Zobrazenie'),
  week: text('Week', 'Týždeň'),
  day: text('Day', 'Deň'),
  weekNumber: text('week {number}', '{number}. týždeň'),
  previous: text('Previous', 'Predchádzajúci'),
  today: text('Today', 'Dnes'),
  next: text('Next', 'Nasledujúci'),
  staff: text('With whom', 'U koho'),
  everybody: text('Everybody', 'U všetkých'),
  nobody: text('Without a person', 'Bez pracovníka'),
  none: text('No bookings', 'Žiadne rezervácie'),
  further: text('{count} more', 'Ďalšie: {count}'),
  clocksChange: text('The clocks change on this day.', 'V tento deň sa mení čas.'),
  notAll: text(
    'There are more bookings than fit here: the first {count} are shown. Choose a day or a person.',
    'Rezervácií je viac, než sa sem zmestí: zobrazuje sa prvých {count}. Vyberte deň alebo pracovníka.',
  ),
} as const satisfies Record<string, Text>;

/** The texts of the calendar in a language. */
const calendarSay = sayFrom({ ...sharedTexts, ...calendarTexts });

const quartersOfHour = 4;
/** Hours that are shown where nobody is booked. */
const usualHours = { from: 8, to: 18 };

/** A column of the calendar: a day of a week, or a person on a day. */
interface Column {
  readonly name: string;
  readonly day: Day;
  readonly heading: Markup | string;
  readonly isToday: boolean;
  readonly person: Person | undefined;
  readonly bookings: readonly OnDay[];
}

/** The bookings of a week by its days, or of a day by the people who are booked. */
export async function calendarPage(c: ConsoleContext, bookings: RecordKind): Promise<Response> {
  requirePermitted(c, 'booking', bookings);
  const text = calendarSay(c.get('language'));
  const asked = await askedCalendar(c);
  const { all, count } = await bookingsOf(c, asked);
  const creates = bookings.create !== undefined && isPermitted(c, 'booking', bookings.create);
  const columns = asked.view === 'week' ? daysOf(c, asked, all) : peopleOf(c, asked, all);
  const hours = hoursOf(all);
  const content = html`${bar(
    text('title'),
    choices(
      linkButton(bookings.path, text('list'), 'secondary'),
      creates ? linkButton(`${bookings.path}/new`, bookings.createLabel[c.get('language')]) : '',
    ),
  )}
${controls(c, asked)}
${count === mostInCalendar ? html`<p class="held" role="status">${text('notAll', { count })}</p>` : ''}
<div class="calendar ${asked.view}" tabindex="0" role="region" aria-label="${titleOf(c, asked)}">
<div class="hours" aria-hidden="true">${hourLabels(c, hours)}</div>
${columns.map((column) => columnOf(c, column, { hours, creates, view: asked.view }))}
</div>`;
  return page(c, { title: text('title'), content, scripts: ['calendar.js'] });
}

/** Which days are shown, as a heading says them. */
function titleOf(c: ConsoleContext, { days, view }: AskedCalendar): string {
  const language = c.get('language');
  const [first = '', last = first] = [days[0], days.at(-1)];
  const at = (day: Day): Date => new Date(`${day}T00:00:00Z`);
  if (view === 'day') return momentFormat(language, { dateStyle: 'full', timeZone: 'UTC' }).format(at(first));
  const format = momentFormat(language, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  const number = Number(weekOf(first).slice(-2));
  return `${format.formatRange(at(first), at(last))}, ${calendarSay(language)('weekNumber', { number })}`;
}

/** Where to go from here, and whose bookings are shown. */
function controls(c: ConsoleContext, asked: AskedCalendar): Markup {
  const text = calendarSay(c.get('language'));
  const { view, days, today, staff, person } = asked;
  const [first = today] = days;
  const size = view === 'week' ? 7 : 1;
  const go = (day: Day, said: string): Markup =>
    html`<a class="button secondary" href="${calendarAddress(asked, view, day)}">${said}</a>`;
  const shown = (other: 'week' | 'day', day: Day): Markup =>
    html`<a href="${calendarAddress(asked, other, day)}"${other === view ? html` aria-current="true"` : ''}>${text(other)}</a>`;
  const day = view === 'week' && days.includes(today) ? today : first;
  const people =
    view === 'week' && staff.length > 1
      ? html`<form class="board-filters" action="/bookings/calendar">${hiddenField('week', weekOf(first))}
<label class="visually-hidden" for="staff">${text('staff')}</label><select id="staff" name="staff_id" data-submit>${option('', text('everybody'))}${staff.map(({ id, name }) => option(id, name, id === person?.id))}</select>
${button(text('show'), { look: 'secondary' })}</form>`
      : '';
  return html`<div class="calendar-controls"><nav aria-label="${text('title')}">${go(addDays(first, -size), text('previous'))}${go(today, text('today'))}${go(addDays(first, size), text('next'))}</nav>
<h2>${titleOf(c, asked)}</h2>
<span class="segments" role="group" aria-label="${text('view')}">${shown('week', mondayOf(first))}${shown('day', day)}</span>${people}</div>`;
}

function daysOf(c: ConsoleContext, asked: AskedCalendar, all: readonly OnDay[]): Column[] {
  const language = c.get('language');
  const at = (day: Day): Date => new Date(`${day}T00:00:00Z`);
  const [long, short] = [
    momentFormat(language, { dateStyle: 'full', timeZone: 'UTC' }),
    momentFormat(language, { weekday: 'short', day: 'numeric', month: 'numeric', timeZone: 'UTC' }),
  ];
  return asked.days.map((day) => ({
    name: long.format(at(day)),
    day,
    heading: html`<a href="${calendarAddress(asked, 'day', day)}">${short.format(at(day))}</a>`,
    isToday: day === asked.today,
    person: asked.person,
    bookings: all.filter((each) => each.day === day),
  }));
}

/** Everybody who can be booked, and whoever else is on that day: somebody who left, and nobody at all. */
function peopleOf(c: ConsoleContext, { days, today, staff }: AskedCalendar, all: readonly OnDay[]): Column[] {
  const nobody = calendarSay(c.get('language'))('nobody');
  const [day = today] = days;
  const known = new Map<string, Person | undefined>(staff.map((each) => [each.id, each]));
  for (const { held } of all)
    if (held.staff && !known.has(held.staff.id)) known.set(held.staff.id, held.staff);
  if (known.size === 0 || all.some(({ held }) => held.staff === null)) known.set('', undefined);
  return [...known].map(([id, person]) => ({
    name: person?.name ?? nobody,
    day,
    heading: person?.name ?? nobody,
    isToday: false,
    person,
    bookings: all.filter(({ held }) => (held.staff?.id ?? '') === id),
  }));
}

/** The hours that are shown: the usual ones, and whatever is booked outside of them. */
function hoursOf(all: readonly Span[]): { from: number; to: number } {
  const { from, to } = usualHours;
  return {
    from: Math.min(from, ...all.map((each) => Math.floor(each.from / quartersOfHour))),
    to: Math.max(to, ...all.map((each) => Math.ceil(Math.min(quartersOfDay, each.to + 1) / quartersOfHour))),
  };
}

type Hours = ReturnType<typeof hoursOf>;

/** The rows of a span; a class for each, because the policy of a page permits no style in it. */
const rows = ({ from, to }: Span, hours: Hours): string => {
  const first = hours.from * quartersOfHour;
  return `from-${from - first + 1} to-${to - first + 1}`;
};

function hourLabels(c: ConsoleContext, hours: Hours): Markup[] {
  const format = momentFormat(c.get('language'), { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
  return Array.from({ length: hours.to - hours.from }, (_, at) => {
    const hour = hours.from + at;
    const span = { from: hour * quartersOfHour, to: (hour + 1) * quartersOfHour };
    return html`<span class="${rows(span, hours)}">${format.format(Date.UTC(2000, 0, 1, hour))}</span>`;
  });
}

function columnOf(
  c: ConsoleContext,
  { name, day, heading, isToday, person, bookings }: Column,
  { hours, creates, view }: { hours: Hours; creates: boolean; view: AskedCalendar['view'] },
): Markup {
  const text = calendarSay(c.get('language'));
  const { timeZone } = sessionOf(c).organization;
  const { placed, further } = inLanes(bookings);
  const isChanged = hasChange(day, timeZone);
  const begins = new URLSearchParams({
    starts_at: `${day}T09:00`,
    ...(person ? { staff_id: person.id } : {}),
  });
  const add = creates
    ? html`<a class="add" href="/bookings/new?${begins}" aria-label="${text('createOn', { what: name })}">+</a>`
    : '';
  return html`<section aria-label="${name}"><header><h3${isToday ? html` aria-current="date"` : ''}>${heading}</h3>${add}
${isChanged ? html`<p class="quiet">${text('clocksChange')}</p>` : ''}</header>
<div class="times">${creates ? slots({ day, person, bookings, hours, timeZone: isChanged ? timeZone : undefined }) : ''}
${placed.length > 0 ? html`<ol>${placed.map((each) => bookingOf(c, each, { hours, isChanged, view }))}</ol>` : html`<p class="visually-hidden">${text('none')}</p>`}
${further.map((each) => furtherOf(c, each, { day, hours }))}${isToday ? nowIn(c, hours) : ''}</div></section>`;
}

/**
 * Half hours that are free: pressing one begins a booking. For pointers alone, others have the link above the
 * column.
 */
function slots({
  day,
  person,
  bookings,
  hours,
  timeZone,
}: Pick<Column, 'day' | 'person' | 'bookings'> & { hours: Hours; timeZone: string | undefined }): Markup {
  const free: Markup[] = [];
  for (let from = hours.from * quartersOfHour; from < hours.to * quartersOfHour; from += 2) {
    const span = { from, to: from + 2 };
    if (bookings.some((each) => each.from < span.to && span.from < each.to)) continue;
    const time = `${String(Math.floor(from / 4)).padStart(2, '0')}:${from % 4 === 0 ? '00' : '30'}`;
    // Where the clocks go forward, some times do not exist.
    const moment = timeZone && momentOfLocal(`${day}T${time}`, timeZone);
    if (moment && timeZone && clockAt(moment, timeZone).minutes !== from * 15) continue;
    free.push(
      html`<button tabindex="-1" name="starts_at" value="${day}T${time}" class="${rows(span, hours)}"></button>`,
    );
  }
  return html`<form class="slots" action="/bookings/new" aria-hidden="true">${person ? hiddenField('staff_id', person.id) : ''}${free}</form>`;
}

const statusField = fieldsOf(resources.booking.schema).find(({ name }) => name === 'status');

function bookingOf(
  c: ConsoleContext,
  placed: Placed<Booking>,
  { hours, isChanged, view }: { hours: Hours; isChanged: boolean; view: AskedCalendar['view'] },
): Markup {
  const { held, lane, lanes } = placed;
  const { timeZone } = sessionOf(c).organization;
  // An hour that comes twice is told apart by the name of its time.
  const zone = isChanged ? ({ timeZoneName: 'short' } as const) : {};
  const format = momentFormat(c.get('language'), { hour: '2-digit', minute: '2-digit', timeZone, ...zone });
  const time = `${format.format(new Date(held.starts_at))}–${format.format(new Date(held.ends_at))}`;
  const status = statusField ? choiceLabel(c, statusField, held.status) : held.status;
  const who = view === 'week' ? held.staff?.name : undefined;
  const said = [held.service?.name, who, status].filter((each) => each !== undefined).join(' · ');
  return html`<li class="${rows(placed, hours)} lane-${lanes}-${lane} ${held.status}"><a href="/bookings/${held.id}" title="${time} ${held.customer.name} · ${said}"><time datetime="${held.starts_at}">${time}</time> <strong>${held.customer.name}</strong> <span>${said}</span></a></li>`;
}

/** How many more there are at a time, and the way to where all of the day stand. */
function furtherOf(c: ConsoleContext, further: Further, { day, hours }: { day: Day; hours: Hours }): Markup {
  const query = new URLSearchParams({
    starts_after: `${addDays(day, -1)}T23:59`,
    starts_before: `${addDays(day, 1)}T00:00`,
    sort: 'starts_at',
  });
  const said = calendarSay(c.get('language'))('further', { count: further.count });
  return html`<a class="further ${rows(further, hours)} lane-${further.lanes}-${further.lanes}" href="/bookings?${query}">${said}</a>`;
}

/** Where the day has come to, as a line. */
function nowIn(c: ConsoleContext, hours: Hours): Markup | string {
  const { minutes } = clockAt(c.get('core').clock.now().toISOString(), sessionOf(c).organization.timeZone);
  const from = Math.floor(minutes / 15);
  if (from < hours.from * quartersOfHour || from >= hours.to * quartersOfHour) return '';
  return html`<span class="now ${rows({ from, to: from + 1 }, hours)}"></span>`;
}
