import { type ListDefinition, listPage } from '../../change/paging/list-page.ts';
import { contains } from '../../change/paging/search.ts';
import { type InputOf, type Page, type Reading, reads } from '../../change/verb/verb.ts';
import type { Fragment } from '../../foundations/database/connect.ts';
import { notFound } from '../../foundations/problem.ts';

interface NamedQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly sort?: string | undefined;
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
  readonly updated_since?: string | undefined;
  readonly updated_before?: string | undefined;
  readonly q?: string | undefined;
}

interface LookupRow {
  id: string;
  sort_value: string | null;
}

/** A list to choose from: how its entries are read, all of them by the page or one by its id. */
interface Lookup<Query extends NamedQuery, Row extends LookupRow, Item> {
  /** Of the table or subselect whose rows are entries; it has `organization_id`, `id` and `name`. */
  readonly alias: string;
  /** `select …, ${sortValue} as sort_value from …`. */
  selected(context: Reading, sortValue: Fragment): Fragment;
  filters(context: Reading): ListDefinition<Query, Row, Item>['filters'];
  /** Which can be chosen, so that they are listed; others are read only by who knows them from a record. */
  offered?(context: Reading): Fragment;
  items(rows: Row[], context: Reading): Promise<Item[]> | Item[];
}

/** A page of a list to choose from, which is sorted by names. */
function listOf<Query extends NamedQuery, Row extends LookupRow, Item>(
  context: Reading,
  query: Query,
  id: string,
  lookup: Lookup<Query, Row, Item>,
): Promise<Page<Item>> {
  const { sql } = context;
  return listPage<Query, Row, Item>(context, query, {
    id,
    alias: lookup.alias,
    sorts: { name: { column: 'name', type: 'text' } },
    filters: lookup.filters(context),
    rows: ({ where, order, sortValue, limit }) => sql<Row[]>`
      ${lookup.selected(context, sortValue)}
      where ${where} and ${lookup.offered?.(context) ?? sql`true`} order by ${order} limit ${limit}`,
    items: (rows) => lookup.items(rows, context),
  });
}

/** One entry, also one that is no longer offered. Raises NOT_FOUND. */
async function oneOf<Query extends NamedQuery, Row extends LookupRow, Item>(
  context: Reading,
  id: string,
  lookup: Lookup<Query, Row, Item>,
): Promise<Item> {
  const { sql, organization } = context;
  const own = (column: string): Fragment => sql`${sql(`${lookup.alias}.${column}`)}`;
  const rows = await sql<Row[]>`
    ${lookup.selected(context, sql`null`)} where ${own('organization_id')} = ${organization} and ${own('id')} = ${id}`;
  const [item] = await lookup.items([...rows], context);
  if (item === undefined) throw notFound();
  return item;
}

interface NamedTable {
  readonly table: string;
  /** Shown beside `id` and `name`. */
  readonly columns?: readonly string[];
  /** Whether its entries can be archived; those that are cannot be chosen, so they are not listed. */
  readonly archives: boolean;
}

interface NamedRow extends LookupRow {
  name: string;
}

/** A table of names, shown as it is. */
const namedLookup = <Row extends NamedRow = NamedRow>({
  table,
  columns = [],
  archives,
}: NamedTable): Lookup<NamedQuery, Row, Omit<Row, 'sort_value'>> => ({
  alias: 'x',
  selected: ({ sql }, sortValue) => sql`
    select ${sql(['id', 'name', ...columns].map((column) => `x.${column}`))}, ${sortValue} as sort_value
    from ${sql(table)} x`,
  filters: ({ sql }) => ({ q: (text) => contains(sql, text, 'x.name') }),
  offered: ({ sql }) => (archives ? sql`x.archived_at is null` : sql`true`),
  items: (rows) => rows.map(({ sort_value: _, ...item }) => item),
});

interface VersionedRow extends LookupRow {
  directory_version: number;
}

/** The reference data that goes with rows that were just read. */
const referenceDataOf = ({ referenceDataAt }: Reading, rows: readonly VersionedRow[]) =>
  referenceDataAt(Math.max(...rows.map((row) => row.directory_version), 0));

const pipelines = {
  alias: 'p',
  selected: ({ sql, organization }: Reading, sortValue: Fragment) => sql`
    select p.id, (select directory_version from organizations where id = ${organization}) as directory_version,
           ${sortValue} as sort_value
    from pipelines p`,
  filters: ({ sql }: Reading) => ({ q: (text: string) => contains(sql, text, 'p.name') }),
  items: async (rows: VersionedRow[], context: Reading) => {
    const referenceData = await referenceDataOf(context, rows);
    return rows.flatMap(({ id }) => {
      const pipeline = referenceData.pipelines.get(id);
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
};

export const listPipelines = reads('pipelines.list', (context, { query }) =>
  listOf(context, query, 'pipelines.list', pipelines),
);
export const getPipeline = reads('pipelines.get', (context, { path }) => oneOf(context, path.id, pipelines));

const leadOrigins = namedLookup({ table: 'lead_origins', archives: true });

export const listLeadOrigins = reads('lead-origins.list', (context, { query }) =>
  listOf(context, query, 'lead-origins.list', leadOrigins),
);
export const getLeadOrigin = reads('lead-origins.get', (context, { path }) =>
  oneOf(context, path.id, leadOrigins),
);

const lostReasons = namedLookup({ table: 'lost_reasons', archives: true });

export const listLostReasons = reads('lost-reasons.list', (context, { query }) =>
  listOf(context, query, 'lost-reasons.list', lostReasons),
);
export const getLostReason = reads('lost-reasons.get', (context, { path }) =>
  oneOf(context, path.id, lostReasons),
);

interface TagRow extends NamedRow {
  color: string | null;
}

const tags = namedLookup<TagRow>({ table: 'tags', columns: ['color'], archives: false });

export const listTags = reads('tags.list', (context, { query }) => listOf(context, query, 'tags.list', tags));
export const getTag = reads('tags.get', (context, { path }) => oneOf(context, path.id, tags));

interface CustomFieldRow extends NamedRow {
  description: string | null;
  required: boolean;
  type: 'text' | 'number' | 'date' | 'checkbox' | 'choice';
  choices: string[] | null;
  group_id: string | null;
  group_name: string | null;
}

const customFields = {
  alias: 'f',
  selected: ({ sql }: Reading, sortValue: Fragment) => sql`
    select f.id, f.name, f.description, f.required, f.type, f.choices, f.group_id, g.name as group_name,
           ${sortValue} as sort_value
    from custom_fields f
    left join custom_field_groups g on g.organization_id = f.organization_id and g.id = f.group_id`,
  filters: ({ sql }: Reading) => ({ q: (text: string) => contains(sql, text, 'f.name') }),
  items: (rows: CustomFieldRow[]) =>
    rows.map(({ id, name, description, required, type, choices, group_id, group_name }) => ({
      id,
      name,
      description,
      required,
      // A choice is a text to whoever knows the four types of the dated version alone.
      type: type === 'choice' ? ('text' as const) : type,
      kind: type,
      choices: type === 'choice' ? (choices ?? []) : [],
      group: group_id !== null && group_name !== null ? { id: group_id, name: group_name } : null,
    })),
};

export const listCustomFields = reads('custom-fields.list', (context, { query }) =>
  listOf(context, query, 'custom-fields.list', customFields),
);
export const getCustomField = reads('custom-fields.get', (context, { path }) =>
  oneOf(context, path.id, customFields),
);

const activityTypes = namedLookup({ table: 'activity_types', archives: true });

export const listActivityTypes = reads('activity-types.list', (context, { query }) =>
  listOf(context, query, 'activity-types.list', activityTypes),
);
export const getActivityType = reads('activity-types.get', (context, { path }) =>
  oneOf(context, path.id, activityTypes),
);

const projects = {
  alias: 'p',
  selected: ({ sql, organization }: Reading, sortValue: Fragment) => sql`
    select p.id, (select directory_version from organizations where id = ${organization}) as directory_version,
           ${sortValue} as sort_value
    from projects p`,
  filters: ({ sql }: Reading) => ({ q: (text: string) => contains(sql, text, 'p.name') }),
  offered: ({ sql }: Reading) => sql`p.archived_at is null`,
  items: async (rows: VersionedRow[], context: Reading) => {
    const referenceData = await referenceDataOf(context, rows);
    return rows.flatMap(({ id }) => {
      const project = referenceData.projects.get(id);
      if (!project) return [];
      const stages = project.stages.map((stage) => ({
        id: stage.id,
        name: stage.name,
        category: stage.category,
      }));
      return [{ id, name: project.name, status: project.status, stages }];
    });
  },
};

export const listProjects = reads('projects.list', (context, { query }) =>
  listOf(context, query, 'projects.list', projects),
);
export const getProject = reads('projects.get', (context, { path }) => oneOf(context, path.id, projects));

interface BookingServiceRow extends NamedRow {
  duration_minutes: number;
  price: number | null;
  currency: string;
}

const bookingServices = namedLookup<BookingServiceRow>({
  table: 'booking_services',
  columns: ['duration_minutes', 'price', 'currency'],
  archives: true,
});

export const listBookingServices = reads('booking-services.list', (context, { query }) =>
  listOf(context, query, 'booking-services.list', bookingServices),
);
export const getBookingService = reads('booking-services.get', (context, { path }) =>
  oneOf(context, path.id, bookingServices),
);

interface BookingStaffRow extends NamedRow {
  email: string | null;
}

const bookingStaff = namedLookup<BookingStaffRow>({
  table: 'booking_staff',
  columns: ['email'],
  archives: true,
});

export const listBookingStaff = reads('booking-staff.list', (context, { query }) =>
  listOf(context, query, 'booking-staff.list', bookingStaff),
);
export const getBookingStaffMember = reads('booking-staff.get', (context, { path }) =>
  oneOf(context, path.id, bookingStaff),
);

interface CategoryRow extends NamedRow {
  product_count: number;
}

/**
 * The categories that products have. A category is an id that products share and nothing else, so it came with the
 * first of them, changes with each, and is told by their names.
 */
const productCategories = {
  alias: 'x',
  selected: ({ sql, organization }: Reading, sortValue: Fragment) => sql`
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
    ) x`,
  filters: ({ sql }: Reading) => ({ q: (text: string) => contains(sql, text, 'x.searched') }),
  items: (rows: CategoryRow[]) => rows.map(({ id, name, product_count }) => ({ id, name, product_count })),
};

export const listProductCategories = reads('product-categories.list', (context, { query }) =>
  listOf(context, query, 'product-categories.list', productCategories),
);
export const getProductCategory = reads('product-categories.get', (context, { path }) =>
  oneOf(context, path.id, productCategories),
);

interface UserRow extends NamedRow {
  email: string;
}

/** Active users are offered: somebody who left cannot be chosen for a record, though records still show the name. */
const users: Lookup<InputOf<'users.list'>['query'], UserRow, Omit<UserRow, 'sort_value'>> = {
  alias: 'm',
  selected: ({ sql }, sortValue) => sql`
    select m.id, m.name, u.email, ${sortValue} as sort_value from memberships m join users u on u.id = m.person_id`,
  filters: ({ sql }) => ({
    q: (text) => contains(sql, text, 'm.name', 'u.email'),
    email: (email) => sql`comparison_form(u.email) = comparison_form(${email})`,
  }),
  offered: ({ sql }) => sql`m.active`,
  items: (rows) => rows.map(({ id, name, email }) => ({ id, name, email })),
};

export const listUsers = reads('users.list', (context, { query }) =>
  listOf(context, query, 'users.list', users),
);
export const getUser = reads('users.get', (context, { path }) => oneOf(context, path.id, users));
