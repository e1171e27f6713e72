import type { Hono } from 'hono';
import { idIn } from '../auth/permitted.ts';
import type { ConsoleEnvironment } from '../context.ts';
import { appRoutes } from './app-routes.ts';
import { assistantRoutes } from './assistant-routes.ts';
import { deliveryLogRoutes } from './delivery-log-page.ts';
import { deliveryRoutes } from './delivery-page.ts';
import { developerRoutes } from './developer-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { registeredAssistantRoutes } from './registered-assistant-routes.ts';
import { replayRoutes } from './replay-routes.ts';
import { webhookEditRoutes } from './webhook-edit-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { webhookStepRoutes } from './webhook-step-routes.ts';

/** What connects the organization with other programs. */
export function integrationRoutes(app: Hono<ConsoleEnvironment>): void {
  keyRoutes(app);
  webhookEditRoutes(app);
  webhookRoutes(app);
  webhookStepRoutes(app);
  replayRoutes(app);
  deliveryLogRoutes(app);
  deliveryRoutes(app);
  registeredAssistantRoutes(app);
  appRoutes(app);
  assistantRoutes(app);
  developerRoutes(app);
  // The addresses that stand in mails.
  app.get('/webhooks', (c) => c.redirect('/integrations/webhooks', 303));
  app.get('/webhooks/:id', (c) => c.redirect(`/integrations/webhooks/${idIn(c)}`, 303));
}
