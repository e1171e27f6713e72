import { tryProperties } from './properties.ts';

// One record of each way to be written, and lists; every operation is tried by `properties.long.test.ts`.
tryProperties({
  runs: 3,
  only: [
    'leads.create',
    'companies.update',
    'contacts.upsert',
    'orders.create',
    'tasks.batch',
    'companies.list',
    'leads.list',
  ],
});
