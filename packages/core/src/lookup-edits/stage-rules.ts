import type { FieldProblem } from '@dealkeep/contract';
import { Problem } from '../problem.ts';
import type { Scope } from '../verb/verb.ts';
import type { LookupEntry, LookupRules } from './lookup-rules.ts';
import { readLookupUsage } from './read-lookups.ts';
import { sendLeads } from './send-leads.ts';

/** A pipeline has an open stage, always; and the status of leads follows the kind of their stage. */
export const stageRules: LookupRules = {
  async problemsOf(reading, { before, values }) {
    if (!before || before['kind'] === values['kind']) return [];
    const problems: FieldProblem[] = [];
    const [used] = await readLookupUsage(reading, 'stage', before.id);
    if (used) problems.push({ path: 'kind', key: 'field.leads_in_stage', values: { count: used.count } });
    if (await isLastOpen(reading, before)) problems.push({ path: 'kind', key: 'field.last_open_stage' });
    // One problem for a field.
    return problems.slice(0, 1);
  },

  async beforeRemoving(changing, entry, where) {
    if (await isLastOpen(changing, entry)) throw new Problem('stage.last_open');
    await sendLeads(changing, { in: 'stage_id', id: entry.id }, where);
  },
};

async function isLastOpen(
  { sql, organization }: Pick<Scope, 'sql' | 'organization'>,
  stage: LookupEntry,
): Promise<boolean> {
  if (stage['kind'] !== 'open') return false;
  const others = await sql`
    select 1 from stages
    where organization_id = ${organization} and pipeline_id = ${String(stage['pipeline_id'])} and kind = 'open'
      and id <> ${stage.id}
    limit 1`;
  return others.length === 0;
}
