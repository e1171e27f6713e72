import { text } from '@dealkeep/contract';
import { companyBegins } from '../beginnings.ts';
import { companyLabelFields } from '../label-fields.ts';
import { mine, type Presentation } from '../presentation.ts';

export const company: Presentation = {
  resource: 'company',
  path: '/companies',
  icon: 'building-2',
  group: 'sales',
  key: 'c',
  object: text('the company', 'firmu'),
  createLabel: text('Create company', 'Vytvoriť firmu'),
  columns: ['name', 'email', 'phone', 'registration_id', 'owner', 'tags', 'created_at'],
  labels: { note: text('Notes', 'Poznámky'), custom_fields: text('Own fields', 'Vlastné polia') },
  form: [
    { fields: ['name', 'email', 'phone', 'owner_id'] },
    {
      heading: text('Address', 'Adresa'),
      fields: ['street', 'city', 'postal_code', 'country_code'],
    },
    {
      heading: text('For invoices', 'Na faktúry'),
      fields: ['registration_id', 'tax_id', 'vat_id'],
    },
    { heading: text('Notes', 'Poznámky'), fields: ['note'] },
  ],
  begins: companyBegins,
  unexplained: ['country_code'],
  page: [
    {
      heading: text('Contact', 'Kontakt'),
      fields: ['name', 'email', 'phone', 'address', 'country_code'],
    },
    { heading: text('For invoices', 'Na faktúry'), fields: ['registration_id', 'tax_id', 'vat_id'] },
    {
      heading: text('About', 'O firme'),
      fields: ['owner', 'tags', 'custom_fields', 'note', 'created_at', 'updated_at'],
    },
    { heading: text('Contacts', 'Kontakty'), fields: ['contacts'] },
  ],
  leftOut: {
    page: { id: 'the address of the page holds it', app_url: 'it is this page' },
  },
  teaches: text(
    'The businesses that you know: customers, suppliers, prospects.',
    'Firmy, ktoré poznáte: zákazníci, dodávatelia, záujemcovia.',
  ),
  automates: text(
    'An automation in Zapier, n8n or Activepieces can add one from each row of a sheet, or look one up by its registration ID.',
    'Automatizácia v Zapieri, n8n alebo Activepieces môže pridať firmu z každého riadku tabuľky alebo ju nájsť podľa IČO.',
  ),
  ownFields: companyLabelFields,
  views: [mine('owner_id=me')],
};
