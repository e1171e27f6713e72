import type { Language } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { notFound } from '../problem.ts';
import { ownerRole, type PersonKey } from '../users/membership-rows.ts';

const day = 24 * 3_600_000;
/** For so long an invitation can be accepted. */
export const invitationDays = 7;
/** For so long it is shown as expired, to be sent again. */
const shownDays = 30;

export const expiryOf = (now: string): string =>
  new Date(Date.parse(now) + invitationDays * day).toISOString();

/** Somebody who is invited, as the owners see them. Moments are RFC 3339 in UTC. */
export interface Invitation {
  id: string;
  email: string;
  /** `owner`, or the name of a role. */
  role: string;
  language: Language | null;
  invited_by: string;
  /** A mail brings the link; else an owner hands it over. */
  by_mail: boolean;
  expires_at: string;
  expired: boolean;
  created_at: string;
}

/** Who is invited to an organization and has not accepted, the latest first. */
export const listInvitations = (
  { sql, clock }: Pick<Core, 'sql' | 'clock'>,
  { id }: { readonly id: string },
): Promise<Invitation[]> => readInvitations(sql, sql`i.organization_id = ${id}`, clock.now().toISOString());

/** One of them. Raises NOT_FOUND. */
export async function getInvitation(
  sql: Statements,
  { organization, id }: PersonKey,
  now: string,
): Promise<Invitation> {
  const which = sql`i.organization_id = ${organization} and i.id = ${id}`;
  const [invitation] = await readInvitations(sql, which, now);
  if (!invitation) throw notFound();
  return invitation;
}

const readInvitations = (sql: Statements, which: Fragment, now: string): Promise<Invitation[]> =>
  sql<Invitation[]>`
    select i.id, i.email, coalesce(r.name, ${ownerRole}) as role, i.language, m.name as invited_by, i.by_mail,
           i.expires_at, i.expires_at <= ${now} as expired, i.created_at
    from invitations i
    join memberships m on m.organization_id = i.organization_id and m.id = i.invited_by
    left join roles r on r.organization_id = i.organization_id and r.id = i.role_id
    where ${which} order by i.created_at desc, i.id desc`;

/** Removes what nobody accepted for long: the address of somebody who does not belong here. */
export async function removeOldInvitations({ sql, clock }: Pick<Core, 'sql' | 'clock'>): Promise<void> {
  const shownSince = new Date(clock.now().getTime() - shownDays * day).toISOString();
  await sql`delete from invitations where expires_at < ${shownSince}`;
}
