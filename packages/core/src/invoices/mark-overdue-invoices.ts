import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { sweepBatch, sweepOrganizations } from '../sweeps/sweep-organizations.ts';
import type { OrganizationName } from '../verb/transact.ts';
import type { Changing } from '../verb/verb.ts';
import { invoiceRecord, invoiceRows } from './invoice-record.ts';

/**
 * Makes every issued invoice overdue whose due date has passed in its organization's time zone with something left
 * to pay (`invoice.overdue`), once. Any number of workers may run it at once. Answers how many there were.
 */
export async function markOverdueInvoices(core: Core): Promise<number> {
  const { sql, clock } = core;
  const organizations = await sql<OrganizationName[]>`
    select distinct o.id, o.slug from invoices i join organizations o on o.id = i.organization_id
    where ${due(sql, clock.now().toISOString())}`;
  return sweepOrganizations(core, organizations, markBatch);
}

async function markBatch(context: Changing): Promise<number> {
  const { core, sql, organization, now } = context;
  const marked = await sql<{ id: string }[]>`
    with due as (
      select i.id from invoices i join organizations o on o.id = i.organization_id
      where i.organization_id = ${organization} and ${due(sql, now)}
      order by i.id limit ${sweepBatch} for no key update of i)
    update invoices i set status = 'overdue', updated_at = greatest(i.updated_at, ${now}::timestamptz) from due
    where i.organization_id = ${organization} and i.id = due.id
    returning i.id`;
  const ids = marked.map(({ id }) => id);
  const rows = await invoiceRows(
    sql,
    sql`i.organization_id = ${organization} and i.id = any(${ids}::uuid[]) order by i.due_date, i.id`,
  );
  for (const row of rows) context.emit('invoice.overdue', invoiceRecord(row, core));
  return rows.length;
}

/**
 * Issued invoices (alias `i`, with their organization `o`) whose due date has passed. The first line is what the index
 * finds: no clock on earth is more than 14 hours ahead of UTC.
 */
const due = (sql: Statements, now: string): Fragment => sql`
  i.status = 'issued' and i.due_date < (${now}::timestamptz at time zone 'UTC' + interval '14 hours')::date
  and i.due_date < (${now}::timestamptz at time zone o.time_zone)::date
  and i.total > i.paid_amount`;
