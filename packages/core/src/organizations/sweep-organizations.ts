import type { Core } from '../core.ts';
import { sweptRecordsAtOnce } from '../operating-limits.ts';
import { type OrganizationName, transact } from '../verb/transact.ts';
import type { Changing } from '../verb/verb.ts';

/**
 * Changes what has become due, organization by organization, in batches of a transaction each. `change` does one
 * batch, locks what it changes and answers how many that were; fewer than `sweptRecordsAtOnce` means that no more is
 * due. A fault in one organization does not keep the others waiting; it is raised at the end. Answers how many there
 * were.
 */
export async function sweepOrganizations(
  core: Core,
  organizations: readonly OrganizationName[],
  change: (context: Changing) => Promise<number>,
): Promise<number> {
  let total = 0;
  const faults: unknown[] = [];
  for (const { id, slug } of organizations) {
    try {
      for (let changed = sweptRecordsAtOnce; changed >= sweptRecordsAtOnce; total += changed) {
        changed = await transact(core, { id, slug }, change);
      }
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'Some organizations could not be swept');
  return total;
}
