import type { Trigger } from '@activepieces/pieces-framework';
import { triggers as declared } from '@dealkeep/connectors';
import { webhookTrigger } from './webhook-trigger.ts';

/** In the order in which the editor lists them. */
export const triggers: Trigger[] = declared.map(webhookTrigger);
