import { randomUUIDv7 } from 'node:crypto';
import { everyOperation, limits, type OperationDeclaration } from '@dealkeep/contract';
import { type InputOf, type ResultOf, reads, type Writing, writes } from '../../change/verb/verb.ts';
import { breaksConstraint } from '../../foundations/database/failures.ts';
import { lockAll, lockNumber } from '../../foundations/database/in-transaction.ts';
import { invalidField, notFound, Problem } from '../../foundations/problem.ts';
import type { Credential } from '../../identity/credentials/credential.ts';
import { permissionsFor, requireReach } from '../../identity/credentials/reach.ts';

type Kind = InputOf<'views.list'>['query']['kind'];

/** One's own by name, then those that others share. Raises ROLE_PERMISSION_MISSING. */
export const listViews = reads('views.list', async ({ sql, organization, actor }, { query: { kind } }) => {
  requireListed(actor, kind);
  return sql<ResultOf<'views.list'>>`
    select v.id, v.kind, v.name, v.query, v.shared, v.user_id = ${actor.user.id} as own, m.name as made_by
    from saved_views v join (select id, name from memberships where organization_id = ${organization}) m on m.id = v.user_id
    where v.organization_id = ${organization} and v.kind = ${kind} and (v.user_id = ${actor.user.id} or v.shared)
    order by own desc, v.name collate "sk-x-icu", v.id`;
});

/**
 * Raises CONFLICT where there are too many, VALIDATION_ERROR for a name that one has given, ROLE_PERMISSION_MISSING.
 */
export const saveView = writes('views.save', async (context, { body }) => {
  const { sql, organization, actor, now } = context;
  const { kind, name, query, shared } = body;
  requireListed(actor, kind);
  await countedAlone(context);
  await requireRoom(context);
  if (shared) await requireRoomToShare(context, kind);
  const id = randomUUIDv7();
  await named(
    () => sql`
      insert into saved_views (organization_id, id, user_id, kind, name, query, shared, created_at, updated_at)
      values (${organization}, ${id}, ${actor.user.id}, ${kind}, ${name}, ${query}, ${shared}, ${now}, ${now})`,
  );
  return { id };
});

/** Raises NOT_FOUND, FORBIDDEN for what somebody else shares, and what saving one does. */
export const editView = writes('views.edit', async (context, { path, body }) => {
  const { sql, organization, now } = context;
  const { name, query, shared } = body;
  const view = await lockChangeable(context, path.id);
  if (shared && !view.shared) {
    await countedAlone(context);
    await requireRoomToShare(context, view.kind);
  }
  await named(
    () => sql`
      update saved_views
      set name = coalesce(${name ?? null}, name), query = coalesce(${query ?? null}, query),
          shared = coalesce(${shared ?? null}::boolean, shared), updated_at = ${now}
      where organization_id = ${organization} and id = ${view.id}`,
  );
  return undefined;
});

/** Raises NOT_FOUND, and FORBIDDEN for what somebody else shares. */
export const removeView = writes('views.remove', async (context, { path }) => {
  const { sql, organization } = context;
  const { id } = await lockChangeable(context, path.id);
  await sql`delete from saved_views where organization_id = ${organization} and id = ${id}`;
  return undefined;
});

/** Views are of those who may see the list. */
function requireListed(actor: Credential, kind: Kind): void {
  const list = Object.values<OperationDeclaration>(everyOperation).find(
    (each) => each.resource === kind && each.kind === 'list',
  );
  if (!list) throw new Error(`Nothing lists ${kind}`);
  requireReach(actor, kind, permissionsFor(list));
}

interface ViewRow {
  id: string;
  user_id: string;
  kind: Kind;
  shared: boolean;
}

async function lockChangeable(
  { sql, organization, actor }: Pick<Writing, 'sql' | 'organization' | 'actor'>,
  id: string,
): Promise<ViewRow> {
  const [view] = await sql<ViewRow[]>`
    select id, user_id, kind, shared from saved_views
    where organization_id = ${organization} and id = ${id} for update`;
  const own = view?.user_id === actor.user.id;
  // What somebody keeps for themselves does not exist for others, owners included.
  if (!view || !(own || view.shared)) throw notFound();
  requireListed(actor, view.kind);
  if (!own && actor.user.permissions !== 'owner') {
    const [owner] = await sql<{ name: string }[]>`
      select name from memberships where organization_id = ${organization} and id = ${view.user_id}`;
    throw new Problem('view.of_another', { name: owner?.name ?? '' });
  }
  return view;
}

/** Of two that save the last one there is room for, the second finds the first. */
const countedAlone = ({ sql, organization }: Writing): Promise<void> =>
  lockAll(sql, [lockNumber('views', organization)]);

async function requireRoom({ sql, organization, actor }: Writing): Promise<void> {
  const max = limits.viewsPerUser;
  const rows = await sql`
    select 1 from saved_views where organization_id = ${organization} and user_id = ${actor.user.id} limit ${max}`;
  if (rows.length >= max) throw new Problem('view.too_many', { max });
}

async function requireRoomToShare({ sql, organization }: Writing, kind: Kind): Promise<void> {
  const max = limits.sharedViewsOfList;
  const rows = await sql`
    select 1 from saved_views where organization_id = ${organization} and kind = ${kind} and shared limit ${max}`;
  if (rows.length >= max) throw new Problem('view.too_many_shared', { max });
}

async function named(write: () => PromiseLike<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw breaksConstraint(error, 'saved_views_name') ? invalidField('name', 'field.name_taken') : error;
  }
}
