import { randomToken, tokenHash } from '../credentials/token.ts';
import type { Statements } from '../database/connect.ts';
import type { PersonKey } from '../users/membership-rows.ts';

/** The path of the console that an invitation is accepted at. */
export const invitationPath = '/invitation';

/** A new link that accepts an invitation, once. Only the hash of its token is kept. */
export async function newInvitationLink(
  sql: Statements,
  { organization, id }: PersonKey,
  origin: string,
): Promise<string> {
  const token = randomToken('dk_inv_');
  await sql`
    insert into invitation_tokens (token_hash, organization_id, invitation_id)
    values (${tokenHash(token)}, ${organization}, ${id})`;
  return `${origin}${invitationPath}?${new URLSearchParams({ token })}`;
}
