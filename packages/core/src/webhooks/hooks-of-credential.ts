import type { Credential } from '../credentials/credential.ts';
import type { Fragment, Statements } from '../database/connect.ts';

/** The REST hooks that a key or connection made; it sees no others. */
export const hooksOfCredential = (sql: Statements, { kind, id, organization }: Credential): Fragment =>
  kind === 'oauth'
    ? sql`organization_id = ${organization.id} and oauth_connection_id = ${id}`
    : sql`organization_id = ${organization.id} and api_key_id = ${id}`;
