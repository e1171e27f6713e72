import { randomUUIDv7 } from 'node:crypto';
import { countryCodes, limits } from '@dealkeep/contract';
import type { Clock } from '../clock.ts';
import type { Database, Statements, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { OperatorError } from '../operator-error.ts';
import { operatorName } from '../operator-name.ts';
import { insertDefaults } from './default-lists.ts';

export interface Organization {
  id: string;
  name: string;
  slug: string;
  country_code: string;
  currency: string;
  time_zone: string;
  subscription: 'active' | 'lapsed';
  requests_per_minute: number | null;
  org_requests_per_minute: number | null;
  max_webhooks: number;
  max_keys: number;
  created_at: string;
}

export interface NewOrganization {
  name: string;
  slug: string;
  country?: string | undefined;
  currency?: string | undefined;
  timeZone?: string | undefined;
}

/** Makes an organization with a default pipeline, lost reasons, lead origins and activity types. Raises OperatorError. */
export async function createOrganization(
  { sql, clock }: { sql: Database | Transaction; clock: Clock },
  {
    name: givenName,
    slug,
    country = 'SK',
    currency = 'EUR',
    timeZone = 'Europe/Bratislava',
  }: NewOrganization,
): Promise<{ id: string; slug: string }> {
  const name = operatorName('--name', givenName);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) || slug.length > 63) {
    throw new OperatorError(`--slug takes lower-case letters, digits and single hyphens, not "${slug}"`);
  }
  if (!countryCodes.some((code) => code === country)) {
    throw new OperatorError(`--country takes a two-letter code (ISO 3166-1) such as SK, not "${country}"`);
  }
  if (!/^[A-Z]{3}$/.test(currency)) {
    throw new OperatorError(`--currency takes a three-letter code (ISO 4217) such as EUR, not "${currency}"`);
  }
  if (!isTimeZone(timeZone)) {
    throw new OperatorError(`--time-zone takes a name such as Europe/Bratislava, not "${timeZone}"`);
  }
  const id = randomUUIDv7();
  const now = clock.now().toISOString();
  await inTransaction(sql, async (tx) => {
    const [made] = await tx`
      insert into organizations (id, name, slug, country_code, currency, time_zone, max_webhooks, max_keys, created_at)
      values (${id}, ${name}, ${slug}, ${country}, ${currency}, ${timeZone},
              ${limits.webhooksPerOrganization}, ${limits.keysPerOrganization}, ${now})
      on conflict (slug) do nothing returning id`;
    if (!made) throw new OperatorError(`There is already an organization with the slug "${slug}"`);
    await insertDefaults(tx, id, now);
  });
  return { id, slug };
}

/** A named zone. Offsets are refused: JavaScript and PostgreSQL read their signs in opposite ways. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

export interface OrganizationChanges {
  subscription?: 'active' | 'lapsed' | undefined;
  requestsPerMinute?: number | undefined;
  orgRequestsPerMinute?: number | undefined;
  maxWebhooks?: number | undefined;
  maxKeys?: number | undefined;
}

export async function updateOrganization(
  sql: Database,
  slug: string,
  changes: OrganizationChanges,
): Promise<Organization> {
  const [row] = await sql<Organization[]>`
    update organizations set
      subscription = coalesce(${changes.subscription ?? null}, subscription),
      requests_per_minute = coalesce(${changes.requestsPerMinute ?? null}, requests_per_minute),
      org_requests_per_minute = coalesce(${changes.orgRequestsPerMinute ?? null}, org_requests_per_minute),
      max_webhooks = coalesce(${changes.maxWebhooks ?? null}, max_webhooks),
      max_keys = coalesce(${changes.maxKeys ?? null}, max_keys)
    where slug = ${slug}
    returning id, name, slug, country_code, currency, time_zone, subscription, requests_per_minute,
              org_requests_per_minute, max_webhooks, max_keys, created_at`;
  if (!row) throw unknownOrganization(slug);
  return row;
}

export async function listOrganizations(sql: Statements): Promise<Organization[]> {
  return sql<Organization[]>`
    select id, name, slug, country_code, currency, time_zone, subscription, requests_per_minute,
           org_requests_per_minute, max_webhooks, max_keys, created_at
    from organizations order by created_at, id`;
}

export async function findOrganization(sql: Statements, slug: string): Promise<Organization> {
  const found = (await listOrganizations(sql)).find((each) => each.slug === slug);
  if (!found) throw unknownOrganization(slug);
  return found;
}

const unknownOrganization = (slug: string): OperatorError =>
  new OperatorError(`There is no organization "${slug}"; \`dealkeep organizations list\` shows all`);
