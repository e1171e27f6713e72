import { noteRevocation } from '../credentials/revocation.ts';
import type { Fragment, Statements, Transaction } from '../database/connect.ts';
import { touchDirectory } from '../directory/directory.ts';

export interface Organization {
  id: string;
  name: string;
  slug: string;
  country_code: string;
  currency: string;
  time_zone: string;
  subscription: 'active' | 'lapsed';
  requests_per_minute: number | null;
  org_requests_per_minute: number | null;
  max_webhooks: number;
  max_keys: number;
  created_at: string;
}

/** Organizations, the oldest first; all of them when nothing is asked for. */
export const readOrganizations = (sql: Statements, where: Fragment = sql``): Promise<Organization[]> =>
  sql<Organization[]>`
    select id, name, slug, country_code, currency, time_zone, subscription, requests_per_minute,
           org_requests_per_minute, max_webhooks, max_keys, created_at
    from organizations ${where} order by created_at, id`;

/** What can change; undefined stays. */
export type OrganizationColumns = {
  [Column in Exclude<keyof Organization, 'id' | 'slug' | 'created_at'>]?: Organization[Column] | undefined;
};

/**
 * Changes an organization. Currency and time zone are kept in memory with the small tables, so the version rises: on
 * every process, the next request sees the change (decision 3).
 */
export async function changeOrganization(
  sql: Transaction,
  id: string,
  columns: OrganizationColumns,
): Promise<Organization> {
  const given = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length > 0) await sql`update organizations set ${sql(given)} where id = ${id}`;
  await touchDirectory(sql, id);
  // For all of its keys, a subscription that lapses is one.
  if (columns.subscription !== undefined) await noteRevocation(sql);
  const [row] = await readOrganizations(sql, sql`where id = ${id}`);
  if (!row) throw new Error(`There is no organization ${id}`);
  return row;
}
