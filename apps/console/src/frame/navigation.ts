import { inOrder, type Permission, type ResourceName, records, type Text, text } from '@dealkeep/contract';
import { reachOn } from '@dealkeep/core/identity';
import { html } from 'hono/html';
import { type ConsoleContext, type ListedKind, sessionOf } from '../context.ts';
import type { Markup } from '../markup.ts';
import { type Icon, icon } from './icons.ts';

/** A page that the navigation leads to. */
export interface Entry {
  readonly path: string;
  readonly label: Text;
  readonly icon: Icon;
  /** Pressed after `g`, leads here. */
  readonly key?: string;
  /** What is made at `new` below it, where that is not what the list of records says. */
  readonly makes?: Text;
  /** The resource that it lists; absent where everybody may go. */
  readonly resource?: ResourceName;
  /** What a role must permit for it. */
  readonly permissions?: readonly Permission[];
  readonly ownersOnly?: true;
}

interface Group {
  readonly label: Text | undefined;
  readonly entries: readonly Entry[];
}

/** In the order of the navigation; what does not stand here comes after. */
const order: readonly string[] = ['lead', 'company', 'contact', 'client', 'quote', 'invoice'];

/** The lists of records of a group. */
function listsOf(c: ConsoleContext, group: ListedKind['group']): readonly Entry[] {
  const kinds = new Map(c.get('kinds').map((kind) => [kind.resource, kind]));
  return inOrder([...kinds.keys()], order).flatMap((resource) => {
    const kind = kinds.get(resource);
    if (kind?.group !== group) return [];
    const { path, icon, key } = kind;
    const { plural: label, permission } = records[resource];
    return [
      { path, resource, label, icon, permissions: [permission], ...(key === undefined ? {} : { key }) },
    ];
  });
}

const groupsOf = (c: ConsoleContext): readonly Group[] => [
  { label: undefined, entries: [{ path: '/', label: text('Home', 'Prehľad'), icon: 'house', key: 'h' }] },
  {
    label: text('Sales', 'Predaj'),
    entries: listsOf(c, 'sales'),
  },
  {
    label: text('Work', 'Práca'),
    entries: listsOf(c, 'work'),
  },
  {
    label: text('Shop', 'Obchod'),
    entries: listsOf(c, 'shop'),
  },
  {
    label: text('Integrations', 'Integrácie'),
    entries: [
      {
        path: '/integrations/keys',
        label: text('API keys', 'API kľúče'),
        icon: 'key-round',
        makes: text('New API key', 'Nový API kľúč'),
        ownersOnly: true,
      },
      {
        path: '/integrations/webhooks',
        label: text('Webhooks', 'Webhooky'),
        icon: 'webhook',
        key: 'w',
        makes: text('New webhook', 'Nový webhook'),
        ownersOnly: true,
      },
      {
        path: '/integrations/deliveries',
        label: text('Deliveries', 'Doručenia'),
        icon: 'send',
        ownersOnly: true,
      },
      { path: '/integrations/apps', label: text('Connected apps', 'Pripojené aplikácie'), icon: 'blocks' },
      { path: '/integrations/assistants', label: text('AI assistants', 'AI asistenti'), icon: 'bot' },
      {
        path: '/integrations/developers',
        label: text('Developers', 'Pre vývojárov'),
        icon: 'code-xml',
        ownersOnly: true,
      },
    ],
  },
  {
    label: text('Settings', 'Nastavenia'),
    entries: [
      { path: '/settings/organization', label: text('Organization', 'Organizácia'), icon: 'store' },
      { path: '/settings/users', label: text('People', 'Ľudia'), icon: 'users', ownersOnly: true },
      { path: '/settings/roles', label: text('Roles', 'Roly'), icon: 'shield-check', ownersOnly: true },
      {
        path: '/settings/notifications',
        label: text('Who is notified', 'Koho upozorniť'),
        icon: 'bell',
        ownersOnly: true,
      },
      { path: '/settings/lists', label: text('Lists', 'Zoznamy'), icon: 'list', ownersOnly: true },
      {
        path: '/settings/audit-log',
        label: text('Audit log', 'Záznam auditu'),
        icon: 'history',
        ownersOnly: true,
      },
    ],
  },
];

/** What the role does not permit is not offered. */
function isPermitted(c: ConsoleContext, { resource, permissions, ownersOnly }: Entry): boolean {
  const session = sessionOf(c);
  if (ownersOnly && session.user.permissions !== 'owner') return false;
  return resource === undefined || reachOn(session, resource, permissions ?? []) !== undefined;
}

/** The pages that somebody may go to, in the order of the navigation. */
export const pagesOf = (c: ConsoleContext): Entry[] =>
  groupsOf(c).flatMap(({ entries }) => entries.filter((entry) => isPermitted(c, entry)));

/** The main navigation; where the user is, is marked. */
export function navigation(c: ConsoleContext): Markup {
  const language = c.get('language');
  const here = ({ path }: Entry): boolean =>
    path === '/' ? c.req.path === '/' : c.req.path === path || c.req.path.startsWith(`${path}/`);
  const item = (entry: Entry): Markup =>
    html`<li><a href="${entry.path}"${here(entry) ? html` aria-current="page"` : ''}${entry.key ? html` data-key="${entry.key}"` : ''}>${icon(entry.icon)}${entry.label[language]}</a></li>`;
  const shown = groupsOf(c).map(({ label, entries }) => ({
    label,
    entries: entries.filter((each) => isPermitted(c, each)),
  }));
  return html`${shown
    .filter(({ entries }) => entries.length > 0)
    .map(
      ({ label, entries }) =>
        html`${label ? html`<h2>${label[language]}</h2>` : ''}<ul>${entries.map(item)}</ul>`,
    )}`;
}
