import type { Language } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { notFound } from '../problem.ts';
import { ownerRole, type PersonKey } from './person-rows.ts';

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
  /** Null when they never signed in to the console. */
  last_signed_in_at: string | null;
}

/** Everybody of an organization: who is active first, then by name. */
export const listPeople = ({ sql }: Pick<Core, 'sql'>, { id }: { readonly id: string }): Promise<Person[]> =>
  readPeople(sql, sql`u.organization_id = ${id}`);

/** One of them. Raises NOT_FOUND. */
export async function getPerson(sql: Statements, { organization, id }: PersonKey): Promise<Person> {
  const [person] = await readPeople(sql, sql`u.organization_id = ${organization} and u.id = ${id}`);
  if (!person) throw notFound();
  return person;
}

const readPeople = (sql: Statements, which: Fragment): Promise<Person[]> => sql<Person[]>`
  select u.id, u.name, u.email, coalesce(r.name, ${ownerRole}) as role, u.active, u.language, u.last_signed_in_at
  from users u left join roles r on r.organization_id = u.organization_id and r.id = u.role_id
  where ${which} order by u.active desc, u.name collate "und-x-icu", u.id`;
