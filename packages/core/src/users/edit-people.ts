import { type FieldProblem, UpdatePerson } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Core } from '../core.ts';
import { effectiveEverywhere } from '../credentials/revocation.ts';
import type { Statements, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { Problem } from '../problem.ts';
import { checkInputThroughout, problemsThroughout } from '../verb/check-input.ts';
import type { OrganizationName } from '../verb/transact.ts';
import {
  changeMembership,
  type MembershipColumns,
  ownerRole,
  type PersonKey,
  roleIdOf,
  roleNameProblems,
} from './membership-rows.ts';
import { getPerson, type Person } from './people.ts';

type Business = Pick<Core, 'sql' | 'clock'>;

/**
 * Changes a person; an absent field stays. A new role counts from their next request on. Raises VALIDATION_ERROR,
 * NOT_FOUND, and CONFLICT where the organization would be left without an active owner.
 */
export async function editPerson(
  core: Business,
  organization: Pick<OrganizationName, 'id'>,
  { id, ...input }: { id: string } & z.input<typeof UpdatePerson>,
): Promise<Person> {
  const person = { organization: organization.id, id };
  const { role, ...changes } = await checkInputThroughout(UpdatePerson, input, ({ part }) =>
    roleProblems(core.sql, person, part.role),
  );
  return change(core, organization, id, async (tx) => ({
    ...changes,
    role_id: role === undefined ? undefined : await roleIdOf(tx, organization.id, role),
  }));
}

/** What is wrong with changes of a person, for a form that is refused anyway. */
export const personProblems = (
  { sql }: Pick<Core, 'sql'>,
  organization: Pick<OrganizationName, 'id'>,
  { id, ...input }: { id: string } & Readonly<Record<string, unknown>>,
): Promise<FieldProblem[]> =>
  problemsThroughout(UpdatePerson, input, ({ part }) =>
    roleProblems(sql, { organization: organization.id, id }, part.role),
  );

/** A role that there is not, or that takes the last active owner from the organization. */
async function roleProblems(
  sql: Statements,
  { organization, id }: PersonKey,
  role: string | undefined,
): Promise<FieldProblem[]> {
  const unknown = await roleNameProblems(sql, organization, role);
  if (unknown.length > 0 || role === undefined || role === ownerRole) return unknown;
  const [other] = await sql`
    select from memberships where organization_id = ${organization} and role_id is null and active and id <> ${id}
    limit 1`;
  return other ? [] : [{ path: 'role', key: 'person.last_owner' }];
}

/**
 * Takes somebody's access to the organization, and to no other: their sessions here and what they connected end, with
 * its REST hooks; their keys are refused and the hooks of these paused until they are active again. Records stay. Raises NOT_FOUND, and CONFLICT for
 * the last active owner.
 */
export const deactivatePerson = (
  core: Business,
  organization: Pick<OrganizationName, 'id'>,
  { id }: { id: string },
): Promise<Person> => effectiveEverywhere(change(core, organization, id, () => ({ active: false })));

/** Gives access again: they can sign in, and their keys work. What they connected stays ended. Raises NOT_FOUND. */
export const activatePerson = (
  core: Business,
  organization: Pick<OrganizationName, 'id'>,
  { id }: { id: string },
): Promise<Person> => effectiveEverywhere(change(core, organization, id, () => ({ active: true })));

type ColumnsOf = (tx: Transaction) => MembershipColumns | Promise<MembershipColumns>;

const change = (
  { sql, clock }: Business,
  { id: organization }: Pick<OrganizationName, 'id'>,
  id: string,
  columnsOf: ColumnsOf,
): Promise<Person> =>
  inTransaction(sql, (tx) => changeIn(tx, { organization, id }, columnsOf, clock.now().toISOString()));

/** One change of a person at a time in an organization, so that an active owner is always left. */
async function changeIn(
  tx: Transaction,
  person: PersonKey,
  columnsOf: ColumnsOf,
  now: string,
): Promise<Person> {
  const { organization } = person;
  await tx`select from organizations where id = ${organization} for no key update`;
  await getPerson(tx, person);
  await changeMembership(tx, person, await columnsOf(tx), now);
  const [owner] = await tx`
    select from memberships where organization_id = ${organization} and role_id is null and active limit 1`;
  if (!owner) throw new Problem('person.last_owner', {}, { about: 'role' });
  return getPerson(tx, person);
}
