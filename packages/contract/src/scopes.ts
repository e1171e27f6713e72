import { type Text, text } from './text.ts';

/** Every scope, in plain words (rule scopes 1). */
export const scopes = {
  'companies:read': text('See companies and contacts', 'Vidieť firmy a kontakty'),
  'companies:write': text('Create and change companies and contacts', 'Vytvárať a meniť firmy a kontakty'),
  'clients:read': text('See clients', 'Vidieť klientov'),
  'clients:write': text('Create and change clients', 'Vytvárať a meniť klientov'),
  'leads:read': text('See leads', 'Vidieť príležitosti'),
  'leads:write': text(
    'Create, change, move and archive leads',
    'Vytvárať, meniť, presúvať a archivovať príležitosti',
  ),
  'activities:read': text('See activities', 'Vidieť aktivity'),
  'activities:write': text('Create, change and complete activities', 'Vytvárať, meniť a dokončovať aktivity'),
  'tasks:read': text('See tasks and projects', 'Vidieť úlohy a projekty'),
  'tasks:write': text('Create, change and complete tasks', 'Vytvárať, meniť a dokončovať úlohy'),
  'invoices:read': text('See invoices and quotes', 'Vidieť faktúry a cenové ponuky'),
  'invoices:write': text('Create invoices', 'Vytvárať faktúry'),
  'bookings:read': text('See bookings', 'Vidieť rezervácie'),
  'bookings:write': text('Create and cancel bookings', 'Vytvárať a rušiť rezervácie'),
  'orders:read': text('See orders', 'Vidieť objednávky'),
  'orders:write': text('Create orders', 'Vytvárať objednávky'),
  'products:read': text('See products', 'Vidieť produkty'),
  'users:read': text('See the people of the organization', 'Vidieť ľudí v organizácii'),
  'webhooks:manage': text('Subscribe to events', 'Odoberať udalosti'),
} as const satisfies Record<string, Text>;

export type Scope = keyof typeof scopes;

export const allScopes = Object.keys(scopes).filter((scope): scope is Scope => scope in scopes);
