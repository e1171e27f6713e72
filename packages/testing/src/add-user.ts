import type { Language } from '@dealkeep/contract';
import { createRole, createUser } from '@dealkeep/core/accounts';
import { ownerPasswordHash, type TestDealkeep, type TestOrganization } from './start-dealkeep.ts';

interface AddedUser {
  id: string;
  email: string;
  /** The name of their role. */
  role: string;
}

/**
 * Adds a user to an organization, who signs in with the password of its owner; its hash is as little work as theirs.
 *
 * @param role that is there already; one with these permissions (`leads.view=all,tasks.view=all`) when absent
 */
export async function addUser(
  { core, sql }: Pick<TestDealkeep, 'core' | 'sql'>,
  { slug }: Pick<TestOrganization, 'slug'>,
  user: { name?: string; email?: string; language?: Language } & ({ role: string } | { permissions: string }),
): Promise<AddedUser> {
  const unique = crypto.randomUUID();
  const role = 'role' in user ? user.role : `role-${unique}`;
  if ('permissions' in user)
    await createRole(core, { organization: slug, name: role, permissions: user.permissions });
  const { name = 'Eva', email = `${unique}@${slug}.example`, language } = user;
  const { id, known } = await createUser(core, { organization: slug, name, email, role, language });
  if (!known) await sql`update users set password_hash = ${ownerPasswordHash} where id = ${id}`;
  return { id, email, role };
}
