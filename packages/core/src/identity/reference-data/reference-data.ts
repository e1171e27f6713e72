import type { countryCodes } from '@dealkeep/contract';
import { LRUCache } from 'lru-cache';
import type { Statements } from '../../foundations/database/connect.ts';
import { oneServer, type Placement } from '../../foundations/database/placement.ts';
import { rememberedReferenceData } from '../../foundations/operating-limits.ts';

type CountryCode = (typeof countryCodes)[number];

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** An entry that records keep when it is archived. */
interface Kept extends Named {
  readonly archived: boolean;
}

export interface Stage extends Named {
  readonly pipeline_id: string;
  readonly color: string | null;
  readonly kind: 'open' | 'won' | 'lost';
  readonly probability: number;
}

interface Pipeline extends Named {
  readonly is_default: boolean;
  readonly require_lost_reason: boolean;
  /** In their order. */
  readonly stages: readonly Stage[];
}

interface ProjectStage extends Named {
  readonly project_id: string;
  readonly category: 'to_do' | 'in_progress' | 'done';
}

interface Project extends Kept {
  readonly status: string;
  /** In their order. */
  readonly stages: readonly ProjectStage[];
}

export interface BookingService extends Kept {
  readonly duration_minutes: number;
  readonly price: number | null;
  readonly currency: string;
}

/** A field that the organization has given its companies. */
export interface CustomField extends Named {
  readonly kind: 'text' | 'number' | 'date' | 'checkbox' | 'choice';
  readonly required: boolean;
  /** Of a choice: what it takes. */
  readonly choices: readonly string[];
}

interface Member extends Named {
  readonly email: string;
  readonly active: boolean;
}

/**
 * The small tables of one organization as of one version: what records refer to by id. Kept in memory by every
 * process, because joining them for each listed row is what made lists slow.
 */
export interface ReferenceData {
  readonly version: number;
  readonly users: ReadonlyMap<string, Member>;
  readonly pipelines: ReadonlyMap<string, Pipeline>;
  readonly stages: ReadonlyMap<string, Stage>;
  readonly origins: ReadonlyMap<string, Kept>;
  readonly lostReasons: ReadonlyMap<string, Kept>;
  readonly tags: ReadonlyMap<string, Named>;
  readonly customFields: ReadonlyMap<string, CustomField>;
  readonly activityTypes: ReadonlyMap<string, Kept>;
  readonly projects: ReadonlyMap<string, Project>;
  readonly projectStages: ReadonlyMap<string, ProjectStage>;
  readonly bookingServices: ReadonlyMap<string, BookingService>;
  readonly bookingStaff: ReadonlyMap<string, Kept>;
  readonly country: CountryCode;
  readonly currency: string;
  readonly timeZone: string;
  /** Whether a tag is made that a program gives a record and that does not exist. */
  readonly makesTags: boolean;
}

interface Row {
  version: number;
  users: Member[] | null;
  pipelines: Omit<Pipeline, 'stages'>[] | null;
  stages: Stage[] | null;
  origins: Kept[] | null;
  lost_reasons: Kept[] | null;
  tags: Named[] | null;
  custom_fields: CustomField[] | null;
  activity_types: Kept[] | null;
  projects: Omit<Project, 'stages'>[] | null;
  project_stages: ProjectStage[] | null;
  booking_services: BookingService[] | null;
  booking_staff: Kept[] | null;
  country_code: CountryCode;
  currency: string;
  time_zone: string;
  makes_tags: boolean;
}

const byId = <Item extends { id: string }>(items: readonly Item[] | null): Map<string, Item> =>
  new Map(items?.map((item) => [item.id, item]));

/** One statement, so that tables and version come from one snapshot. */
export async function readReferenceData(sql: Statements, organization: string): Promise<ReferenceData> {
  const [row] = await sql<Row[]>`
    select own.*,
      (select json_agg(json_build_object('id', id, 'name', name, 'is_default', is_default,
                                         'require_lost_reason', require_lost_reason) order by created_at, id)
       from pipelines where organization_id = ${organization}) as pipelines,
      (select json_agg(json_build_object('id', id, 'pipeline_id', pipeline_id, 'name', name, 'color', color,
                                         'kind', kind, 'probability', probability) order by position, id)
       from stages where organization_id = ${organization}) as stages,
      (select json_agg(json_build_object('id', id, 'name', name, 'archived', archived_at is not null)) from lead_origins
       where organization_id = ${organization}) as origins,
      (select json_agg(json_build_object('id', id, 'name', name, 'archived', archived_at is not null)) from lost_reasons
       where organization_id = ${organization}) as lost_reasons,
      (select json_agg(json_build_object('id', id, 'name', name)) from tags
       where organization_id = ${organization}) as tags,
      (select json_agg(json_build_object('id', id, 'name', name, 'kind', type, 'required', required,
                                         'choices', coalesce(choices, '{}')) order by name)
       from custom_fields where organization_id = ${organization}) as custom_fields,
      (select json_agg(json_build_object('id', id, 'name', name, 'archived', archived_at is not null))
       from activity_types where organization_id = ${organization}) as activity_types,
      (select json_agg(json_build_object('id', id, 'name', name, 'status', status,
                                         'archived', archived_at is not null) order by created_at, id)
       from projects where organization_id = ${organization}) as projects,
      (select json_agg(json_build_object('id', id, 'project_id', project_id, 'name', name, 'category', category)
                       order by position, id)
       from project_stages where organization_id = ${organization}) as project_stages,
      (select json_agg(json_build_object('id', id, 'name', name, 'duration_minutes', duration_minutes,
                                         'price', price, 'currency', currency,
                                         'archived', archived_at is not null))
       from booking_services where organization_id = ${organization}) as booking_services,
      (select json_agg(json_build_object('id', id, 'name', name, 'archived', archived_at is not null))
       from booking_staff where organization_id = ${organization}) as booking_staff
    from (select o.directory_version as version, o.country_code, o.currency, o.time_zone, o.makes_tags,
                 (select json_agg(json_build_object('id', m.id, 'name', m.name, 'email', u.email, 'active', m.active)
                                  order by m.created_at)
                  from memberships m join users u on u.id = m.person_id
                  where m.organization_id = ${organization}) as users
          from organizations o where o.id = ${organization}) as own`;
  if (!row) throw new Error(`There is no organization ${organization}`);
  const stages = row.stages ?? [];
  const stagesOf = Map.groupBy(stages, (stage) => stage.pipeline_id);
  const pipelines = row.pipelines?.map((each) => ({ ...each, stages: stagesOf.get(each.id) ?? [] })) ?? [];
  const projectStages = row.project_stages ?? [];
  const stagesOfProject = Map.groupBy(projectStages, (stage) => stage.project_id);
  const projects =
    row.projects?.map((each) => ({ ...each, stages: stagesOfProject.get(each.id) ?? [] })) ?? [];
  return {
    version: row.version,
    users: byId(row.users),
    pipelines: byId(pipelines),
    stages: byId(stages),
    origins: byId(row.origins),
    lostReasons: byId(row.lost_reasons),
    tags: byId(row.tags),
    customFields: byId(row.custom_fields),
    activityTypes: byId(row.activity_types),
    projects: byId(projects),
    projectStages: byId(projectStages),
    bookingServices: byId(row.booking_services),
    bookingStaff: byId(row.booking_staff),
    country: row.country_code,
    currency: row.currency,
    timeZone: row.time_zone,
    makesTags: row.makes_tags,
  };
}

/** Whether a record can be given the entry; one that is archived stays with the record that has it already. */
export function canChoose(items: ReadonlyMap<string, Kept>, id: string, had: string | null = null): boolean {
  const item = items.get(id);
  return item !== undefined && (!item.archived || id === had);
}

/**
 * To be called in every transaction that changes one of the small tables. Such a transaction reads no record after
 * its first change: that would put reference data into memory that is wrong once the transaction is rolled back.
 */
export async function touchReferenceData(sql: Statements, organization: string): Promise<void> {
  await sql`update organizations set directory_version = directory_version + 1 where id = ${organization}`;
}

/**
 * The version of the tables that can be seen on all servers; undefined for a moment, in which a change of them is
 * ended on the first server and not on theirs yet: its transaction holds the lock of its number until then.
 */
async function settledVersion(sql: Statements, organization: string): Promise<number | undefined> {
  const [row] = await sql<{ version: number }[]>`
    select directory_version as version from organizations o
    where id = ${organization} and not exists (
      select 1 from pg_locks
      where locktype = 'transactionid' and mode = 'ExclusiveLock' and granted and transactionid = o.xmin
        and pid <> pg_backend_pid())`;
  return row?.version;
}

/**
 * The reference data where records stand apart: read again until it is of a version that can be seen on all servers.
 */
async function readSettledReferenceData(sql: Statements, organization: string): Promise<ReferenceData> {
  for (;;) {
    const settled = await settledVersion(sql, organization);
    const referenceData = await readReferenceData(sql, organization);
    if (referenceData.version === settled) return referenceData;
  }
}

/**
 * Reference data by organization. Never stale: every statement that reads records also reads the organization's
 * `directory_version`, and reference data of another version is read again.
 */
export class ReferenceDataCache {
  readonly #referenceDataCache = new LRUCache<string, ReferenceData>({ max: rememberedReferenceData });
  readonly #read: typeof readReferenceData;

  constructor({ placement = oneServer }: { readonly placement?: Placement } = {}) {
    this.#read = placement.choose({ together: readReferenceData, apart: readSettledReferenceData });
  }

  /** The reference data at a version that a statement has just seen, or a newer one. */
  async at(sql: Statements, organization: string, version: number): Promise<ReferenceData> {
    const known = this.#referenceDataCache.get(organization);
    return known && known.version >= version ? known : this.#renewed(sql, organization);
  }

  /** What was last known, if anything. */
  known(organization: string): ReferenceData | undefined {
    return this.#referenceDataCache.get(organization);
  }

  /**
   * The current reference data; also when its version is an older one, as after a fail-over that lost the newest
   * commits.
   */
  async current(sql: Statements, organization: string): Promise<ReferenceData> {
    const [row] = await sql<{ directory_version: number }[]>`
      select directory_version from organizations where id = ${organization}`;
    if (!row) throw new Error(`There is no organization ${organization}`);
    const known = this.#referenceDataCache.get(organization);
    return known?.version === row.directory_version ? known : this.#renewed(sql, organization);
  }

  async #renewed(sql: Statements, organization: string): Promise<ReferenceData> {
    const referenceData = await this.#read(sql, organization);
    this.#referenceDataCache.set(organization, referenceData);
    return referenceData;
  }
}

/** The Ref of an id, null for none. */
export function named(items: ReadonlyMap<string, Named>, id: string | null): Named | null {
  const item = id === null ? undefined : items.get(id);
  return item ? { id: item.id, name: item.name } : null;
}

/**
 * The Ref of a record whose name was read along with its id, null for none; a lead without a name has an empty one.
 */
export const reference = (id: string | null, name: string | null): Named | null =>
  id === null ? null : { id, name: name ?? '' };
