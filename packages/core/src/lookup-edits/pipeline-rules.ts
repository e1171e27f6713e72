import { insertUsualStages } from '../organizations/default-lists.ts';
import { Problem } from '../problem.ts';
import type { LookupRules } from './lookup-rules.ts';
import { sendLeads } from './send-leads.ts';

/** One pipeline is the default, always. */
export const pipelineRules: LookupRules = {
  async problemsOf(_, { before, values }) {
    return before?.['is_default'] === true && values['is_default'] === false
      ? [{ path: 'is_default', key: 'field.default_pipeline' }]
      : [];
  },

  async beforeSaving({ sql, organization, now }, { id, values }) {
    if (values['is_default'] !== true) return;
    await sql`
      update pipelines set is_default = false, updated_at = ${now}
      where organization_id = ${organization} and is_default and id <> ${id}`;
  },

  async afterCreating({ sql, organization }, { id }) {
    await insertUsualStages(sql, { organization, pipeline: id });
  },

  async beforeRemoving(changing, { id, is_default }, where) {
    if (is_default === true) throw new Problem('pipeline.default');
    const { sql, organization } = changing;
    await sql`
      select 1 from stages where organization_id = ${organization} and pipeline_id = ${id} order by id for update`;
    await sendLeads(changing, { in: 'pipeline_id', id }, where);
  },

  async beforeDeleting({ sql, organization }, { id }) {
    await sql`delete from stages where organization_id = ${organization} and pipeline_id = ${id}`;
  },
};
