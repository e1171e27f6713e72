import type { Lead } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import { changesOf } from '../database/changes.ts';
import { chosenTags } from '../directory/chosen-tags.ts';
import { invalidFields } from '../problem.ts';
import { requireUnchanged } from '../verb/require-unchanged.ts';
import { type OrganizationName, transact } from '../verb/transact.ts';
import { readLead } from './lead-record.ts';
import { lockLead } from './lock-lead.ts';

/**
 * Replaces the tags of a lead by their names, which the API has no operation for: `lead.updated`. Answers the lead as
 * GET does. Raises NOT_FOUND, VALIDATION_ERROR, and CONFLICT when the lead is archived or somebody changed it meanwhile.
 *
 * @param unchangedSince the `updated_at` that it must still have; whatever it has when absent
 */
export const editLeadTags = (
  core: Core,
  organization: OrganizationName,
  { id, tags }: { id: string; tags: readonly string[] },
  unchangedSince?: string,
): Promise<Lead> =>
  transact(core, organization, async (context) => {
    const { sql, now } = context;
    const row = await lockLead(context, id);
    const before = await readLead(context, id);
    requireUnchanged(before, unchangedSince);
    const { ids, problems } = await chosenTags(context, tags);
    if (problems.length > 0) throw invalidFields(problems);
    if (!changesOf(row, { tag_ids: ids })) return before;
    await sql`
      update leads set tag_ids = ${ids}, updated_at = ${laterOf(now, row.updated_at)}
      where organization_id = ${organization.id} and id = ${id}`;
    const after = await readLead(context, id);
    context.emitUpdated('lead.updated', before, after);
    return after;
  });
