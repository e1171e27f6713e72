import { type FieldProblem, UpdateOrganization } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Core } from '../core.ts';
import type { Statements } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { invalidFields, notFound } from '../problem.ts';
import { checkInputThroughout, problemsThroughout } from '../verb/check-input.ts';
import type { OrganizationName } from '../verb/transact.ts';
import { isKnownTimeZone } from './known-time-zone.ts';
import { changeOrganization, type Organization, readOrganizations } from './organization-rows.ts';

/** Changes what an owner may of their organization; an absent field stays. Raises VALIDATION_ERROR. */
export async function editOrganization(
  { sql }: Pick<Core, 'sql'>,
  { id }: Pick<OrganizationName, 'id'>,
  input: z.input<typeof UpdateOrganization>,
): Promise<Organization> {
  const columns = await checkInputThroughout(UpdateOrganization, input, ({ part }) =>
    zoneProblems(sql, part),
  );
  const problems = await zoneProblems(sql, columns);
  if (problems.length > 0) throw invalidFields(problems);
  return inTransaction(sql, (tx) => changeOrganization(tx, id, columns));
}

/** What is wrong with changes of an organization, for a form that is refused anyway. */
export const organizationProblems = (
  { sql }: Pick<Core, 'sql'>,
  input: Readonly<Record<string, unknown>>,
): Promise<FieldProblem[]> =>
  problemsThroughout(UpdateOrganization, input, ({ part }) => zoneProblems(sql, part));

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
