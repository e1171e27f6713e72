import type { Core } from '../core.ts';
import type { System } from '../credentials/credential.ts';
import type { Database, Fragment, Statements } from '../database/connect.ts';
import { sweptRecordsAtOnce } from '../operating-limits.ts';
import { deedsOfClock } from '../verb/audited-deeds.ts';
import { change, type OrganizationName } from '../verb/change.ts';
import type { Sweep } from '../verb/verb.ts';

/** The first that may be due of each organization, as its clocks show the time. */
export interface FirstDue {
  readonly organization_id: string;
  readonly due: string;
}

/**
 * Stands in the one kind of statement on records that names no organization: it reads, locks nothing, and asks which organizations
 * have anything due, once for all of them. Where records stand on several servers, each is asked at once.
 */
export const ofAllOrganizations = (sql: Statements): Fragment => sql`/* of all organizations */`;

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
): Promise<OrganizationName[]> {
  if (first.length === 0) return [];
  return sql<OrganizationName[]>`
    select id, slug
    from (select o.id, o.slug, o.time_zone, due::timestamp as due, ${now}::timestamptz at time zone o.time_zone as local_time
          from unnest(${first.map((each) => each.organization_id)}::uuid[], ${first.map(({ due }) => due)}::text[])
            as f (organization_id, due)
          join organizations o on o.id = f.organization_id) as organization
    where ${isDue} order by id`;
}

/**
 * Runs a verb of the clock, organization by organization, in batches of a transaction each; fewer than
 * `sweptRecordsAtOnce` means that no more is due. A fault in one organization does not keep the others waiting; it is raised at the end. Answers how many there
 * were.
 */
export async function sweepOrganizations(
  core: Core,
  organizations: readonly OrganizationName[],
  { id: operation, run }: Sweep,
): Promise<number> {
  let total = 0;
  const faults: unknown[] = [];
  for (const { id, slug } of organizations) {
    try {
      for (let changed = sweptRecordsAtOnce; changed >= sweptRecordsAtOnce; total += changed) {
        const now = core.clock.now().toISOString();
        const actor: System = { kind: 'system', organization: { id, slug } };
        changed = await change(core, { organization: actor.organization, now }, (changing) =>
          changing.audited(
            (audited) => run({ ...audited, actor }),
            ({ events }) => deedsOfClock(operation, actor, events),
          ),
        );
      }
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'Some organizations could not be swept');
  return total;
}
