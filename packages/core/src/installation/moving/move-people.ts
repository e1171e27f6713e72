import { randomUUIDv7 } from 'node:crypto';
import type { Statements } from '../../foundations/database/connect.ts';

interface Person {
  id: string;
  /** As PostgreSQL compares it. */
  address: string;
  email_verified: boolean;
  password_hash: string;
}

/** What became of the people of an organization. */
export interface MovedPeople {
  /** People who were not there before. */
  readonly moved: number;
  /** Of those, people whose address somebody signs in with there: two accounts, each with its own password. */
  readonly apart: number;
  /** The same account, which came with another organization before. */
  readonly known: number;
}

/**
 * Brings the members of an organization, and answers in the table `moved_people` which account each has there.
 * Nobody gets into an account by it that they cannot sign in to already: two accounts of one address stay two, since
 * an address that is verified in one place proves nothing in the other. An account is the same only where id,
 * address and password are.
 */
export async function movePeople(
  from: Statements,
  into: Statements,
  organization: string,
): Promise<MovedPeople> {
  const people = await from<(Person & { row: object })[]>`
    select u.id, comparison_form(u.email) as address, u.email_verified, u.password_hash, to_jsonb(u) as row from users u
    where u.id in (select person_id from memberships where organization_id = ${organization})`;
  const there = await into<Person[]>`
    select id, comparison_form(email) as address, email_verified, password_hash from users
    where id = any(${people.map(({ id }) => id)}::uuid[])
       or (email_verified and comparison_form(email) = any(${people.map(({ address }) => address)}::text[]))`;
  await into`create temporary table moved_people (former uuid primary key, person uuid not null) on commit drop`;
  const rows: object[] = [];
  const pairs: { former: string; person: string }[] = [];
  let apart = 0;
  for (const { row, ...person } of people) {
    const same = there.find(({ id }) => id === person.id);
    if (same && isSameAccount(same, person)) {
      pairs.push({ former: person.id, person: same.id });
      continue;
    }
    const id = same ? randomUUIDv7() : person.id;
    const taken = there.some((each) => each.email_verified && each.address === person.address);
    if (taken) apart += 1;
    rows.push({ ...row, id, email_verified: person.email_verified && !taken });
    pairs.push({ former: person.id, person: id });
  }
  await into`
    insert into users select * from jsonb_populate_recordset(null::users, ${JSON.stringify(rows)}::text::jsonb)`;
  await into`
    insert into moved_people
    select * from unnest(${pairs.map(({ former }) => former)}::uuid[], ${pairs.map(({ person }) => person)}::uuid[])`;
  return { moved: rows.length, apart, known: pairs.length - rows.length };
}

const isSameAccount = (one: Person, other: Person): boolean =>
  one.address === other.address && one.password_hash === other.password_hash;
