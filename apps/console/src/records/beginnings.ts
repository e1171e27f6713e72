import { daysToPay } from '@dealkeep/contract';
import { addDays, type Day, dayMs } from '@dealkeep/core/foundations';
import { reachFor, runAsUser } from '@dealkeep/core/operations';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { nextHourOf, todayOf } from '../values/local-time.ts';
import { typeNumber } from '../values/numbers.ts';
import type { ShownPage, ShownRecord } from '../values/shown-record.ts';
import { textIn } from '../values/shown-record.ts';
import type { Beginning } from './presentation.ts';

/**
 * An invoice is issued today; it is due as many days later as the last one, for one of something at its rate of VAT.
 */
export async function invoiceBegins(c: ConsoleContext): Promise<Beginning> {
  const last = await lastOf(c, 'invoices.list');
  const days = daysBetween(last, 'issued_date', 'due_date') ?? daysToPay;
  return { ...oneLine(c, last), ...inCurrency(c), issued_date: dayIn(c, 0), due_date: dayIn(c, days) };
}

/** Days that an offer stands, where none was made before. */
const daysToAccept = 30;

/** A quote stands as long as the last one did. */
export async function quoteBegins(c: ConsoleContext): Promise<Beginning> {
  const last = await lastOf(c, 'quotes.list');
  const made = last && { ...last, made: textIn(last, 'created_at').slice(0, 10) };
  const days = daysBetween(made, 'made', 'valid_until') ?? daysToAccept;
  return { ...oneLine(c, last), ...inCurrency(c), valid_until: dayIn(c, days) };
}

/** The product of an order's line says its price and its rate of VAT. */
export const orderBegins = (c: ConsoleContext): Beginning => ({
  'items[0].quantity': '1',
  ...inCurrency(c),
});

/** A company is most often of the organization's own country. */
export const companyBegins = (c: ConsoleContext): Beginning => ({
  country_code: sessionOf(c).organization.countryCode,
});

/** A lead enters the first open stage of the usual pipeline. */
export async function leadBegins(c: ConsoleContext): Promise<Beginning> {
  const [usual] = await listed(c, 'pipelines.list', [['limit', '100']]).then((pipelines) =>
    pipelines.filter((each) => each['is_default'] === true),
  );
  const stages: unknown = usual?.['stages'];
  const first = (Array.isArray(stages) ? stages : []).find((each) => textIn(Object(each), 'kind') === 'open');
  return first ? { stage_id: textIn(Object(first), 'id') } : {};
}

/** An activity is one's own, at the next full hour. */
export const activityBegins = (c: ConsoleContext): Beginning => ({
  start_at: nextHourOf(c),
  assignee_id: sessionOf(c).user.id,
});

export const taskBegins = (c: ConsoleContext): Beginning => ({ assignee_ids: sessionOf(c).user.id });

export const bookingBegins = (c: ConsoleContext): Beginning => ({ starts_at: nextHourOf(c) });

/** A rate of VAT as the last product has it. */
export async function productBegins(c: ConsoleContext): Promise<Beginning> {
  const rate = (await lastOf(c, 'products.list'))?.['vat_rate'];
  return typeof rate === 'number' ? { vat_rate: typeNumber(c.get('language'), rate) } : {};
}

/** A day of the organization's calendar, so many days from today. */
const dayIn = (c: ConsoleContext, days: number): Day => addDays(todayOf(c), days);

const inCurrency = (c: ConsoleContext): Beginning => ({ currency: sessionOf(c).organization.currency });

/** One of something, at the rate of VAT of the last document's first line. */
function oneLine(c: ConsoleContext, last: ShownRecord | undefined): Beginning {
  const items: unknown = last?.['items'];
  const rate: unknown = Reflect.get(Object(Array.isArray(items) ? items[0] : {}), 'vat_rate');
  const vat = typeof rate === 'number' ? { 'items[0].vat_rate': typeNumber(c.get('language'), rate) } : {};
  return { 'items[0].quantity': '1', ...vat };
}

/** What somebody may want as a habit: no more than a year, and no negative time. */
function daysBetween(record: ShownRecord | undefined, from: string, to: string): number | undefined {
  const [start, end] = [from, to].map((name) => Date.parse(record ? textIn(record, name) : ''));
  const days = Math.round(((end ?? Number.NaN) - (start ?? Number.NaN)) / dayMs);
  return days >= 0 && days <= 366 ? days : undefined;
}

type List = 'invoices.list' | 'quotes.list' | 'products.list' | 'pipelines.list';

/** The record that was made last, where the role shows it. */
async function lastOf(c: ConsoleContext, list: List): Promise<ShownRecord | undefined> {
  const [last] = await listed(c, list, [
    ['sort', '-created_at'],
    ['limit', '1'],
  ]);
  return last;
}

async function listed(
  c: ConsoleContext,
  list: List,
  query: readonly (readonly [string, string])[],
): Promise<readonly ShownRecord[]> {
  const session = sessionOf(c);
  if (reachFor(session, list) === undefined) return [];
  return ((await runAsUser(c.get('core'), session, list, { query })) as ShownPage).data;
}
