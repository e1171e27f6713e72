import type { Transaction } from '../database/connect.ts';

// Fictional names; domains end in .example (RFC 2606), so no mail can reach anybody.
export const companyStems = [
  'Tatra',
  'Dunaj',
  'Karpaty',
  'Považie',
  'Orava',
  'Liptov',
  'Zemplín',
  'Spiš',
  'Gemer',
  'Hron',
  'Kriváň',
  'Jantár',
];
export const companyTrades = [
  { name: 'Bikes', slug: 'bikes' },
  { name: 'Stav', slug: 'stav' },
  { name: 'Logistika', slug: 'logistika' },
  { name: 'Dizajn', slug: 'dizajn' },
  { name: 'Solar', slug: 'solar' },
  { name: 'Pekáreň', slug: 'pekaren' },
  { name: 'Dental', slug: 'dental' },
  { name: 'Softvér', slug: 'softver' },
  { name: 'Reality', slug: 'reality' },
  { name: 'Nábytok', slug: 'nabytok' },
];
export const firstNames = [
  'Peter',
  'Jana',
  'Martin',
  'Zuzana',
  'Tomáš',
  'Katarína',
  'Lukáš',
  'Lucia',
  'Michal',
  'Eva',
  'Marek',
  'Monika',
];
/** Names that are the same for women and men, as many Slovak ones are not, so that any first name fits. */
export const lastNames = [
  'Novák',
  'Kollár',
  'Baláž',
  'Molnár',
  'Šimko',
  'Urban',
  'Hudák',
  'Polák',
  'Gajdoš',
  'Mráz',
  'Fiala',
];
export const cities = [
  { city: 'Bratislava', postal: '811 01' },
  { city: 'Košice', postal: '040 01' },
  { city: 'Žilina', postal: '010 01' },
  { city: 'Nitra', postal: '949 01' },
  { city: 'Prešov', postal: '080 01' },
  { city: 'Banská Bystrica', postal: '974 01' },
  { city: 'Trnava', postal: '917 01' },
];
export const streets = ['Hlavná', 'Štúrova', 'Hviezdoslavova', 'Mlynská', 'Školská', 'Záhradná', 'Kvetná'];
export const positions = [
  'Director',
  'Purchasing manager',
  'Office manager',
  'Marketing manager',
  'Accountant',
];
export const leadSubjects = [
  'New website',
  'Yearly service contract',
  'Fleet renewal',
  'Office refurbishment',
  'Employee training',
  'Product photography',
  'Warehouse lighting',
  'Summer campaign',
  'Point-of-sale system',
  'Consulting package',
];

/**
 * The id of a demo record as an SQL expression: it follows from the organization, the table, the number of rows that
 * the table has already, and `by` (an SQL expression, unique within the statement). So an empty organization gets the
 * same ids each time. The form is that of `derivedId`.
 */
export const demoId = (tx: Transaction, organization: string, table: string, by: string) =>
  tx`overlay(overlay(md5(concat_ws(':', ${organization}::text, ${table}::text,
       (select count(*) from ${tx(table)} where organization_id = ${organization}), ${tx.unsafe(by)}))
     placing '8' from 13) placing 'a' from 17)::uuid`;

/** An element of an array parameter, chosen by a number (an SQL expression) that may exceed its length. */
export const pick = (tx: Transaction, values: readonly string[], by: string) =>
  tx`(${[...values]}::text[])[1 + (${tx.unsafe(by)})::integer % ${values.length}]`;
