import { randomUUIDv7 } from 'node:crypto';
import {
  countryCodes,
  currencyCodes,
  type FieldProblem,
  isTimeZone,
  limits,
  type Organization as OwnersOrganization,
  resources,
  supplierFields,
} from '@dealkeep/contract';
import postgres from 'postgres';
import { addAuditEntries, operator } from '../../change/audit/audit-log.ts';
import { changedValues } from '../../change/audit/changed-values.ts';
import type { Services } from '../../change/services.ts';
import type { OrganizationName } from '../../change/verb/unit-of-work.ts';
import { writes } from '../../change/verb/verb.ts';
import { type Clock, systemClock } from '../../foundations/clock.ts';
import type { Database, Fragment, Statements, Transaction } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { OperatorError, operatorName } from '../../foundations/operator.ts';
import { invalidFields, notFound } from '../../foundations/problem.ts';
import {
  effectiveEverywhere,
  noteRevocation,
  untilEffective,
} from '../../identity/credentials/revocation.ts';
import { touchReferenceData } from '../../identity/reference-data/reference-data.ts';
import { type StorageState, storageStateOf } from '../../identity/tenancy/measure-storage.ts';
import { unknownOrganization } from '../../identity/tenancy/named-organization.ts';
import { insertDefaults } from './default-lookups.ts';

/** What an operator says of the business itself. */
interface OrganizationFacts {
  name?: string | undefined;
  country?: string | undefined;
  currency?: string | undefined;
  timeZone?: string | undefined;
}

interface NewOrganization extends OrganizationFacts {
  name: string;
  slug: string;
  /** What invoices and quotes print of it; its owners add it later otherwise. */
  supplier?: Partial<Pick<Organization, SupplierField>>;
}

/**
 * Makes an organization with a default pipeline, lost reasons, lead origins and activity types. Raises
 * OperatorError.
 */
export async function createOrganization(
  { sql, clock }: { sql: Database | Transaction; clock: Clock },
  {
    slug,
    country = 'SK',
    currency = 'EUR',
    timeZone = 'Europe/Bratislava',
    supplier = {},
    ...given
  }: NewOrganization,
): Promise<{ id: string; slug: string }> {
  const { name } = given;
  const facts = await checkFacts(sql, { name, country, currency, timeZone });
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) || slug.length > 63) {
    throw new OperatorError(`takes lower-case letters, digits and single hyphens, not "${slug}"`, {
      field: 'slug',
    });
  }
  const id = randomUUIDv7();
  const now = clock.now().toISOString();
  const limited = { max_webhooks: limits.webhooksPerOrganization, max_keys: limits.keysPerOrganization };
  await inTransaction(sql, async (tx) => {
    const [made] = await tx`
      insert into organizations ${tx({ id, slug, ...facts, ...supplier, ...limited, created_at: now })}
      on conflict (slug) do nothing returning id`;
    if (!made) throw new OperatorError(`There is already an organization with the slug "${slug}"`);
    await insertDefaults(tx, id, now);
    const what = { operation: 'organizations.create', resource: 'organization' } as const;
    await addAuditEntries(tx, id, now, { ...what, recordId: id, recordName: given.name, by: operator });
  });
  return { id, slug };
}

interface OrganizationChanges extends OrganizationFacts {
  subscription?: 'active' | 'lapsed' | undefined;
  requestsPerMinute?: number | undefined;
  orgRequestsPerMinute?: number | undefined;
  maxWebhooks?: number | undefined;
  maxKeys?: number | undefined;
  maxStorageMb?: number | undefined;
}

/** Changes what is given. Raises OperatorError. */
export async function updateOrganization(
  sql: Database,
  slug: string,
  changes: OrganizationChanges,
  clock: Clock = systemClock,
): Promise<Organization> {
  const facts = await checkFacts(sql, changes);
  const before = await findOrganization(sql, slug);
  const { id } = before;
  const columns = {
    ...facts,
    subscription: changes.subscription,
    requests_per_minute: changes.requestsPerMinute,
    org_requests_per_minute: changes.orgRequestsPerMinute,
    max_webhooks: changes.maxWebhooks,
    max_keys: changes.maxKeys,
    max_storage_mb: changes.maxStorageMb,
  };
  const change = inTransaction(sql, async (tx) => {
    const what = { operation: 'organizations.update', resource: 'organization', recordId: id } as const;
    const detail = { changes: changedValues(before, columns) };
    const entry = { ...what, recordName: before.name, detail, by: operator };
    await addAuditEntries(tx, id, clock.now().toISOString(), entry);
    return changeOrganization(tx, id, columns);
  });
  return changes.subscription === undefined ? change : effectiveEverywhere(change);
}

/** The facts as columns; absent ones are left out. Raises OperatorError. */
async function checkFacts(sql: Statements, { name, country, currency, timeZone }: OrganizationFacts) {
  const countryCode = countryCodes.find((code) => code === country);
  if (country !== undefined && countryCode === undefined) {
    throw new OperatorError(`takes a two-letter code (ISO 3166-1) such as SK, not "${country}"`, {
      field: 'country',
    });
  }
  const currencyCode = currencyCodes.find((code) => code === currency);
  if (currency !== undefined && currencyCode === undefined) {
    throw new OperatorError(`takes a three-letter code (ISO 4217) such as EUR, not "${currency}"`, {
      field: 'currency',
    });
  }
  if (timeZone !== undefined && !(isTimeZone(timeZone) && (await isKnownTimeZone(sql, timeZone)))) {
    throw new OperatorError(`takes a name such as Europe/Bratislava, not "${timeZone}"`, {
      field: 'time_zone',
    });
  }
  return {
    ...(name === undefined ? {} : { name: operatorName(name) }),
    ...(countryCode === undefined ? {} : { country_code: countryCode }),
    ...(currencyCode === undefined ? {} : { currency: currencyCode }),
    ...(timeZone === undefined ? {} : { time_zone: timeZone }),
  };
}

type SupplierField = (typeof supplierFields)[number];

/** All of them, the oldest first, as an operator asks: without what only their papers print. */
export const listOrganizations = (sql: Statements): Promise<Omit<Organization, SupplierField>[]> =>
  readOrganizations(
    sql,
    ownersColumns.filter((column) => !supplierFields.some((field) => field === column)),
  );

export async function findOrganization(sql: Statements, slug: string): Promise<Organization> {
  const [found] = await readOrganizations<Organization>(sql, ownersColumns, sql`where slug = ${slug}`);
  if (!found) throw unknownOrganization(slug);
  return found;
}

/** What its owners change of it, by the contract, and what is the operator's. */
export interface Organization extends OwnersOrganization {
  slug: string;
  subscription: 'active' | 'lapsed';
  requests_per_minute: number | null;
  org_requests_per_minute: number | null;
  max_webhooks: number;
  max_keys: number;
  /** What its rows may take, in millions of bytes; null is as much as is usual here. */
  max_storage_mb: number | null;
  /** What they took when they were last measured; null is never. */
  storage_bytes: number | null;
  /** Null is room. */
  storage_state: StorageState | null;
  /** Since when it is in another installation; null is here. */
  moved_at: string | null;
  /** What is said here of its new address. */
  moved_to: string | null;
  created_at: string;
}

const ownersColumns = Object.keys(resources.organization.schema.shape);

/** Organizations, the oldest first; all of them when nothing is asked for. */
const readOrganizations = <Row extends object>(
  sql: Statements,
  columns: readonly string[],
  where: Fragment = sql``,
): Promise<Row[]> =>
  sql<Row[]>`
    select id, name, slug, ${sql(columns.filter((column) => column !== 'id' && column !== 'name'))}, subscription,
           requests_per_minute, org_requests_per_minute, max_webhooks, max_keys, max_storage_mb,
           storage_bytes, storage_state, moved_at, moved_to, created_at
    from organizations ${where} order by created_at, id`;

type Unchanging = 'id' | 'slug' | 'storage_bytes' | 'storage_state' | 'moved_at' | 'moved_to' | 'created_at';

/** What can change; undefined stays. */
type OrganizationColumns = {
  [Column in Exclude<keyof Organization, Unchanging>]?: Organization[Column] | undefined;
};

/**
 * Changes an organization. Currency and time zone are kept in memory with the small tables, so the version rises: on
 * every process, the next request sees the change (decision 3).
 */
async function changeOrganization(
  sql: Transaction,
  id: string,
  columns: OrganizationColumns,
): Promise<Organization> {
  const given = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length > 0) await sql`update organizations set ${sql(given)} where id = ${id}`;
  // At once, and not when it is measured again.
  if (columns.max_storage_mb !== undefined) {
    await sql`
      update organizations o set storage_state = ${storageStateOf(sql, sql`o.storage_bytes`, undefined)}
      where o.id = ${id}`;
  }
  await touchReferenceData(sql, id);
  if (changesCredentials(columns)) await noteRevocation(sql);
  const [row] = await readOrganizations<Organization>(sql, ownersColumns, sql`where id = ${id}`);
  if (!row) throw new Error(`There is no organization ${id}`);
  return row;
}

/** Whether credentials can do less than before, so that every process must hear of it as of a revocation. */
const changesCredentials = (columns: OrganizationColumns): boolean =>
  [columns.subscription, columns.assistant_access, columns.assistant_tool_sets].some(
    (column) => column !== undefined,
  );

/** What an owner may change of their organization. Raises VALIDATION_ERROR. */
export const editOrganization = writes('organizations.update', {
  // A zone that the database does not know fails a statement, and would fail the transaction.
  async beforeTransaction({ core }, { body }) {
    const problems = await zoneProblems(core.sql, body);
    if (problems.length > 0) throw invalidFields(problems);
  },
  async run({ sql, organization, afterCommit, describe }, { body }) {
    const [before] = await readOrganizations<Organization>(
      sql,
      ownersColumns,
      sql`where id = ${organization}`,
    );
    if (before) describe({ id: organization, name: before.name, before });
    await changeOrganization(sql, organization, body);
    if (changesCredentials(body)) afterCommit(untilEffective);
    return undefined;
  },
});

const zoneProblems = async (
  sql: Statements,
  { time_zone: zone }: { readonly time_zone?: string | undefined },
): Promise<FieldProblem[]> =>
  zone === undefined || (await isKnownTimeZone(sql, zone))
    ? []
    : [{ path: 'time_zone', key: 'field.invalid_time_zone' }];

/** An organization, and how much of its limits it uses. */
export interface OrganizationUse extends Organization {
  keys: number;
  webhooks: number;
  /** What its rows may take, in millions of bytes; null is as much as they want. */
  storage_quota_mb: number | null;
}

/** Raises NOT_FOUND. */
export async function getOrganization(
  { sql, clock, storageQuotaMb }: Pick<Services, 'sql' | 'clock' | 'storageQuotaMb'>,
  { id }: Pick<OrganizationName, 'id'>,
): Promise<OrganizationUse> {
  const [organization] = await readOrganizations<Organization>(sql, ownersColumns, sql`where id = ${id}`);
  if (!organization) throw notFound();
  const [used] = await sql<{ keys: number; webhooks: number }[]>`
    select (select count(*)::integer from api_keys
            where organization_id = ${id} and revoked_at is null
              and (expires_at is null or expires_at > ${clock.now().toISOString()})) as keys,
           (select count(*)::integer from webhooks where organization_id = ${id} and deleted_at is null) as webhooks`;
  const storage_quota_mb = organization.max_storage_mb ?? storageQuotaMb ?? null;
  return { ...organization, keys: used?.keys ?? 0, webhooks: used?.webhooks ?? 0, storage_quota_mb };
}

const invalidParameterValue = '22023';

/**
 * Whether the database knows a zone that JavaScript knows: their tables come from different places, and a statement
 * over all organizations fails when one of them is in a zone that the database does not know.
 */
async function isKnownTimeZone(sql: Statements, name: string): Promise<boolean> {
  try {
    await sql`select now() at time zone ${name}`;
    return true;
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code === invalidParameterValue) return false;
    throw error;
  }
}
