import { containsPattern, listPage } from '../lists/list-page.ts';
import { reads } from '../verb/verb.ts';

interface PipelineRow {
  id: string;
  directory_version: number;
  sort_value: string | null;
}

export const listPipelines = reads('pipelines.list', (context, { query }) => {
  const { core, sql, organization } = context;
  return listPage(context, query, {
    id: 'pipelines.list',
    alias: 'p',
    sorts: { name: { column: 'name', type: 'text' } },
    filters: { q: (text) => sql`p.name ilike ${containsPattern(text)}` },
    rows: ({ where, order, sortValue, limit }) => sql<PipelineRow[]>`
      select p.id, o.directory_version, ${sortValue} as sort_value
      from pipelines p join organizations o on o.id = p.organization_id
      where ${where} order by ${order} limit ${limit}`,
    items: async (rows) => {
      const version = Math.max(...rows.map((row) => row.directory_version), 0);
      const { pipelines } = await core.directories.at(sql, organization, version);
      return rows.flatMap(({ id }) => {
        const pipeline = pipelines.get(id);
        if (!pipeline) return [];
        const stages = pipeline.stages.map((stage) => ({
          id: stage.id,
          name: stage.name,
          color: stage.color,
          kind: stage.kind,
          probability: stage.probability,
        }));
        const { name, is_default, require_lost_reason } = pipeline;
        return [{ id, name, is_default, require_lost_reason, stages }];
      });
    },
  });
});
