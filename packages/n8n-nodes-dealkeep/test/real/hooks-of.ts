import type { Api } from './api.ts';
import { listAt, textAt } from './json.ts';

export interface Hook {
  id: string;
  url: string;
  events: string[];
}

/** The hooks that a key has for the addresses of one trigger, named by its webhook id. */
export async function hooksOf(api: Api, webhookId = ''): Promise<Hook[]> {
  return listAt(await api.call('GET', '/webhooks'), 'data')
    .map((hook) => ({
      id: textAt(hook, 'id'),
      url: textAt(hook, 'target_url'),
      events: listAt(hook, 'events').map(String),
    }))
    .filter(({ url }) => url.includes(webhookId));
}
