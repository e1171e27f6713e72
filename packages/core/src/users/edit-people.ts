import { randomUUIDv7 } from 'node:crypto';
import { CreatePerson, SetPassword, UpdatePerson } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Core } from '../core.ts';
import { effectiveEverywhere } from '../credentials/revocation.ts';
import type { Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { Problem } from '../problem.ts';
import { addressBucket, forgetAttempts } from '../sessions/sign-in-slowdown.ts';
import { checkInput } from '../verb/check-input.ts';
import { type Once, type OrganizationName, transact } from '../verb/transact.ts';
import { madeUpPassword } from './made-up-password.ts';
import {
  changeMembership,
  insertMembership,
  type MembershipColumns,
  type PersonKey,
  roleIdOf,
} from './membership-rows.ts';
import { hashPassword } from './password.ts';
import { getPerson, type Person } from './people.ts';
import { changePerson, insertPerson } from './person-rows.ts';

type Business = Pick<Core, 'sql' | 'clock'>;

/**
 * Adds a person. Answers the password where it was made up, this once. Raises VALIDATION_ERROR, also for an e-mail
 * address that somebody signs in with already.
 */
export async function addPerson(
  core: Core,
  organization: OrganizationName,
  input: z.input<typeof CreatePerson>,
  once?: Once,
): Promise<{ id: string; madeUp: string | null }> {
  const { name, email, role, language = null, password } = checkInput(CreatePerson, input);
  const madeUp = password == null ? madeUpPassword() : null;
  const passwordHash = await hashPassword(password ?? madeUp ?? '');
  return transact(
    core,
    organization,
    async ({ sql, now }) => {
      const id = randomUUIDv7();
      const roleId = await roleIdOf(sql, organization.id, role);
      await insertPerson(sql, { id, email, verified: false, passwordHash, now });
      const membership = {
        organization: organization.id,
        id,
        person: id,
        name,
        email,
        roleId,
        language,
        now,
      };
      await insertMembership(sql, membership);
      return { id, madeUp };
    },
    once,
  );
}

/**
 * Changes a person; an absent field stays. A new role counts from their next request on. Raises VALIDATION_ERROR,
 * NOT_FOUND, and CONFLICT where the organization would be left without an active owner.
 */
export async function editPerson(
  core: Business,
  organization: Pick<OrganizationName, 'id'>,
  { id, ...input }: { id: string } & z.input<typeof UpdatePerson>,
): Promise<Person> {
  const { role, ...changes } = checkInput(UpdatePerson, input);
  return change(core, organization, id, async (tx) => ({
    ...changes,
    role_id: role === undefined ? undefined : await roleIdOf(tx, organization.id, role),
  }));
}

/**
 * Takes somebody's access: their sessions and what they connected end, with its REST hooks; their keys are refused
 * and the hooks of these paused until they are active again. Their records stay. Raises NOT_FOUND, and CONFLICT for
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

/**
 * Sets somebody's password, which ends their sessions, and lets them sign in at once however often they mistyped it.
 * Answers the password where it was made up, this once. Raises VALIDATION_ERROR and NOT_FOUND.
 */
export async function setPassword(
  core: Core,
  organization: OrganizationName,
  { id, ...input }: { id: string } & z.input<typeof SetPassword>,
  once?: Once,
): Promise<{ madeUp: string | null }> {
  const { password } = checkInput(SetPassword, input);
  const madeUp = password == null ? madeUpPassword() : null;
  const columns = { password_hash: await hashPassword(password ?? madeUp ?? '') };
  return transact(
    core,
    organization,
    async ({ sql, now }) => {
      const { email } = await getPerson(sql, { organization: organization.id, id });
      await changePerson(sql, { id }, columns, now);
      await forgetAttempts({ sql }, await addressBucket({ sql }, email));
      return { madeUp };
    },
    once,
  );
}

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
  if (!owner) throw new Problem('person.last_owner');
  return getPerson(tx, person);
}
