import { resources, type Text, text } from '@dealkeep/contract';
import { html } from 'hono/html';
import type { ConsoleContext } from './context.ts';
import type { Markup } from './markup.ts';

interface Entry {
  readonly path: string;
  readonly label: Text;
}

interface Group {
  readonly label: Text | undefined;
  readonly entries: readonly Entry[];
}

const groups: readonly Group[] = [
  { label: undefined, entries: [{ path: '/', label: text('Home', 'Prehľad') }] },
  {
    label: text('Sales', 'Predaj'),
    entries: [
      { path: '/leads', label: resources.lead.plural },
      { path: '/companies', label: resources.company.plural },
      { path: '/contacts', label: resources.contact.plural },
      { path: '/clients', label: resources.client.plural },
      { path: '/quotes', label: resources.quote.plural },
      { path: '/invoices', label: resources.invoice.plural },
    ],
  },
  {
    label: text('Work', 'Práca'),
    entries: [
      { path: '/activities', label: resources.activity.plural },
      { path: '/tasks', label: resources.task.plural },
      { path: '/bookings', label: resources.booking.plural },
    ],
  },
  {
    label: text('Shop', 'Obchod'),
    entries: [
      { path: '/orders', label: resources.order.plural },
      { path: '/products', label: resources.product.plural },
    ],
  },
  {
    label: text('Integrations', 'Integrácie'),
    entries: [
      { path: '/integrations/keys', label: text('API keys', 'API kľúče') },
      { path: '/integrations/webhooks', label: text('Webhooks', 'Webhooky') },
      { path: '/integrations/apps', label: text('Connected apps', 'Pripojené aplikácie') },
      { path: '/integrations/developers', label: text('Developers', 'Pre vývojárov') },
    ],
  },
  {
    label: text('Settings', 'Nastavenia'),
    entries: [
      { path: '/settings/organization', label: text('Organization', 'Organizácia') },
      { path: '/settings/people', label: text('People', 'Ľudia') },
      { path: '/settings/roles', label: text('Roles', 'Roly') },
      { path: '/settings/lists', label: text('Lists', 'Zoznamy') },
    ],
  },
];

/** The main navigation; where the person is, is marked. */
export function navigation(c: ConsoleContext): Markup {
  const language = c.get('language');
  const here = ({ path }: Entry): boolean =>
    path === '/' ? c.req.path === '/' : c.req.path === path || c.req.path.startsWith(`${path}/`);
  const item = (entry: Entry): Markup =>
    html`<li><a href="${entry.path}"${here(entry) ? html` aria-current="page"` : ''}>${entry.label[language]}</a></li>`;
  return html`${groups.map(
    ({ label, entries }) =>
      html`${label ? html`<h2>${label[language]}</h2>` : ''}<ul>${entries.map(item)}</ul>`,
  )}`;
}
