import type { Transaction } from '../database/connect.ts';

/**
 * The id of a demo record as an SQL expression: it follows from the organization, the table, the number of rows that
 * the table has already, and `by` (an SQL expression, unique within the statement). So an empty organization gets the
 * same ids each time. The form is that of `derivedId`.
 */
export const demoId = (tx: Transaction, organization: string, table: string, by: string) =>
  tx`overlay(overlay(md5(concat_ws(':', ${organization}::text, ${table}::text,
       (select count(*) from ${tx(table)} where organization_id = ${organization}), ${tx.unsafe(by)}))
     placing '8' from 13) placing 'a' from 17)::uuid`;
