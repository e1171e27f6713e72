import { text } from '@dealkeep/contract';
import { mine, type Presentation } from '../presentation.ts';

export const client: Presentation = {
  resource: 'client',
  path: '/clients',
  icon: 'handshake',
  group: 'sales',
  key: 'k',
  object: text('the client', 'klienta'),
  createLabel: text('Create client', 'Vytvoriť klienta'),
  columns: ['company', 'owner', 'reference_code', 'reference_valid_until', 'created_at'],
  labels: {
    'company.registration_id': text('Registration no.', 'IČO'),
    reference_code: text('Agreement no.', 'Číslo dohody'),
    reference_name: text('Agreement', 'Dohoda'),
    reference_valid_until: text('Agreed until', 'Dohodnuté do'),
    note: text('Notes', 'Poznámky'),
  },
  form: [{ fields: ['company_id', 'owner_id', 'note'] }],
  more: ['reference_code', 'reference_name', 'reference_valid_until'],
  page: [
    { heading: text('Client', 'Klient'), fields: ['company', 'owner'] },
    {
      heading: text('Agreement', 'Dohoda'),
      fields: ['reference_name', 'reference_code', 'reference_valid_until'],
    },
    { heading: text('About', 'O klientovi'), fields: ['note', 'created_at', 'updated_at'] },
  ],
  leftOut: {
    page: { id: 'the address of the page holds it', app_url: 'it is this page' },
  },
  teaches: text(
    'The companies that buy from you, with what you agreed.',
    'Firmy, ktoré u vás nakupujú, a čo ste si dohodli.',
  ),
  automates: text(
    'An automation in Zapier, n8n or Activepieces can make a client of a company as soon as its lead is won.',
    'Automatizácia v Zapieri, n8n alebo Activepieces môže z firmy urobiť klienta, keď je jej príležitosť vyhratá.',
  ),
  views: [mine('owner_id=me')],
};
