import type { Language } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { notFound } from '../problem.ts';
import { ownerRole, type PersonKey } from './membership-rows.ts';

/** Somebody of an organization, as its owners see them. Moments are RFC 3339 in UTC. */
export interface Person {
  id: string;
  name: string;
  email: string;
  /** `owner`, or the name of their role. */
  role: string;
  active: boolean;
  /** Of the mails to them and of the console; null when they chose none. */
  language: Language | null;
  /** When they last came to this organization in the console, or switched to it; null for never. */
  last_signed_in_at: string | null;
}

/** Everybody of an organization: who is active first, then by name. */
export const listPeople = ({ sql }: Pick<Core, 'sql'>, { id }: { readonly id: string }): Promise<Person[]> =>
  readPeople(sql, sql`m.organization_id = ${id}`);

/** One of them. Raises NOT_FOUND. */
export async function getPerson(sql: Statements, { organization, id }: PersonKey): Promise<Person> {
  const [person] = await readPeople(sql, sql`m.organization_id = ${organization} and m.id = ${id}`);
  if (!person) throw notFound();
  return person;
}

const readPeople = (sql: Statements, which: Fragment): Promise<Person[]> => sql<Person[]>`
  select m.id, m.name, u.email, coalesce(r.name, ${ownerRole}) as role, m.active, m.language, m.last_signed_in_at
  from memberships m join users u on u.id = m.person_id
  left join roles r on r.organization_id = m.organization_id and r.id = m.role_id
  where ${which} order by m.active desc, m.name collate "sk-x-icu", m.id`;
