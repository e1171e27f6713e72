import { randomUUIDv7 } from 'node:crypto';
import { countryCodes, currencyCodes, isTimeZone, limits } from '@dealkeep/contract';
import type { Clock } from '../clock.ts';
import { effectiveEverywhere } from '../credentials/revocation.ts';
import type { Database, Statements, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { OperatorError } from '../operator-error.ts';
import { operatorName } from '../operator-name.ts';
import { insertDefaults } from './default-lists.ts';
import { isKnownTimeZone } from './known-time-zone.ts';
import { changeOrganization, type Organization, readOrganizations } from './organization-rows.ts';

/** What an operator says of the business itself. */
export interface OrganizationFacts {
  name?: string | undefined;
  country?: string | undefined;
  currency?: string | undefined;
  timeZone?: string | undefined;
}

export interface NewOrganization extends OrganizationFacts {
  name: string;
  slug: string;
}

/** Makes an organization with a default pipeline, lost reasons, lead origins and activity types. Raises OperatorError. */
export async function createOrganization(
  { sql, clock }: { sql: Database | Transaction; clock: Clock },
  { slug, country = 'SK', currency = 'EUR', timeZone = 'Europe/Bratislava', ...given }: NewOrganization,
): Promise<{ id: string; slug: string }> {
  const { name } = given;
  const facts = await checkFacts(sql, { name, country, currency, timeZone });
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) || slug.length > 63) {
    throw new OperatorError(`--slug takes lower-case letters, digits and single hyphens, not "${slug}"`);
  }
  const id = randomUUIDv7();
  const now = clock.now().toISOString();
  const limited = { max_webhooks: limits.webhooksPerOrganization, max_keys: limits.keysPerOrganization };
  await inTransaction(sql, async (tx) => {
    const [made] = await tx`
      insert into organizations ${tx({ id, slug, ...facts, ...limited, created_at: now })}
      on conflict (slug) do nothing returning id`;
    if (!made) throw new OperatorError(`There is already an organization with the slug "${slug}"`);
    await insertDefaults(tx, id, now);
  });
  return { id, slug };
}

export interface OrganizationChanges extends OrganizationFacts {
  subscription?: 'active' | 'lapsed' | undefined;
  requestsPerMinute?: number | undefined;
  orgRequestsPerMinute?: number | undefined;
  maxWebhooks?: number | undefined;
  maxKeys?: number | undefined;
}

/** Changes what is given. Raises OperatorError. */
export async function updateOrganization(
  sql: Database,
  slug: string,
  changes: OrganizationChanges,
): Promise<Organization> {
  const facts = await checkFacts(sql, changes);
  const { id } = await findOrganization(sql, slug);
  const columns = {
    ...facts,
    subscription: changes.subscription,
    requests_per_minute: changes.requestsPerMinute,
    org_requests_per_minute: changes.orgRequestsPerMinute,
    max_webhooks: changes.maxWebhooks,
    max_keys: changes.maxKeys,
  };
  const change = inTransaction(sql, (tx) => changeOrganization(tx, id, columns));
  return changes.subscription === undefined ? change : effectiveEverywhere(change);
}

/** The facts as columns; absent ones are left out. Raises OperatorError. */
async function checkFacts(sql: Statements, { name, country, currency, timeZone }: OrganizationFacts) {
  if (country !== undefined && !countryCodes.some((code) => code === country)) {
    throw new OperatorError(`--country takes a two-letter code (ISO 3166-1) such as SK, not "${country}"`);
  }
  if (currency !== undefined && !currencyCodes.some((code) => code === currency)) {
    throw new OperatorError(`--currency takes a three-letter code (ISO 4217) such as EUR, not "${currency}"`);
  }
  if (timeZone !== undefined && !(isTimeZone(timeZone) && (await isKnownTimeZone(sql, timeZone)))) {
    throw new OperatorError(`--time-zone takes a name such as Europe/Bratislava, not "${timeZone}"`);
  }
  return {
    ...(name === undefined ? {} : { name: operatorName('--name', name) }),
    ...(country === undefined ? {} : { country_code: country }),
    ...(currency === undefined ? {} : { currency }),
    ...(timeZone === undefined ? {} : { time_zone: timeZone }),
  };
}

export const listOrganizations = (sql: Statements): Promise<Organization[]> => readOrganizations(sql);

export async function findOrganization(sql: Statements, slug: string): Promise<Organization> {
  const [found] = await readOrganizations(sql, sql`where slug = ${slug}`);
  if (!found) {
    throw new OperatorError(`There is no organization "${slug}"; \`dealkeep organizations list\` shows all`);
  }
  return found;
}
