import type { Transaction } from '../database/connect.ts';
import { erasedText } from './personal-data.ts';

const namesErasedAtOnce = 1000;

/** What is called by a number that tells nothing of a person. */
const numbered = ['order', 'invoice'];

/**
 * Overwrites what the audit log called the records of an erasure; who did what stays. Answers whether there are no more.
 */
export async function overwriteEntryNames(
  sql: Transaction,
  organization: string,
  erasure: string,
): Promise<boolean> {
  const { count } = await sql`
    update audit_entries t set record_name = ${erasedText}
    from (select e.id from erasing_records due
          join audit_entries e on e.organization_id = due.organization_id and e.record_id = due.record_id
          where due.organization_id = ${organization} and due.erasure_id = ${erasure}
            and due.kind <> all(${numbered}) and e.record_name <> ${erasedText}
          order by e.id limit ${namesErasedAtOnce} for no key update of e) due
    where t.organization_id = ${organization} and t.id = due.id`;
  return count < namesErasedAtOnce;
}
