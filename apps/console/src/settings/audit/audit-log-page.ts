import { actorKinds, everyOperation, fieldsOf } from '@dealkeep/contract';
import { listApiKeysOf, listConnections, listMembers } from '@dealkeep/core/accounts';
import { Problem } from '@dealkeep/core/foundations';
import { runAsUser } from '@dealkeep/core/operations';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { requireOwner } from '../../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../../context.ts';
import { bodyOf } from '../../forms/body.ts';
import { fieldsMarkup } from '../../forms/field-markup.ts';
import { askedAddress, filterChoice, notAsked, partChip } from '../../forms/log-filter.ts';
import { explain } from '../../forms/received.ts';
import { firstOf, readingOf, type Typed } from '../../forms/typed.ts';
import { page } from '../../frame/page.ts';
import {
  bar,
  bulletList,
  button,
  type Column,
  emptyState,
  hiddenField,
  linkButton,
  type Markup,
  quiet,
  table,
} from '../../markup.ts';
import { browserName } from '../../values/browser-name.ts';
import { relativeMoment } from '../../values/relative-time.ts';
import { exportLog } from './audit-export.ts';
import { changesOf, type Entry, loggedKinds, sentenceOf } from './audit-words.ts';
import { auditSay } from './texts.ts';

export const auditPath = '/settings/audit-log';

/** Who did what, for owners. */
export function auditRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(auditPath, logPage);
  app.get(`${auditPath}/export.csv`, async (c) => exportLog(c, (await askedOf(c)).query));
}

const { query: asked } = everyOperation['audit-entries.list'];
const momentFields = fieldsOf(asked).filter(({ name }) => name === 'since' || name === 'until');
const chosenNames = ['actor_id', 'actor_kind', 'via_id', 'resource', 'operation', 'record_id'] as const;

export type AuditQuery = readonly (readonly [string, string])[];

/** What the address asks of the log. */
async function askedOf(c: ConsoleContext): Promise<{ typed: Typed; query: AuditQuery }> {
  requireOwner(c);
  const typed: Typed = new Map(Object.entries(c.req.queries()));
  const moments = Object.entries(bodyOf(momentFields, typed, readingOf(c))).flatMap(
    ([name, value]): [string, string][] => (typeof value === 'string' ? [[name, value]] : []),
  );
  const chosen = chosenNames.flatMap((name): [string, string][] => {
    const value = firstOf(typed, name).trim();
    return value === '' ? [] : [[name, value]];
  });
  return { typed, query: [...chosen, ...moments] };
}

async function logPage(c: ConsoleContext): Promise<Response> {
  const { typed, query } = await askedOf(c);
  const cursor = c.req.query('cursor');
  try {
    const pages: AuditQuery = cursor === undefined ? query : [...query, ['cursor', cursor]];
    const found = await runAsUser(c.get('core'), requireOwner(c), 'audit-entries.list', { query: pages });
    return show(c, typed, logPart(c, found.data, found.next_cursor));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'INVALID_CURSOR') return c.redirect(askedAddress(c, auditPath, { cursor: null }), 303);
    if (error.code !== 'INVALID_PARAMETER' && error.code !== 'VALIDATION_ERROR') throw error;
    const { problems } = explain(c.get('language'), { fields: momentFields, typed }, error);
    return show(c, typed, emptyState(auditSay(c.get('language'))('none')), problems);
  }
}

async function show(
  c: ConsoleContext,
  typed: Typed,
  part: Markup,
  problems: ReadonlyMap<string, string> = new Map(),
): Promise<Response> {
  const text = auditSay(c.get('language'));
  const download = linkButton(
    askedAddress(c, `${auditPath}/export.csv`, { cursor: null }),
    text('export'),
    'secondary',
  );
  const content = html`${bar(text('title'), download)}
<p>${text('about')}</p>
${await filterForm(c, typed, problems)}
${part}`;
  return page(c, { title: text('title'), content }, problems.size > 0 ? 422 : 200);
}

async function filterForm(
  c: ConsoleContext,
  typed: Typed,
  problems: ReadonlyMap<string, string>,
): Promise<Markup> {
  const { organization } = requireOwner(c);
  const [core, language] = [c.get('core'), c.get('language')];
  const text = auditSay(language);
  const [members, keys, connections] = await Promise.all([
    listMembers(core, organization),
    listApiKeysOf(core, organization),
    listConnections(core.sql, { organization: organization.id }),
  ]);
  const removed = text('removed');
  const state = { fields: momentFields, typed, problems, found: new Map(), meanings: new Map() };
  const kinds = Object.entries(actorKinds).map(([kind, label]) => [kind, label[language]] as const);
  const ways = [
    ...keys.map(({ id, name }) => [id, name] as const),
    ...connections.map(({ id, app, user }) => [id, `${app.name} (${user.name})`] as const),
  ];
  const record = firstOf(typed, 'record_id');
  const used = momentFields.some(({ name }) => firstOf(typed, name) !== '' || problems.has(name));
  const only =
    record === ''
      ? ''
      : html`${hiddenField('record_id', record)}${partChip(askedAddress(c, auditPath, { record_id: null, cursor: null }), text('oneRecord'))}`;
  const isAsked = [...typed.keys()].some((name) => !notAsked.includes(name) && name !== 'cursor');
  return html`<form class="filter-form" action="${auditPath}" role="search" aria-label="${text('filter')}">
<div class="filters">${filterChoice(typed, {
    name: 'actor_id',
    label: text('who'),
    none: text('everybody'),
    values: members.map(({ id, name }) => [id, name] as const),
    removed,
  })}
${filterChoice(typed, { name: 'resource', label: text('kind'), none: text('everything'), values: loggedKinds(c), removed })}
${filterChoice(typed, { name: 'via_id', label: text('through'), none: text('any'), values: ways, removed })}
${filterChoice(typed, { name: 'actor_kind', label: text('actors'), none: text('anyone'), values: kinds, removed })}
${button(text('filter'), { look: 'secondary' })}${only}${isAsked ? html`<a href="${auditPath}">${text('clear')}</a>` : ''}</div>
<details${used ? html` open` : ''}><summary>${text('from')} – ${text('to')}</summary><div class="filters">${await fieldsMarkup(c, state)}</div></details>
</form>`;
}

function logPart(c: ConsoleContext, entries: readonly Entry[], next: string | null): Markup {
  const text = auditSay(c.get('language'));
  const older =
    next === null
      ? ''
      : html`<a rel="next" href="${askedAddress(c, auditPath, { cursor: next })}">${text('older')}</a>`;
  const newest = c.req.query('cursor')
    ? html`<a href="${askedAddress(c, auditPath, { cursor: null })}">${text('newest')}</a>`
    : '';
  const pages = html`<nav class="pages" aria-label="${text('title')}">${newest}${older}</nav>`;
  if (entries.length === 0) {
    return html`${emptyState(next === null ? text('none') : text('searchOn'))}${pages}`;
  }
  return html`<div class="audit">${table(columns(c), entries)}</div>${pages}`;
}

function columns(c: ConsoleContext): Column<Entry>[] {
  const text = auditSay(c.get('language'));
  return [
    {
      label: text('what'),
      cell: (entry) => {
        const changes = changesOf(c, entry);
        const [only] = changes;
        const told =
          changes.length > 1
            ? bulletList(changes.map((each) => quiet(each)))
            : html`<br>${quiet(only ?? '')}`;
        return html`<span class="deed">${sentenceOf(c, entry)}</span>${changes.length > 0 ? told : ''}`;
      },
    },
    { label: text('where'), cell: (entry) => whereOf(c, entry) },
    { label: text('when'), cell: ({ at }) => relativeMoment(c, at) },
  ];
}

/** `Console · 192.0.2.1 · Firefox, Linux` */
export function placesOf(c: ConsoleContext, entry: Entry): string[] {
  const text = auditSay(c.get('language'));
  const ways = { console: 'console', import: 'import', key: 'api', connection: 'api' } as const;
  const way = entry.via ? ways[entry.via] : entry.actor_kind === 'operator' ? 'command' : 'clock';
  const program = entry.program === null ? undefined : (browserName(entry.program) ?? entry.program);
  return [text(way), entry.address, program].filter((each) => each !== null && each !== undefined);
}

const whereOf = (c: ConsoleContext, entry: Entry): Markup => {
  const [way = '', ...rest] = placesOf(c, entry);
  return html`<span${entry.request_id === null ? '' : html` title="${auditSay(c.get('language'))('request')} ${entry.request_id}"`}>${way}</span>${rest.length > 0 ? html`<br>${quiet(rest.join(' · '))}` : ''}`;
};
