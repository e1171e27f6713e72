import { containsPattern, listPage } from '../lists/list-page.ts';
import { reads } from '../verb/verb.ts';

interface UserRow {
  id: string;
  name: string;
  email: string;
  sort_value: string | null;
}

/** Active people: one who left cannot be chosen, though records still show the name. */
export const listUsers = reads('users.list', (context, { query }) => {
  const { sql } = context;
  return listPage(context, query, {
    id: 'users.list',
    alias: 'm',
    sorts: { name: { column: 'name', type: 'text' } },
    filters: {
      q: (text) => sql`(m.name ilike ${containsPattern(text)} or u.email ilike ${containsPattern(text)})`,
      email: (email) => sql`lower(u.email) = lower(${email})`,
    },
    rows: ({ where, order, sortValue, limit }) => sql<UserRow[]>`
      select m.id, m.name, u.email, ${sortValue} as sort_value from memberships m join users u on u.id = m.person_id
      where ${where} and m.active order by ${order} limit ${limit}`,
    items: (rows) => rows.map(({ id, name, email }) => ({ id, name, email })),
  });
});
