import { itsOrganization } from '../../change/record-tables/define-record.ts';
import type { Fragment, Transaction } from '../../foundations/database/connect.ts';
import { erasedKinds, kindOf } from '../record-kinds.ts';
import type { Asked } from './find-records.ts';

/** Rows of each table that one transaction overwrites at most. */
const rowsErasedAtOnce = 1000;

/**
 * Overwrites the personal data in some of the records of an erasure: those that still hold any. Answers in how many,
 * and whether that was all.
 */
export async function overwriteRecords(
  sql: Transaction,
  organization: string,
  erasure: Asked & { readonly requested_at: string },
  now: string,
): Promise<{ records: number; isLast: boolean }> {
  let records = 0;
  let isLast = true;
  for (const [kind, { columns, closes }] of erasedKinds) {
    const { table } = kindOf(kind).table;
    // A contact's lead is business of its company, and can go on.
    const isClosed = closes === true && !(kind === 'lead' && erasure.kind === 'contact');
    const due = sql`
      from erasing_records due join ${sql(table)} t on t.organization_id = due.organization_id and t.id = due.record_id
      where due.organization_id = ${organization} and due.erasure_id = ${erasure.id} and due.kind = ${kind}`;
    const values = Object.entries(columns);
    const holds = values.map(([name, becomes]) => `t."${name}" is distinct from ${becomes}`).join(' or ');
    const becomes = values.map(([name, becomes]) => `"${name}" = ${becomes}`).join(', ');
    const ofIts = (text: string): Fragment =>
      text
        .split(itsOrganization)
        .map((part): Fragment => sql`${sql.unsafe(part)}`)
        .reduce((before, after) => sql`${before}${organization}${after}`);
    const isOpen = isClosed ? sql`or t.erased_at is null` : sql``;
    const closing = isClosed ? sql`, erased_at = coalesce(t.erased_at, ${erasure.requested_at})` : sql``;
    const { count } = await sql`
      update ${sql(table)} t set ${ofIts(becomes)}, updated_at = greatest(t.updated_at, ${now})${closing}
      from (select t.id, due.erasure_id ${due} and (${ofIts(holds)} ${isOpen})
            order by t.id limit ${rowsErasedAtOnce} for no key update of t) due
      where t.organization_id = ${organization} and t.id = due.id`;
    records += count;
    isLast &&= count < rowsErasedAtOnce;
  }
  const items = await overwriteItems(sql, organization, erasure);
  const imported = await overwriteImportedRows(sql, organization, erasure);
  return { records, isLast: isLast && items < rowsErasedAtOnce && imported < rowsErasedAtOnce };
}

/**
 * The rows of files from which the records came, for the days that they are kept; the report of an import stays
 * whole.
 */
async function overwriteImportedRows(sql: Transaction, organization: string, { id }: Asked): Promise<number> {
  const { count } = await sql`
    with due as (
      select record_id from erasing_records where organization_id = ${organization} and erasure_id = ${id}),
    -- A row of leads makes companies and contacts, too.
    made as (
      select import_id, number from import_records
      where organization_id = ${organization} and record_id in (select record_id from due)
      union
      select import_id, number from import_rows
      where organization_id = ${organization} and record_id in (select record_id from due))
    update import_rows t set cells = array_fill(''::text, array[cardinality(cells)]), problems = null
    from (select r.import_id, r.number from import_rows r join made using (import_id, number)
          where r.organization_id = ${organization} and (r.problems is not null or array_to_string(r.cells, '') <> '')
          order by r.import_id, r.number limit ${rowsErasedAtOnce} for no key update of r) holding
    where t.organization_id = ${organization} and t.import_id = holding.import_id and t.number = holding.number`;
  return count;
}

const itemColumns = erasedKinds.get('order')?.itemColumns ?? [];

/** The items of orders are parts of them. */
async function overwriteItems(sql: Transaction, organization: string, { id }: Asked): Promise<number> {
  const holds = itemColumns.map((name): Fragment => sql`t.${sql(name)} is not null`);
  const becomes = itemColumns.map((name): Fragment => sql`${sql(name)} = null`);
  const { count } = await sql`
    update order_items t set ${becomes.reduce((all, each) => sql`${all}, ${each}`)}
    from (select t.id from erasing_records due
          join order_items t on t.organization_id = due.organization_id and t.order_id = due.record_id
          where due.organization_id = ${organization} and due.erasure_id = ${id} and due.kind = 'order'
            and (${holds.reduce((any, each) => sql`${any} or ${each}`)})
          order by t.id limit ${rowsErasedAtOnce} for no key update of t) due
    where t.organization_id = ${organization} and t.id = due.id`;
  return count;
}
