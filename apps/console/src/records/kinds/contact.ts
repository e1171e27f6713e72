import { text } from '@dealkeep/contract';
import type { Presentation } from '../presentation.ts';

export const contact: Presentation = {
  resource: 'contact',
  path: '/contacts',
  icon: 'contact',
  group: 'sales',
  key: 'p',
  object: text('the contact', 'kontakt'),
  createLabel: text('Create contact', 'Vytvoriť kontakt'),
  columns: ['name', 'company', 'email', 'phone', 'position', 'is_primary', 'created_at'],
  labels: {
    emails: text('All e-mails', 'Všetky e-maily'),
    phones: text('All phones', 'Všetky telefóny'),
    is_primary: text('Main contact', 'Hlavný kontakt'),
    note: text('Notes', 'Poznámky'),
  },
  form: [{ fields: ['name', 'company_id', 'email', 'phone', 'position'] }],
  more: ['is_primary', 'note'],
  page: [
    {
      heading: text('Contact', 'Kontakt'),
      fields: ['name', 'company', 'position', 'email', 'phone', 'emails', 'phones', 'is_primary'],
    },
    { heading: text('About', 'O kontakte'), fields: ['note', 'created_at', 'updated_at'] },
  ],
  leftOut: {
    page: { id: 'the address of the page holds it', app_url: 'it is this page' },
  },
  teaches: text('The people in these companies.', 'Ľudia v týchto firmách.'),
  automates: text(
    'An automation in Zapier, n8n or Activepieces can add everybody who fills in your form or answers a newsletter.',
    'Automatizácia v Zapieri, n8n alebo Activepieces môže pridať každého, kto vyplní formulár alebo odpovie na newsletter.',
  ),
};
