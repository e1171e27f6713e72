import { UpdateOrganization } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Core } from '../core.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { invalidField, notFound } from '../problem.ts';
import { checkInput } from '../verb/check-input.ts';
import type { OrganizationName } from '../verb/transact.ts';
import { isKnownTimeZone } from './known-time-zone.ts';
import { changeOrganization, type Organization, readOrganizations } from './organization-rows.ts';

/** Changes what an owner may of their organization; an absent field stays. Raises VALIDATION_ERROR. */
export async function editOrganization(
  { sql }: Pick<Core, 'sql'>,
  { id }: Pick<OrganizationName, 'id'>,
  input: z.input<typeof UpdateOrganization>,
): Promise<Organization> {
  const columns = checkInput(UpdateOrganization, input);
  if (columns.time_zone !== undefined && !(await isKnownTimeZone(sql, columns.time_zone))) {
    throw invalidField('time_zone', 'field.invalid_time_zone');
  }
  return inTransaction(sql, (tx) => changeOrganization(tx, id, columns));
}

/** An organization, and how much of its limits it uses. */
export interface OrganizationUse extends Organization {
  keys: number;
  webhooks: number;
}

/** Raises NOT_FOUND. */
export async function getOrganization(
  { sql, clock }: Pick<Core, 'sql' | 'clock'>,
  { id }: Pick<OrganizationName, 'id'>,
): Promise<OrganizationUse> {
  const [organization] = await readOrganizations(sql, sql`where id = ${id}`);
  if (!organization) throw notFound();
  const [used] = await sql<{ keys: number; webhooks: number }[]>`
    select (select count(*)::integer from api_keys
            where organization_id = ${id} and revoked_at is null
              and (expires_at is null or expires_at > ${clock.now().toISOString()})) as keys,
           (select count(*)::integer from webhooks where organization_id = ${id}) as webhooks`;
  return { ...organization, keys: used?.keys ?? 0, webhooks: used?.webhooks ?? 0 };
}
