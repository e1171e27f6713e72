import type { Permission } from '@dealkeep/contract';
import { reachOn, requireReach } from '@dealkeep/core';
import { type ConsoleContext, sessionOf } from '../context.ts';

interface Needing {
  readonly permissions: readonly Permission[];
}

/** Whether the person's role permits something with a resource; what it does not is not offered. */
export const isPermitted = (c: ConsoleContext, resource: string, { permissions }: Needing): boolean =>
  reachOn(sessionOf(c), resource, permissions) !== undefined;

/** Refuses a page before it shows anything. Raises ROLE_PERMISSION_MISSING or ROLE_SCOPE_LIMITED. */
export function requirePermitted(c: ConsoleContext, resource: string, { permissions }: Needing): void {
  requireReach(sessionOf(c), resource, permissions);
}
