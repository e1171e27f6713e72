import type { Hono } from 'hono';
import type { ConsoleEnvironment } from '../context.ts';
import { accountRoutes } from './account-routes.ts';
import { organizationRoutes } from './organization-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { personRoutes } from './person-routes.ts';

/** The organization, its people and what they may do; everybody's own account. */
export function settingsRoutes(app: Hono<ConsoleEnvironment>): void {
  organizationRoutes(app);
  peopleRoutes(app);
  personRoutes(app);
  accountRoutes(app);
}
