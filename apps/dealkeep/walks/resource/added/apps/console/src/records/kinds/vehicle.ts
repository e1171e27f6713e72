import { text } from '@dealkeep/contract';
import { mine, type Presentation } from '../presentation.ts';

export const vehicle: Presentation = {
  resource: 'vehicle',
  path: '/vehicles',
  icon: {
    drawing: '<path d="M3 13l2-6h14l2 6v5H3z"/><circle cx="7" cy="18" r="2"/><circle cx="17" cy="18" r="2"/>',
  },
  group: 'sales',
  key: 'v',
  object: text('the vehicle', 'vozidlo'),
  createLabel: text('Create vehicle', 'Vytvoriť vozidlo'),
  columns: ['name', 'plate', 'status', 'company', 'owner', 'created_at'],
  form: [{ fields: ['name', 'plate', 'company_id', 'owner_id', 'fuel'] }],
  more: ['inspected_on', 'mileage'],
  page: [
    {
      heading: text('Vehicle', 'Vozidlo'),
      fields: ['name', 'plate', 'status', 'fuel', 'mileage', 'inspected_on'],
    },
    { heading: text('Belongs to', 'Patrí k'), fields: ['company', 'owner'] },
    { heading: text('About', 'O vozidle'), fields: ['retired_at', 'created_at', 'updated_at'] },
  ],
  leftOut: { page: { id: 'the address of the page holds it', app_url: 'it is this page' } },
  teaches: text('What your customers drive.', 'Na čom jazdia vaši zákazníci.'),
  automates: text(
    'An automation in Zapier, n8n or Activepieces can remind of the next inspection.',
    'Automatizácia v Zapieri, n8n alebo Activepieces môže pripomenúť ďalšiu kontrolu.',
  ),
  possible: ({ status }) => (status === 'active' ? ['vehicles.retire'] : []),
  life: { states: [['active'], ['retired']], next: ['vehicles.retire'] },
  views: [mine('owner_id=me')],
};
