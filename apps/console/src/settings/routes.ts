import type { Hono } from 'hono';
import type { ConsoleEnvironment } from '../context.ts';
import { accountRoutes } from './account-routes.ts';
import { auditRoutes } from './audit/audit-log-page.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { lookupEditRoutes } from './lookups/edit-routes.ts';
import { lookupPages } from './lookups/lookup-pages.ts';
import { lookupRemoveRoutes } from './lookups/remove-routes.ts';
import { memberAccessRoutes } from './member-access.ts';
import { memberRoutes, membersRoutes } from './member-routes.ts';
import { notificationRoutes } from './notification-routes.ts';
import { organizationRoutes } from './organization-routes.ts';
import { roleRoutes } from './role-routes.ts';

/** The organization, its members and what they may do, its lists to choose from; everybody's own account. */
export function settingsRoutes(app: Hono<ConsoleEnvironment>): void {
  organizationRoutes(app);
  membersRoutes(app);
  invitationRoutes(app);
  memberRoutes(app);
  memberAccessRoutes(app);
  roleRoutes(app);
  notificationRoutes(app);
  settingsLookupRoutes(app);
  auditRoutes(app);
  accountRoutes(app);
}

/** What can be chosen in records: owners edit it here. */
function settingsLookupRoutes(app: Hono<ConsoleEnvironment>): void {
  lookupEditRoutes(app);
  lookupRemoveRoutes(app);
  lookupPages(app);
}
