import { checkStanding, notFound, Problem, type Session } from '@dealkeep/core';
import * as z from 'zod';
import { type ConsoleContext, sessionOf } from '../context.ts';

/** The session of an owner. Raises FORBIDDEN for everybody else. */
export function requireOwner(c: ConsoleContext): Session {
  const session = sessionOf(c);
  if (session.user.permissions !== 'owner') throw new Problem('role.owners_only');
  return session;
}

/** The same for what needs a subscription. Raises PAYMENT_REQUIRED, too. */
export function requirePayingOwner(c: ConsoleContext): Session {
  const session = requireOwner(c);
  checkStanding(session);
  return session;
}

/** An id in the path. Raises NOT_FOUND for what is no UUID. */
export function idIn(c: ConsoleContext, name = 'id'): string {
  const id = z.uuid().safeParse(c.req.param(name));
  if (!id.success) throw notFound();
  return id.data;
}
