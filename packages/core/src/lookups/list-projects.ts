import { containsPattern, listPage } from '../lists/list-page.ts';
import { reads } from '../verb/verb.ts';

interface ProjectRow {
  id: string;
  directory_version: number;
  sort_value: string | null;
}

export const listProjects = reads('projects.list', (context, { query }) => {
  const { core, sql, organization } = context;
  return listPage(context, query, {
    id: 'projects.list',
    alias: 'p',
    sorts: { name: { column: 'name', type: 'text' } },
    filters: { q: (text) => sql`p.name ilike ${containsPattern(text)}` },
    rows: ({ where, order, sortValue, limit }) => sql<ProjectRow[]>`
      select p.id, o.directory_version, ${sortValue} as sort_value
      from projects p join organizations o on o.id = p.organization_id
      where ${where} and p.archived_at is null order by ${order} limit ${limit}`,
    items: async (rows) => {
      const version = Math.max(...rows.map((row) => row.directory_version), 0);
      const { projects } = await core.directories.at(sql, organization, version);
      return rows.flatMap(({ id }) => {
        const project = projects.get(id);
        if (!project) return [];
        const stages = project.stages.map((stage) => ({
          id: stage.id,
          name: stage.name,
          category: stage.category,
        }));
        return [{ id, name: project.name, status: project.status, stages }];
      });
    },
  });
});
