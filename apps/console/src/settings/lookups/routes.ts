import type { Hono } from 'hono';
import type { ConsoleEnvironment } from '../../context.ts';
import { lookupEditRoutes } from './edit-routes.ts';
import { lookupPages } from './lookup-pages.ts';
import { lookupRemoveRoutes } from './remove-routes.ts';

/** What can be chosen in records: owners edit it here. */
export function settingsLookupRoutes(app: Hono<ConsoleEnvironment>): void {
  lookupEditRoutes(app);
  lookupRemoveRoutes(app);
  lookupPages(app);
}
