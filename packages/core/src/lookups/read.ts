import type { Fragment } from '../database/connect.ts';
import { containsPattern, listPage } from '../paging/list-page.ts';
import { type Page, type Reading, reads } from '../verb/verb.ts';

interface NamedQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly sort?: string | undefined;
  readonly created_after?: string | undefined;
  readonly updated_since?: string | undefined;
  readonly q?: string | undefined;
}

interface NamedTable {
  readonly table: string;
  /** Shown beside `id` and `name`. */
  readonly columns?: readonly string[];
  /** Whether its entries can be archived; those that are cannot be chosen, so they are not listed. */
  readonly archives: boolean;
}

/** A page of a lookup table that is searched and sorted by its name. */
function namedLookup<Item extends { id: string; name: string }>(
  context: Reading,
  query: NamedQuery,
  id: string,
  { table, columns = [], archives }: NamedTable,
): Promise<Page<Item>> {
  const { sql } = context;
  const offered: Fragment = archives ? sql`x.archived_at is null` : sql`true`;
  const shown: Fragment = sql`${sql(['id', 'name', ...columns].map((column) => `x.${column}`))}`;
  return listPage<NamedQuery, Item & { sort_value: string | null }, Item>(context, query, {
    id,
    alias: 'x',
    sorts: { name: { column: 'name', type: 'text' } },
    filters: { q: (text) => sql`x.name ilike ${containsPattern(text)}` },
    rows: ({ where, order, sortValue, limit }) => sql<(Item & { sort_value: string | null })[]>`
      select ${shown}, ${sortValue} as sort_value from ${sql(table)} x
      where ${where} and ${offered} order by ${order} limit ${limit}`,
    items: (rows) => rows.map(({ sort_value: _, ...item }) => item as unknown as Item),
  });
}

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

export const listLeadOrigins = reads('lead-origins.list', (context, { query }) =>
  namedLookup(context, query, 'lead-origins.list', { table: 'lead_origins', archives: true }),
);

export const listLostReasons = reads('lost-reasons.list', (context, { query }) =>
  namedLookup(context, query, 'lost-reasons.list', { table: 'lost_reasons', archives: true }),
);

export const listTags = reads('tags.list', (context, { query }) =>
  namedLookup(context, query, 'tags.list', { table: 'tags', columns: ['color'], archives: false }),
);

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

export const listActivityTypes = reads('activity-types.list', (context, { query }) =>
  namedLookup(context, query, 'activity-types.list', { table: 'activity_types', archives: true }),
);

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

export const listBookingServices = reads('booking-services.list', (context, { query }) =>
  namedLookup(context, query, 'booking-services.list', {
    table: 'booking_services',
    columns: ['duration_minutes', 'price', 'currency'],
    archives: true,
  }),
);

export const listBookingStaff = reads('booking-staff.list', (context, { query }) =>
  namedLookup(context, query, 'booking-staff.list', {
    table: 'booking_staff',
    columns: ['email'],
    archives: true,
  }),
);

interface CategoryRow {
  id: string;
  name: string;
  product_count: number;
  sort_value: string | null;
}

/**
 * The categories that products have. A category is an id that products share and nothing else, so it came with the first
 * of them, changes with each, and is told by their names.
 */
export const listProductCategories = reads('product-categories.list', (context, { query }) => {
  const { sql, organization } = context;
  return listPage(context, query, {
    id: 'product-categories.list',
    alias: 'x',
    sorts: { name: { column: 'name', type: 'text' } },
    filters: { q: (text) => sql`x.searched ilike ${containsPattern(text)}` },
    rows: ({ where, order, sortValue, limit }) => sql<CategoryRow[]>`
      select x.id, x.name, x.product_count, ${sortValue} as sort_value
      from (
        select p.organization_id, p.category_id as id, count(*)::integer as product_count,
               min(p.created_at) as created_at, max(p.updated_at) as updated_at,
               concat(
                 array_to_string((array_agg(p.name order by p.name collate "sk-x-icu", p.id))[1:3], ', '),
                 case when count(*) > 3 then concat(' +', count(*) - 3) end) as name,
               string_agg(p.name, E'\n') as searched
        from products p
        where p.organization_id = ${organization} and p.category_id is not null
        group by p.organization_id, p.category_id
      ) x
      where ${where} order by ${order} limit ${limit}`,
    items: (rows) => rows.map(({ id, name, product_count }) => ({ id, name, product_count })),
  });
});

interface UserRow {
  id: string;
  name: string;
  email: string;
  sort_value: string | null;
}

/** Active people alone: somebody who left cannot be chosen for a record, though records still show the name. */
export const listUsers = reads('users.list', (context, { query }) => {
  const { sql } = context;
  return listPage(context, query, {
    id: 'users.list',
    alias: 'm',
    sorts: { name: { column: 'name', type: 'text' } },
    filters: {
      q: (text) => sql`(m.name ilike ${containsPattern(text)} or u.email ilike ${containsPattern(text)})`,
      email: (email) => sql`lower(u.email) = lower(${email})`,
    },
    rows: ({ where, order, sortValue, limit }) => sql<UserRow[]>`
      select m.id, m.name, u.email, ${sortValue} as sort_value from memberships m join users u on u.id = m.person_id
      where ${where} and m.active order by ${order} limit ${limit}`,
    items: (rows) => rows.map(({ id, name, email }) => ({ id, name, email })),
  });
});
