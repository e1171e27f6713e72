import type { Hono } from 'hono';
import type { ConsoleEnvironment } from '../context.ts';
import { accountRoutes } from './account-routes.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { settingsLookupRoutes } from './lookups/routes.ts';
import { memberAccessRoutes } from './member-access-routes.ts';
import { memberRoutes } from './member-routes.ts';
import { membersRoutes } from './members-routes.ts';
import { notificationRoutes } from './notification-routes.ts';
import { organizationRoutes } from './organization-routes.ts';
import { roleRoutes } from './role-routes.ts';

/** The organization, its people and what they may do, its lists to choose from; everybody's own account. */
export function settingsRoutes(app: Hono<ConsoleEnvironment>): void {
  organizationRoutes(app);
  membersRoutes(app);
  invitationRoutes(app);
  memberRoutes(app);
  memberAccessRoutes(app);
  roleRoutes(app);
  notificationRoutes(app);
  settingsLookupRoutes(app);
  accountRoutes(app);
}
