import type { Hono } from 'hono';
import type { ConsoleEnvironment } from '../../context.ts';
import { listEditRoutes } from './edit-routes.ts';
import { listPages } from './list-page.ts';
import { listRemoveRoutes } from './remove-routes.ts';

/** What can be chosen in records: owners edit it here. */
export function settingsListRoutes(app: Hono<ConsoleEnvironment>): void {
  listEditRoutes(app);
  listRemoveRoutes(app);
  listPages(app);
}
