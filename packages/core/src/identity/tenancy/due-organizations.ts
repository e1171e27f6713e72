import type { Database, Fragment, Statements } from '../../foundations/database/connect.ts';

/** The first that may be due of each organization, as its clocks show the time. */
export interface FirstDue {
  readonly organization_id: string;
  readonly due: string;
}

/**
 * Stands in the one kind of statement on records that names no organization: it reads, locks nothing, and asks which
 * organizations have anything due, once for all of them. Where records stand on several servers, each is asked at
 * once.
 */
export const ofAllOrganizations = (sql: Statements): Fragment => sql`/* of all organizations */`;

/**
 * Stands in a statement that is sent only where records stand on the server of everything else: beside it is what is
 * sent where they do not.
 */
export const onOneServer = (sql: Statements): Fragment => sql`/* on one server */`;

/** All of them, to be looked through by a key that begins with the organization. */
export async function idsOfOrganizations(sql: Statements): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from organizations`;
  return rows.map(({ id }) => id);
}

/**
 * Those of whom something is due by their own clocks, so that an organization with nothing due costs no statement.
 *
 * @param isDue a condition on `due`, `time_zone` and `local_time`
 */
export async function dueOrganizations(
  sql: Database,
  first: readonly FirstDue[],
  isDue: Fragment,
  now: string,
): Promise<{ id: string; slug: string }[]> {
  if (first.length === 0) return [];
  return sql<{ id: string; slug: string }[]>`
    select id, slug
    from (select o.id, o.slug, o.time_zone, due::timestamp as due, ${now}::timestamptz at time zone o.time_zone as local_time
          from unnest(${first.map((each) => each.organization_id)}::uuid[], ${first.map(({ due }) => due)}::text[])
            as f (organization_id, due)
          join organizations o on o.id = f.organization_id and o.moved_at is null) as organization
    where ${isDue} order by id`;
}
