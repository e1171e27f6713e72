import { addAuditEntries, operator } from '../../change/audit/audit-log.ts';
import { beginRestoredEra } from '../../change/events/event-era.ts';
import type { Clock } from '../../foundations/clock.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { noteRevocation, untilEffective } from '../../identity/credentials/revocation.ts';
import { patiently, takeFenceAway } from './fence.ts';
import { type MovedAway, onMovedAway } from './moved-away.ts';
import { resumeAfterMove } from './pause-for-move.ts';

/** An organization that goes on where it was before it moved. */
export interface TakenBackOrganization {
  readonly organization: string;
  /** When it had moved: what happened later is not here. */
  readonly moved_at: string;
}

/**
 * Has an organization that moved away go on here, as it was when it left: for when the other installation has lost
 * it. What waited for its webhooks then is gone, because the move took it along. Raises OperatorError where the
 * other installation has it, and for one of which rows have been removed here.
 */
export const takeBackOrganization = (
  moved: MovedAway,
  { clock }: { readonly clock: Clock },
): Promise<TakenBackOrganization> =>
  onMovedAway(moved, async (sql, { id, name, slug, moved_at, moved_into }, found) => {
    if (found === 'there') {
      throw new OperatorError(
        `"${slug}" is in the other installation, and would be in both: forget it here, and have it moved from there`,
      );
    }
    if (moved_at === null || moved_into === null) {
      throw new OperatorError(`Rows of "${slug}" have been removed here already: nothing whole is left`);
    }
    // Cursors that the other installation gave stand before everything that happens from now on.
    await patiently(sql, 'events', () =>
      sql.begin(async (tx) => {
        await tx`lock table events in share mode`;
        await beginRestoredEra(tx);
        await tx`
          update organizations set moved_at = null, moved_to = null, moved_into = null, move_ended_at = null
          where id = ${id}`;
        const what = { operation: 'organizations.take-back', resource: 'organization' } as const;
        const now = clock.now().toISOString();
        await addAuditEntries(tx, id, now, { ...what, recordId: id, recordName: name, by: operator });
        await noteRevocation(tx);
      }),
    );
    await takeFenceAway(sql, id);
    await resumeAfterMove(sql, id);
    await untilEffective();
    return { organization: slug, moved_at };
  });
