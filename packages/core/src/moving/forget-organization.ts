import { quoted } from '../backup/tables.ts';
import { connect, type Database } from '../database/connect.ts';
import { removeMailsOf } from '../mails/mail-jobs.ts';
import { forgottenAtOnce, noLimits } from '../operating-limits.ts';
import { OperatorError } from '../operator.ts';
import { movingConnection, takeFenceAway } from './fence.ts';
import { isRowOf, movedTables } from './moved-tables.ts';

/** What was removed, by tables. */
export interface ForgottenOrganization {
  readonly organization: string;
  readonly rows: Readonly<Record<string, number>>;
  /** People who belong to no other organization. */
  readonly people: number;
}

/**
 * Removes what is left of an organization that has moved, in batches, while everything else goes on. Ended half-way, it goes on when
 * it is run again. Raises OperatorError for one that has not moved, or of which that is not certain.
 *
 * @param url of the role that owns the tables
 */
export async function forgetOrganization(url: string, slug: string): Promise<ForgottenOrganization> {
  const sql = connect(url, { connections: 1, name: movingConnection, limits: noLimits });
  try {
    const [found] = await sql<{ id: string; moved: boolean; ended: boolean }[]>`
      select id, moved_at is not null as moved, move_ended_at is not null as ended from organizations where slug = ${slug}`;
    if (!found)
      throw new OperatorError(`There is no organization "${slug}"`, { help: { shown: 'organizations' } });
    if (!found.moved) throw new OperatorError(`"${slug}" has not moved: nothing of it is forgotten`);
    if (!found.ended) {
      throw new OperatorError(
        `It is not certain that "${slug}" has arrived: run its move again, which finds out`,
      );
    }
    return { organization: slug, ...(await removeAll(sql, found.id)) };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function removeAll(
  sql: Database,
  organization: string,
): Promise<Omit<ForgottenOrganization, 'organization'>> {
  await removeMailsOf(sql, organization);
  const people = await peopleOfNoOther(sql, organization);
  const tables = (await movedTables(sql)).reverse();
  const rows: [string, number][] = [];
  for (const table of tables.filter(({ name }) => name !== 'organizations')) {
    const name = quoted(table.name);
    let removed = 0;
    for (let count = forgottenAtOnce; count >= forgottenAtOnce; removed += count) {
      ({ count } = await sql.unsafe(
        `delete from ${name} where ctid = any(array(
           select ctid from ${name} where ${isRowOf(table, organization)} limit ${forgottenAtOnce}))`,
      ));
    }
    if (removed > 0) rows.push([table.name, removed]);
  }
  const gone = await sql`
    delete from users u
    where id = any(${people}::uuid[]) and not exists (select from memberships m where m.person_id = u.id)`;
  await takeFenceAway(sql, organization);
  await sql`delete from organizations where id = ${organization}`;
  return { rows: Object.fromEntries(rows), people: gone.count };
}

async function peopleOfNoOther(sql: Database, organization: string): Promise<string[]> {
  const rows = await sql<{ person_id: string }[]>`
    select m.person_id from memberships m where m.organization_id = ${organization}
      and not exists (select from memberships other
                      where other.person_id = m.person_id and other.organization_id <> ${organization})`;
  return rows.map(({ person_id }) => person_id);
}
