import type { Hono } from 'hono';
import type { ConsoleEnvironment } from '../context.ts';
import { organizationRoutes } from './organization-routes.ts';

/** The organization, its people and what they may do. */
export function settingsRoutes(app: Hono<ConsoleEnvironment>): void {
  organizationRoutes(app);
}
