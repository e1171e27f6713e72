import { type FieldFacts, minorUnitsOf } from '@dealkeep/contract';
import type { AnyRecordTable } from '../../change/record-tables/define-record.ts';
import type { Fragment, Transaction } from '../../foundations/database/connect.ts';

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

/** For whom and when demo records are made. */
export interface DemoPlace {
  readonly tx: Transaction;
  readonly organization: string;
  /** Of the organization: records are made in it. */
  readonly currency: string;
  /** RFC 3339; nothing was made later. */
  readonly now: string;
  /** What a seed's companies and leads are numbered from: 0, or more for a part of a large one. */
  readonly first: { readonly companies: number; readonly leads: number };
}

/**
 * The id of a demo record as an SQL expression: it follows from the organization, the table, the number of rows that
 * the table has already, and `by` (an SQL expression, unique within the statement). So an empty organization gets
 * the same ids each time. The form is that of `derivedId`.
 */
export const demoId = (
  { tx, organization }: Pick<DemoPlace, 'tx' | 'organization'>,
  table: string,
  by: string,
) =>
  tx`overlay(overlay(md5(concat_ws(':', ${organization}::text, ${table}::text,
       (select count(*) from ${tx(table)} where organization_id = ${organization}), ${tx.unsafe(by)}))
     placing '8' from 13) placing 'a' from 17)::uuid`;

/** An amount (an SQL expression) in the minor units of the organization's currency. */
export const inCurrency = (
  { tx, currency }: Pick<DemoPlace, 'tx' | 'currency'>,
  amount: Fragment,
): Fragment => tx`round(${amount}, ${minorUnitsOf(currency)}::integer)`;

/** An element of an array parameter, chosen by a number (an SQL expression) that may exceed its length. */
export const pick = (tx: Transaction, values: readonly string[], by: string) =>
  tx`(${[...values]}::text[])[1 + (${tx.unsafe(by)})::integer % ${values.length}]`;

/**
 * The begin of a statement that inserts a demo record for each row of the `from` that follows it: the columns that
 * the seed names, and of every other field what `madeUp` finds.
 *
 * @param by an SQL expression: another whole number for each row
 * @param beside columns that the record does not show
 */
export function insertingDemo<Table extends AnyRecordTable>(
  place: DemoPlace,
  table: Table,
  by: string,
  named: Parameters<Table['inserting']>[1],
  beside: Readonly<Record<string, Fragment>> = {},
): Fragment {
  const { tx, organization } = place;
  const unnamed = table.storedFields.flatMap((field) => {
    const value = Object.hasOwn(named, field.name) ? undefined : madeUp(place, field, `(${by})`);
    return value ? [[field.name, value]] : [];
  });
  return table.inserting({ sql: tx, organization }, { ...Object.fromEntries(unnamed), ...named, ...beside });
}

/** Of how many records one has a text that may be missing. */
const textEvery = 3;

/**
 * A value for a field that the seed does not name, made of what the contract says of it. None for ids and moments:
 * they say to what a record belongs and what happened to it, which only the seed knows.
 */
function madeUp(place: DemoPlace, field: FieldFacts, by: string): Fragment | undefined {
  const { tx, now } = place;
  const { description, type, format, isArray, nullable } = field;
  const example = description?.example;
  const number = tx.unsafe(by);
  if (isArray || example === undefined || format === 'uuid' || format === 'date-time') return undefined;
  if (description?.choices) return pick(tx, Object.keys(description.choices), by);
  if (format === 'date') return tx`(${now}::timestamptz + ${number} % 60 * interval '1 day')::date`;
  if (type === 'boolean') return tx`${number} % 2 = 0`;
  if (typeof example === 'number') {
    const share = tx`${example}::numeric * (1 + ${number} % 10) / 10`;
    if (type === 'integer') return tx`ceil(${share})`;
    return description?.unit === 'money' ? inCurrency(place, share) : tx`round(${share}, 2)`;
  }
  if (typeof example !== 'string') return undefined;
  return nullable
    ? tx`case when ${number} % ${textEvery} = 0 then ${example}::text end`
    : tx`${example}::text`;
}
