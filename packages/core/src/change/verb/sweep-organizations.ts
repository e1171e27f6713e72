import { sweptRecordsAtOnce } from '../../foundations/operating-limits.ts';
import type { System } from '../../identity/credentials/credential.ts';
import type { Services } from '../services.ts';
import { entriesOfClock } from './audit-entries.ts';
import { change } from './change.ts';
import type { OrganizationName } from './unit-of-work.ts';
import type { Sweep } from './verb.ts';

/**
 * Runs a verb of the clock, organization by organization, in batches of a transaction each; fewer than
 * `sweptRecordsAtOnce` means that no more is due. A fault in one organization does not keep the others waiting; it
 * is raised at the end. Answers how many there were.
 */
export async function sweepOrganizations(
  core: Services,
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
            ({ events }) => entriesOfClock(operation, actor, events),
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
