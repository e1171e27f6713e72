import type { Changing } from '../../change/verb/verb.ts';
import { notFound } from '../../foundations/problem.ts';
import { erasedKinds, kindOf } from '../record-kinds.ts';

/** What can be erased; everything else is erased with it. */
export type ErasableKind = 'company' | 'contact' | 'client' | 'lead';

/** An erasure, and the record that it was asked for. */
export interface Asked {
  readonly id: string;
  readonly kind: ErasableKind;
  readonly record_id: string;
}

/**
 * Locks the record, so that whoever refers to it just now is waited for, and whoever will refer to it waits. Raises
 * NOT_FOUND.
 */
export async function lockErasable(
  { sql, organization }: Changing,
  kind: ErasableKind,
  id: string,
): Promise<void> {
  const [found] = await sql`
    select from ${sql(kindOf(kind).table.table)} where organization_id = ${organization} and id = ${id} for update`;
  if (!found) throw notFound();
}

/** What belongs to a record that is erased; each after what it belongs to. */
const links = [...erasedKinds].flatMap(([kind, { with: owners = [] }]) =>
  owners.map(({ kind: of, column }) => ({ kind, table: kindOf(kind).table.table, column, of })),
);

/** Notes which records an erasure is about, while they still say who they belong to. */
export async function findErasedRecords(context: Changing, asked: Asked): Promise<void> {
  const { sql, organization } = context;
  await sql`
    insert into erasing_records (organization_id, erasure_id, record_id, kind)
    values (${organization}, ${asked.id}, ${asked.record_id}, ${asked.kind})`;
  for (const { kind, table, column, of } of links) {
    await sql`
      insert into erasing_records (organization_id, erasure_id, record_id, kind)
      select t.organization_id, due.erasure_id, t.id, ${kind}
      from erasing_records due
      join ${sql(table)} t on t.organization_id = due.organization_id and t.${sql(column)} = due.record_id
      where due.organization_id = ${organization} and due.erasure_id = ${asked.id} and due.kind = ${of}
      on conflict do nothing`;
  }
  await findByAddress(context, asked);
}

/**
 * Orders and bookings that name nobody of ours but an e-mail address: that of the company or of a contact. Where
 * they are known to be of somebody else, they stay, even with the same address.
 */
async function findByAddress({ sql, organization }: Changing, { id }: Asked): Promise<void> {
  const due = sql`
    join erasing_records due on due.organization_id = ${organization} and due.erasure_id = ${id} and due.record_id = t.id`;
  const address = sql`
    select comparison_form(email) as email from companies t ${due}
    where t.organization_id = ${organization} and email is not null
    union
    select comparison_form(each) from contacts t ${due}, unnest(array_append(further_emails, email)) each
    where t.organization_id = ${organization} and each is not null`;
  const company = sql`
    select record_id as id from erasing_records
    where organization_id = ${organization} and erasure_id = ${id} and kind = 'company'
    union
    select company_id from contacts t ${due} where t.organization_id = ${organization}`;
  const client = sql`
    select id from clients where organization_id = ${organization} and company_id in (${company})`;
  await sql`
    insert into erasing_records (organization_id, erasure_id, record_id, kind)
    select t.organization_id, ${id}, t.id, 'order' from (${address}) address
    join orders t on t.organization_id = ${organization} and comparison_form(t.customer_email) = address.email
    where t.organization_id = ${organization} and (t.company_id is null or t.company_id in (${company}))
      and (t.client_id is null or t.client_id in (${client}))
    on conflict do nothing`;
  await sql`
    insert into erasing_records (organization_id, erasure_id, record_id, kind)
    select t.organization_id, ${id}, t.id, 'booking' from (${address}) address
    join bookings t on t.organization_id = ${organization} and comparison_form(t.customer_email) = address.email
    where t.organization_id = ${organization} and (t.client_id is null or t.client_id in (${client}))
    on conflict do nothing`;
}
