import { removeMailsOf } from '../../change/queue/mail-jobs.ts';
import type { Database } from '../../foundations/database/connect.ts';
import { quoted } from '../../foundations/database/tables.ts';
import { forgottenAtOnce } from '../../foundations/operating-limits.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { takeFenceAway } from './fence.ts';
import { type MovedAway, onMovedAway } from './moved-away.ts';
import { isRowOf, movedTables } from './moved-tables.ts';

/** What was removed, by tables. */
export interface ForgottenOrganization {
  readonly organization: string;
  readonly rows: Readonly<Record<string, number>>;
  /** People who belong to no other organization. */
  readonly people: number;
}

/**
 * Removes what is left of an organization that has moved, in batches, while everything else goes on. Ended half-way,
 * it goes on when it is run again. Raises OperatorError for one that has not moved, or of which that is not certain,
 * and where the other installation does not have it.
 */
export const forgetOrganization = (moved: MovedAway): Promise<ForgottenOrganization> =>
  onMovedAway(moved, async (sql, { id, slug }, found) => {
    if (found === 'nowhere') {
      throw new OperatorError(
        `The other installation does not have "${slug}": what is left here may be all that there is of it`,
        { help: { taken_back: slug } },
      );
    }
    // From now on it is not whole, and nobody takes it back.
    await sql`update organizations set moved_into = null where id = ${id}`;
    return { organization: slug, ...(await removeAll(sql, id)) };
  });

async function removeAll(
  sql: Database,
  organization: string,
): Promise<Omit<ForgottenOrganization, 'organization'>> {
  await removeMailsOf(sql, organization);
  const tables = (await movedTables(sql)).reverse();
  const rows: [string, number][] = [];
  let people = 0;
  for (const table of tables.filter(({ name }) => name !== 'organizations')) {
    const name = quoted(table.name);
    const someOf = `${name} where ctid = any(array(
      select ctid from ${name} where ${isRowOf(table, organization)} limit ${forgottenAtOnce}))`;
    let removed = 0;
    for (let count = forgottenAtOnce; count >= forgottenAtOnce; removed += count) {
      if (table.name === 'memberships') {
        const gone = await removeMembers(sql, someOf);
        count = gone.members;
        people += gone.people;
      } else ({ count } = await sql.unsafe(`delete from ${someOf}`));
    }
    if (removed > 0) rows.push([table.name, removed]);
  }
  await takeFenceAway(sql, organization);
  await sql`delete from organizations where id = ${organization}`;
  return { rows: Object.fromEntries(rows), people };
}

/** People who belong to nothing else go with their memberships: later, nobody would know whose they were. */
const removeMembers = (sql: Database, someOf: string): Promise<{ members: number; people: number }> =>
  sql.begin(async (tx) => {
    const members = await tx.unsafe<{ person_id: string }[]>(`delete from ${someOf} returning person_id`);
    const people = await tx`
      delete from users u
      where id = any(${members.map(({ person_id }) => person_id)}::uuid[])
        and not exists (select from memberships m where m.person_id = u.id)`;
    return { members: members.length, people: people.count };
  });
