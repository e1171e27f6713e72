import type { RestHook } from '@dealkeep/contract';
import type { Credential } from '../credentials/credential.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { hooksOfCredential } from './hooks-of-credential.ts';

/** REST hooks of a credential as GET answers them; hand-made webhooks are never among them. */
export const restHooks = (sql: Statements, credential: Credential, rest: Fragment) => sql<RestHook[]>`
  select id, target_url, events, name, created_at from webhooks
  where ${hooksOfCredential(sql, credential)} ${rest}`;
