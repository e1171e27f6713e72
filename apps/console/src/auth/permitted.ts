import { type Permission, text } from '@dealkeep/contract';
import type { Session } from '@dealkeep/core/accounts';
import { notFound, Problem } from '@dealkeep/core/foundations';
import { reachOn, requireActiveOrganization, requireReach } from '@dealkeep/core/identity';
import * as z from 'zod';
import { type ConsoleContext, sessionOf } from '../context.ts';

interface Needing {
  readonly permissions: readonly Permission[];
  readonly ownersOnly?: true | undefined;
}

/** Whether the user's role permits something with a resource; what it does not is not offered. */
export const isPermitted = (
  c: ConsoleContext,
  resource: string,
  { permissions, ownersOnly }: Needing,
): boolean =>
  (!ownersOnly || sessionOf(c).user.permissions === 'owner') &&
  reachOn(sessionOf(c), resource, permissions) !== undefined;

/** Refuses a page before it shows anything. Raises FORBIDDEN, ROLE_PERMISSION_MISSING or ROLE_SCOPE_LIMITED. */
export function requirePermitted(
  c: ConsoleContext,
  resource: string,
  { permissions, ownersOnly }: Needing,
): void {
  if (ownersOnly) requireOwner(c);
  requireReach(sessionOf(c), resource, permissions);
}

/** The session of an owner. Raises FORBIDDEN for everybody else. */
export function requireOwner(c: ConsoleContext): Session {
  const session = sessionOf(c);
  if (session.user.permissions !== 'owner') throw new Problem('role.owners_only');
  return session;
}

/** The session of an owner, for what needs a subscription. Raises FORBIDDEN and PAYMENT_REQUIRED. */
export function requirePayingOwner(c: ConsoleContext): Session {
  const session = requireOwner(c);
  requireActiveOrganization(session);
  return session;
}

/** An id in the path. Raises NOT_FOUND for what is no UUID. */
export function idIn(c: ConsoleContext, name = 'id'): string {
  const id = z.uuid().safeParse(c.req.param(name));
  if (!id.success) throw notFound();
  return id.data;
}

export const ownerText = text('Owner', 'Vlastník');

/** Owners by their word, everybody else by the name of the role. */
export const roleLabel = (c: ConsoleContext, role: string): string =>
  role === 'owner' ? ownerText[c.get('language')] : role;
