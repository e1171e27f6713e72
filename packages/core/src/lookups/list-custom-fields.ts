import { containsPattern, listPage } from '../lists/list-page.ts';
import { reads } from '../verb/verb.ts';

interface CustomFieldRow {
  id: string;
  name: string;
  description: string | null;
  required: boolean;
  type: 'text' | 'number' | 'date' | 'checkbox';
  group_id: string | null;
  group_name: string | null;
  sort_value: string | null;
}

export const listCustomFields = reads('custom-fields.list', (context, { query }) => {
  const { sql } = context;
  return listPage(context, query, {
    id: 'custom-fields.list',
    alias: 'f',
    sorts: { name: { column: 'name', type: 'text' } },
    filters: { q: (text) => sql`f.name ilike ${containsPattern(text)}` },
    rows: ({ where, order, sortValue, limit }) => sql<CustomFieldRow[]>`
      select f.id, f.name, f.description, f.required, f.type, f.group_id, g.name as group_name,
             ${sortValue} as sort_value
      from custom_fields f
      left join custom_field_groups g on g.organization_id = f.organization_id and g.id = f.group_id
      where ${where} order by ${order} limit ${limit}`,
    items: (rows) =>
      rows.map(({ id, name, description, required, type, group_id, group_name }) => ({
        id,
        name,
        description,
        required,
        type,
        group: group_id !== null && group_name !== null ? { id: group_id, name: group_name } : null,
      })),
  });
});
