import { type Permission, type ResourceName, resources, type Text, text } from '@dealkeep/contract';
import { reachOn } from '@dealkeep/core';
import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import type { Markup } from '../markup.ts';

interface Entry {
  readonly path: string;
  readonly label: Text;
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

const list = (path: string, resource: ResourceName, permission: Permission): Entry => ({
  path,
  resource,
  label: resources[resource].plural,
  permissions: [permission],
});

const groups: readonly Group[] = [
  { label: undefined, entries: [{ path: '/', label: text('Home', 'Prehľad') }] },
  {
    label: text('Sales', 'Predaj'),
    entries: [
      list('/leads', 'lead', 'leads.view'),
      list('/companies', 'company', 'companies.view'),
      list('/contacts', 'contact', 'companies.view'),
      list('/clients', 'client', 'clients.view'),
      list('/quotes', 'quote', 'budget.view'),
      list('/invoices', 'invoice', 'budget.view'),
    ],
  },
  {
    label: text('Work', 'Práca'),
    entries: [
      list('/activities', 'activity', 'activities.view'),
      list('/tasks', 'task', 'tasks.view'),
      list('/bookings', 'booking', 'booking.view'),
    ],
  },
  {
    label: text('Shop', 'Obchod'),
    entries: [list('/orders', 'order', 'orders.view'), list('/products', 'product', 'orders.view')],
  },
  {
    label: text('Integrations', 'Integrácie'),
    entries: [
      { path: '/integrations/keys', label: text('API keys', 'API kľúče'), ownersOnly: true },
      { path: '/integrations/webhooks', label: text('Webhooks', 'Webhooky'), ownersOnly: true },
      { path: '/integrations/apps', label: text('Connected apps', 'Pripojené aplikácie') },
      { path: '/integrations/assistants', label: text('AI assistants', 'AI asistenti') },
      { path: '/integrations/developers', label: text('Developers', 'Pre vývojárov'), ownersOnly: true },
    ],
  },
  {
    label: text('Settings', 'Nastavenia'),
    entries: [
      { path: '/settings/organization', label: text('Organization', 'Organizácia') },
      { path: '/settings/users', label: text('People', 'Ľudia'), ownersOnly: true },
      { path: '/settings/roles', label: text('Roles', 'Roly'), ownersOnly: true },
      {
        path: '/settings/notifications',
        label: text('Who is notified', 'Koho upozorniť'),
        ownersOnly: true,
      },
      { path: '/settings/lists', label: text('Lists', 'Zoznamy'), ownersOnly: true },
    ],
  },
];

/** What the role does not permit is not offered. */
function isPermitted(c: ConsoleContext, { resource, permissions, ownersOnly }: Entry): boolean {
  const session = sessionOf(c);
  if (ownersOnly && session.user.permissions !== 'owner') return false;
  return resource === undefined || reachOn(session, resource, permissions ?? []) !== undefined;
}

/** The main navigation; where the user is, is marked. */
export function navigation(c: ConsoleContext): Markup {
  const language = c.get('language');
  const here = ({ path }: Entry): boolean =>
    path === '/' ? c.req.path === '/' : c.req.path === path || c.req.path.startsWith(`${path}/`);
  const item = (entry: Entry): Markup =>
    html`<li><a href="${entry.path}"${here(entry) ? html` aria-current="page"` : ''}>${entry.label[language]}</a></li>`;
  const shown = groups.map(({ label, entries }) => ({
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
