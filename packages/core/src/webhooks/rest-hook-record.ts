import type { RestHook } from '@dealkeep/contract';
import type { Fragment, Statements } from '../database/connect.ts';

/** REST hooks as GET answers them; hand-made webhooks are never among them. */
export const restHooks = (sql: Statements, rest: Fragment) => sql<RestHook[]>`
  select id, target_url, events, name, created_at from webhooks where api_key_id is not null and ${rest}`;
